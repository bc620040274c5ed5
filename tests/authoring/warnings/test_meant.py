"""A comment with a reason accepts a warning where it stands, and is itself looked at."""

import pytest

NEW = "p, role:reader, archive, fetch, *, , deny, why"
LINE = f"# {{}}\n{NEW}"


def messages(bundle):
    """What is said of comments."""
    return [each.message for each in bundle.warnings() if each.code.value == "meant"]


@pytest.mark.parametrize(
    "comment",
    [
        "meant: never-matches, the list grows next month",
        "meant:never-matches,soon",
        "meant: never-matches, soon\n# and this is another comment",
    ],
)
def test_a_comment_above_a_row_accepts_its_warning(bundle, comment):
    """Other comments may stand between the two."""
    bundle.edit("rules.csv", "", LINE.format(comment))
    assert bundle.warnings() == ()


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("meant: never-matches", "does not say why"),
        ("meant: never-matches, ", "does not say why"),
        ("meant: never-matched, soon", "'never-matched' is not a code that can be meant"),
        ("meant: meant, soon", "'meant' is not a code that can be meant"),
        ("meant: duplicate, soon", "there is no such warning here any more"),
        ("meant: never-matches, soon\n", "there is no such warning here any more"),
    ],
)
def test_a_comment_that_is_wrong_accepts_nothing(bundle, comment, said):
    """It is a warning itself, and the other one stays."""
    bundle.edit("rules.csv", "", LINE.format(comment))
    assert bundle.codes() == {"never-matches", "meant"}
    (message,) = messages(bundle)
    assert said in message


def test_a_comment_that_stayed_behind_is_told_with_its_place(bundle):
    """The row was put right, and the comment says something about nothing."""
    bundle.edit(
        "rules.csv",
        "archive, write, path:./restored/**, , allow",
        "archive, write, path:./restored/**, , deny",
    )
    (warning,) = bundle.warnings()
    rest, before = bundle.line(warning)
    assert (warning.code.value, warning.file, before) == ("meant", "rules.csv", "")
    assert rest.startswith("# meant: read-only-tenant")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"type": "string"', '"$comment": "meant: undeclared-argument, why", "type": "string"'),
        ('"additionalProperties"', '"$comment": "meant: undeclared-argument, why", "additionalProperties"'),
    ],
)
def test_a_schema_accepts_by_the_comment_of_a_part(bundle, old, new):
    """Of the property itself, or of the object that it is in."""
    inner = (
        '"filter": {"type": "object", "properties": {"dir": {"type": "string"}}, '
        '"additionalProperties": false},'
    )
    bundle.edit("schemas/ls.json", '"properties": {', f'"properties": {{{inner}')
    assert bundle.codes() == {"undeclared-argument"}
    bundle.edit("schemas/ls.json", old, new)
    assert bundle.warnings() == ()


def test_a_comment_of_a_schema_that_accepts_nothing_is_told(bundle):
    """Its place is that of the comment."""
    bundle.edit("schemas/write.json", '"minLength": 0', '"minLength": 1')
    (warning,) = bundle.warnings()
    assert bundle.line(warning)[0].startswith('"$comment"')
    assert (warning.code.value, warning.file) == ("meant", "schemas/write.json")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (
            "schemas/fetch.output.json",
            '"type": "object"',
            '"$comment": "meant: duplicate, why", "type": "object"',
        ),
        ("models/rules.conf", "[matchers]", "# meant: duplicate, why\n[matchers]"),
    ],
)
def test_a_comment_where_there_are_no_warnings_is_told(bundle, file, old, new):
    """Nobody takes it for something that counts."""
    bundle.edit(file, old, new)
    (message,) = messages(bundle)
    assert message.startswith("there is no such warning here")


def test_what_is_meant_for_one_place_is_not_for_another(bundle):
    """The same slip elsewhere is told."""
    bundle.edit("rules.csv", "", LINE.format("meant: never-matches, soon"))
    bundle.edit("rules.csv", "", NEW.replace("deny", "deny, for").replace("deny, for, why", "allow, why"))
    assert [each.code.value for each in bundle.warnings()].count("never-matches") == 1
