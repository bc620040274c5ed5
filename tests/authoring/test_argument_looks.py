"""What the name of an argument, and its schema, say about its kind."""

import pytest
from adjudicator.authoring.argument_looks import looks_like, looks_secret
from adjudicator.domain.facet import ArgumentKind

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
LOOKS = [
    ("path", TEXT, "path"),
    ("filePath", TEXT, "path"),
    ("output_dir", TEXT, "path"),
    ("directories", TEXTS, "path"),
    ("command", TEXT, "shell"),
    ("shellCommand", TEXT, "shell"),
    ("cmd", TEXTS, "shell"),
    ("baseURL", TEXT, "url"),
    ("urls", TEXTS, "url"),
    ("where", {"type": "string", "format": "uri"}, "url"),
    ("path", {}, "path"),
    ("path", {"type": ["string", "null"]}, "path"),
    ("file_name", TEXT, "path"),
    ("outputFileNames", TEXTS, "path"),
    ("dirName", TEXT, "path"),
    ("command_line", TEXT, "shell"),
    ("commandLine", TEXT, "shell"),
    ("path2", TEXT, "path"),
    ("file_1", TEXT, "path"),
    ("imageURLs", TEXTS, "url"),
    ("URLs", TEXTS, "url"),
    ("profile", TEXT, None),
    ("user_name", TEXT, None),
    ("line", TEXT, None),
    ("path", {"type": "integer"}, None),
    ("files", {"type": "array", "items": {"type": "object"}}, None),
    ("command_count", TEXT, None),
    ("", TEXT, None),
]


@pytest.mark.parametrize(("name", "schema", "kind"), LOOKS)
def test_the_last_word_of_a_name_says_what_a_text_is(name, schema, kind):
    """In whatever way its words are joined; what is no text looks like nothing."""
    assert looks_like(name, schema) is (ArgumentKind(kind) if kind else None)


SECRETS = [
    ("token", TEXT, True),
    ("apiKey", TEXT, True),
    ("access_tokens", TEXTS, True),
    ("x", {"type": "string", "format": "password"}, True),
    ("tokenCount", {"type": "integer"}, False),
    ("token_count", TEXT, False),
    ("key", TEXT, False),
]


@pytest.mark.parametrize(("name", "schema", "is_secret"), SECRETS)
def test_what_nobody_should_be_shown_is_told_by_its_name_or_format(name, schema, is_secret):
    """A text that is called like a password, or is said to be one."""
    assert looks_secret(name, schema) is is_secret
