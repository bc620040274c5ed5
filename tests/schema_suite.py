"""Brings the official JSON Schema test suite into build/: the source package of jsonschema contains it.

Run it once while there is a network; `make test` does. The tests that use the suite skip without it.
"""

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
SUITE = ROOT / "build" / "json-schema-test-suite"


def pinned_version():
    """The version of jsonschema that everything else here uses."""
    (version,) = re.findall(r"^jsonschema==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    return version


def fetch():
    """Download the source package, and unpack nothing but the suite."""
    version = pinned_version()
    with tempfile.TemporaryDirectory() as folder:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        source = ["--no-binary", "jsonschema", "--dest", folder, f"jsonschema=={version}"]
        subprocess.run([*pip, *source], check=True)
        (archive,) = Path(folder).glob("*.tar.gz")
        prefix = f"jsonschema-{version}/json/"
        with tarfile.open(archive) as packed:
            members = [each for each in packed.getmembers() if each.name.startswith(prefix)]
            packed.extractall(folder, members, filter="data")
        SUITE.parent.mkdir(exist_ok=True)
        shutil.move(Path(folder, prefix), SUITE)


if __name__ == "__main__":
    if not SUITE.exists():
        fetch()
