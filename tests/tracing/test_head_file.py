"""The file of heads outside of the database, on a disk that has not always room for a whole line."""

import errno
import os

import pytest
from adjudicator.domain.record import Tail, Writer
from adjudicator.tracing.head_file import HeadFile
from opened import SIGNER

WRITER = Writer("a" * 16, SIGNER.public_key)


def head(sequence):
    """One that was signed."""
    return SIGNER.head(WRITER, Tail(sequence, bytes(32)), 1)


def test_a_line_that_was_cut_short_costs_its_own_head_alone(tmp_path):
    """The next one begins on a line of its own."""
    file = HeadFile(tmp_path, "0" * 16)
    for sequence in (1, 2):
        file.append(head(sequence))
    os.truncate(file.path, file.path.stat().st_size - 7)
    file.append(head(3))
    assert [each.sequence for each in file.heads()] == [1, 3]
    assert file.last() == head(3)


def test_a_head_that_was_written_in_part_is_not_taken_for_kept(tmp_path, monkeypatch):
    """The system says how much there was room for, without an error."""
    file = HeadFile(tmp_path, "0" * 16)
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, line: write(descriptor, line[:50]))
    with pytest.raises(OSError, match="only a part") as caught:
        file.append(head(1))
    assert caught.value.errno == errno.ENOSPC
    monkeypatch.undo()
    file.append(head(1))
    assert file.heads() == [head(1)]
