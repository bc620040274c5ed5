"""Small programs inside of operands, as far as it can be told that they neither run nor write anything."""

import re
from collections.abc import Iterator, Sequence

_AWK_FORBIDDEN = re.compile(r"[|>@]|system|getline|close|fflush|ENVIRON|ARGV")
_SED_ADDRESS = r"(?:[0-9]+|\$|/[^/\\;{}\n]*/I?)"
_SED_COMMAND = re.compile(
    rf"(?:{_SED_ADDRESS}(?:,\+?{_SED_ADDRESS})?\s*)?(?:!\s*)?"
    r"(?:[pdqgGhHxnNDP=]|q[0-9]+|s([/|#,@])(?:(?!\1)[^\\\n]|\\[^\n])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gpiI0-9]*)"
)
_SED_HARMLESS = re.compile(
    r"-[nErsuz]+|--(?:quiet|silent|regexp-extended|separate|unbuffered|null-data|posix)"
)
_AWK_VALUED = ("-F", "-v", "--field-separator", "--assign")


def awk_fault(words: Sequence[str]) -> str | None:
    """Why an awk command may run or write something; None when it only reads and prints."""
    at = 1
    while at < len(words) and len(words[at]) > 1 and words[at].startswith("-"):
        word = words[at]
        if word == "--":
            at += 1
            break
        if not word.startswith(_AWK_VALUED):
            return f"the option {word.partition('=')[0][:20]} is not known here"
        at += 2 if word in _AWK_VALUED else 1
    if at >= len(words):
        return None
    if _AWK_FORBIDDEN.search(words[at]) is not None:
        return (
            "its program has `>`, `|`, `@`, `system`, `getline` or the like in it, which may run or write"
        )
    return None


def sed_fault(words: Sequence[str]) -> str | None:
    """Why a sed command may run or write something; None when it only reads and prints."""
    scripts = 0
    rest = iter(words[1:])
    for word in rest:
        script = word
        if word.startswith("-") and len(word) > 1:
            if word in ("-e", "--expression"):
                script = next(rest, "")
            elif word.startswith("--expression="):
                script = word.partition("=")[2]
            elif _SED_HARMLESS.fullmatch(word) is not None:
                continue
            else:
                return "an option writes in place, reads its script from a file, or is not known here"
        elif scripts:
            continue  # the first operand is the script, the others are files
        scripts += 1
        if not all(_SED_COMMAND.fullmatch(part) for part in _parts(script)):
            return "its script has a command that may run or write something, or is not known here"
    return None


def curl_fault(words: Sequence[str]) -> str | None:
    """Why a curl command may write by the format of what it prints; None when it does not."""
    return "its format has `%output` in it, which writes a file" if any(map(_writes, words)) else None


def _writes(word: str) -> bool:
    return "%output{" in word


def _parts(script: str) -> Iterator[str]:
    """The script's commands. A `;` inside of a pattern splits too: then its halves are not understood."""
    return (part.strip() for part in re.split(r"[;\n]", script) if part.strip())
