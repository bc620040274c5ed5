"""Random ids as a value that is passed in."""

import os
from typing import Protocol


class Ids(Protocol):
    """Makes ids that nobody can guess."""

    def approval(self) -> str:
        """A new approval id: 128 random bits."""
        ...

    def grant(self) -> str:
        """A new grant's id: 128 random bits."""
        ...

    def call(self) -> str:
        """A new call_id for a call that came without one."""
        ...

    def question(self) -> str:
        """A new id of a question: 128 random bits."""
        ...

    def question_key(self) -> str:
        """A new question_id for a question that came without one."""
        ...


class RandomIds:
    """Ids from the operating system's randomness."""

    def approval(self) -> str:
        """A new approval id: `apr-` and 32 hexadecimal digits."""
        return f"apr-{os.urandom(16).hex()}"

    def grant(self) -> str:
        """A new grant's id: `grt-` and 32 hexadecimal digits."""
        return f"grt-{os.urandom(16).hex()}"

    def call(self) -> str:
        """A new call_id: `call-` and 32 hexadecimal digits."""
        return f"call-{os.urandom(16).hex()}"

    def question(self) -> str:
        """A new id of a question: `qst-` and 32 hexadecimal digits."""
        return f"qst-{os.urandom(16).hex()}"

    def question_key(self) -> str:
        """A new question_id: `question-` and 32 hexadecimal digits."""
        return f"question-{os.urandom(16).hex()}"
