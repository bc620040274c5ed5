"""A report of tests in the XML form that JUnit began and continuous integration reads.

The elements are those of the Apache Ant task `junitreport`: testsuites, testsuite, testcase, failure.
"""

import os
from itertools import groupby
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from adjudicator.authoring.test_runs import Report, Result
from adjudicator.cli.plain import plain


def write_junit(path: Path, report: Report) -> None:
    """Write the report, whole or not at all: one suite for each file of tests. Raises OSError."""
    root = Element("testsuites", _counts(report.results), name="adjudicator policy test")
    for file, results in groupby(report.results, key=lambda result: result.test.file):
        _add_suite(root, file, tuple(results))
    indent(root)
    written = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        ElementTree(root).write(written, encoding="utf-8", xml_declaration=True)
        written.replace(path)
    finally:
        written.unlink(missing_ok=True)


def _add_suite(root: Element, file: str, results: tuple[Result, ...]) -> None:
    suite = SubElement(root, "testsuite", _counts(results), name=file)
    for each in results:
        # `plain` writes out what XML 1.0 has no place for.
        case = SubElement(
            suite,
            "testcase",
            name=plain(each.test.name),
            classname=file,
            file=file,
            line=str(each.test.line),
            time=f"{each.seconds:.6f}",
        )
        if each.failure:
            message = plain(each.failure)
            SubElement(case, "failure", message=message).text = f"{file}:{each.test.line}: {message}"


def _counts(results: tuple[Result, ...]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(bool(each.failure) for each in results)),
        "errors": "0",
        "time": f"{sum(each.seconds for each in results):.6f}",
    }
