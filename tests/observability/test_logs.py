"""What the log says of an error."""

import json
import sqlite3

import pytest
import structlog
from adjudicator.observability.logs import configure
from adjudicator.policy.snapshot import EvaluationError


@pytest.fixture
def logged(capsys):
    """Logs an error as the sidecar would; the record of it."""
    before = structlog.get_config()

    def log(error):
        configure("json", "info")
        structlog.get_logger("test").error("it failed", exc_info=error)
        return json.loads(capsys.readouterr().err)["exception"]

    yield log
    structlog.configure(**before)


def caught(first, last):
    """An error, raised because of another."""

    def fail():
        raise first

    try:
        try:
            fail()
        except Exception as error:
            raise last from error
    except Exception as error:  # noqa: BLE001 - that is what is wanted
        return error


def test_an_error_repeats_nothing_that_a_library_was_given(logged):
    """Its class and its place are told, and those of its cause; our own sentences hold no value."""
    text = logged(caught(KeyError("HUNTER2"), EvaluationError("the schema cannot be evaluated")))
    assert "HUNTER2" not in text
    assert "KeyError" in text
    assert "EvaluationError: the schema cannot be evaluated" in text
    assert "test_logs.py" in text


class OperationalError(Exception):
    """As a package for another database has it."""


MACHINE = [
    OSError(28, "No space left on device"),
    sqlite3.DatabaseError("file is not a database"),
    OperationalError("the server does not answer"),
]


@pytest.mark.parametrize("error", MACHINE)
def test_an_error_of_the_machine_is_told_in_its_words(logged, error):
    """Whoever runs the sidecar has to know them."""
    assert str(error) in logged(caught(ValueError("x"), error))
