"""Contracts from schemas that a test writes down."""

import json
from types import SimpleNamespace

from adjudicator.policy.problem import Problems
from adjudicator.policy.registry import Registry
from adjudicator.policy.schemas import FOLDER, read_contracts
from adjudicator.policy.source import Source, Sources

NAME = f"{FOLDER}/t.json"
CLOSED = {"type": "object", "additionalProperties": False}


def read(text, arguments=()):
    """The contract and the problems of a schema file with this text."""
    problems = Problems()
    sources = Sources("", {NAME: Source(NAME, text)}, frozenset({NAME}))
    tools = {"t": SimpleNamespace(arguments=arguments)}
    registry = Registry({}, {}, tools)
    contracts = read_contracts(sources, registry, problems)
    return contracts.get("t"), [str(problem) for problem in problems]


def contract(**schema):
    """The contract of a sound schema."""
    found, problems = read(json.dumps(CLOSED | schema))
    assert problems == []
    return found


def value_contract(**schema):
    """The contract of one argument `a`."""
    return contract(properties={"a": schema})
