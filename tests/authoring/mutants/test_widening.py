"""Which wider patterns an author could have written instead."""

import pytest
from adjudicator.authoring.mutants.widening import loosened, widened


@pytest.mark.parametrize(
    ("argument", "wider"),
    [
        ("path:./drafts/**", ["path:./**", "path:**/drafts/**", "path:**/*", "*"]),
        ("path:./**", ["path:**/*", "path:**/**", "*"]),
        ("path:/etc/passwd", ["path:/etc/*", "path:**/etc/passwd", "path:**/*", "*"]),
        ("path:./*", ["path:./**", "path:**/*", "*"]),
        ("read:./a/**", ["read:./**", "read:**/a/**", "path:./a/**", "read:**/*", "*"]),
        ("shell:git push *", ["shell:git *", "*"]),
        ("shell:pwd", ["shell:pwd *", "*"]),
        ("text:*/*", ["*"]),
        ("text:a*b", ["text:*a*b", "text:a*b*", "text:*", "*"]),
        (
            "url:https://api.example.com/v1/**",
            [
                "url:*://api.example.com/v1/**",
                "url:https://*.example.com/v1/**",
                "url:https://**.example.com/v1/**",
                "url:https://api.example.com/**",
                "url:*://**/**",
                "*",
            ],
        ),
        ("*", []),
    ],
)
def test_a_pattern_is_widened_by_a_step_and_to_all_of_its_kind(argument, wider):
    """Each wider pattern is there once, and the pattern itself never is."""
    found = [text for _, text in widened(argument, loose=False)]
    assert set(wider) <= set(found)
    assert len(set(found)) == len(found)
    assert argument not in found


def test_an_open_end_is_no_difference_to_a_loose_pattern():
    """What is compared loosely may have further words anyway."""
    assert ("pattern-widened", "shell:rm -rf /* *") not in widened("shell:rm -rf /*", loose=True)


@pytest.mark.parametrize(
    ("condition", "looser"),
    [
        ('r.sub == "a" && r.tenant == "b"', ['r.tenant == "b"', 'r.sub == "a"']),
        ('r.sub == "a && b"', []),
        ('(r.sub == "a" && r.tenant == "b")', []),
        ('r.sub == "a" && r.tenant == "b" || r.tool == "c"', []),
    ],
)
def test_a_condition_loses_each_of_its_parts(condition, looser):
    """Only what `&&` joins at the outside is a part."""
    assert list(loosened(condition)) == looser
