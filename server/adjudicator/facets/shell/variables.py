"""Names of variables that nothing goes by: what sets one of them changes no later command."""

import re

_FREE = re.compile(r"[a-z][a-z0-9_]*|[A-Z]")
# What programs go by is in capitals. These are not, and some shells tie `path` to `PATH`.
_TAKEN = re.compile(r".*(?:path|proxy)|prompt[0-9]?|psvar|fignore|watch|argv|histchars|auto_resume")


def is_free(name: str) -> bool:
    """Whether no shell and no program is known to go by a variable of this name."""
    return _FREE.fullmatch(name) is not None and _TAKEN.fullmatch(name) is None
