"""A tool that takes and returns secrets in every place that a schema has, and what to put there."""

import json
import uuid

SECRET = "PLANTED"  # noqa: S105 - what every secret here has in it
NUMBER = 7700770077
MARKED = {"type": "string", "writeOnly": True}
ALSO_MARKED = {"type": ["string", "integer"], "x-secret": True}
ARGUMENTS = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "note": {"type": "string"},
        "command": MARKED,
        "token": {**MARKED, "minLength": 8, "pattern": "^[A-Za-z0-9 /-]+$"},
        "pin": ALSO_MARKED,
        "accounts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "password": {"$ref": "#/$defs/secret"}},
                "additionalProperties": False,
            },
        },
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, MARKED], "items": False},
        "either": {"anyOf": [{"type": "integer"}, {"$ref": "#/$defs/key"}]},
        "login": {
            "type": "object",
            "properties": {"by": {"enum": ["key", "name"]}},
            "if": {"properties": {"by": {"const": "key"}}},
            "then": {"properties": {"key": MARKED}},
            "else": {"allOf": [{"properties": {"name": ALSO_MARKED}}]},
        },
        "headers": {"type": "object", "additionalProperties": MARKED},
        "variables": {
            "type": "object",
            "patternProperties": {"^.*_TOKEN$": MARKED},
            "additionalProperties": False,
        },
        "whole": {"type": "object", "writeOnly": True, "additionalProperties": {"type": "integer"}},
        "text": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"items": MARKED},
        },
    },
    "required": ["path"],
    "additionalProperties": False,
    "$defs": {
        "secret": ALSO_MARKED,
        "key": {"type": "object", "properties": {"key": MARKED}, "required": ["key"]},
    },
}
OUTPUT = {
    "type": "object",
    "properties": {
        "lines": {"type": "integer"},
        "cookies": {"type": "array", "items": {"properties": {"name": {}, "value": ALSO_MARKED}}},
        "either": {"oneOf": [{"type": "integer"}, {"type": "object", "properties": {"key": ALSO_MARKED}}]},
        "headers": {"type": "object", "additionalProperties": ALSO_MARKED},
    },
    "additionalProperties": False,
}


class Plant:
    """Makes secrets that are each another, so that the one that is found says where it was put."""

    def __init__(self):
        self.planted = 0

    def __call__(self, where="secret"):
        """A secret for this place."""
        self.planted += 1
        return f"{SECRET}-{where}-{uuid.uuid4().hex[:8]}"

    def arguments(self, path="free/a", **changes):
        """Arguments that satisfy the contract, with a secret in every place for one."""
        arguments = {
            "path": path,
            "note": "to-be-SHOWN",
            "command": f"curl -H 'authorization: {self('command')}' https://example.test",
            "token": self("token"),
            "pin": NUMBER,
            "accounts": [{"name": "ann", "password": self("item")}, {"password": self("item")}],
            "pair": ["a", self("prefix")],
            "either": {"key": self("choice")},
            "login": {"by": "key", "key": self("then")},
            "headers": {"x": self("additional")},
            "variables": {"A_TOKEN": self("pattern")},
            "whole": {self("name"): 1},
            "text": json.dumps([self("content")]),
        }
        return arguments | changes

    def wrong(self):
        """Arguments of which each breaks the contract in another way, with the secret in the way."""
        secret = self
        yield {"token": SECRET}  # too short
        yield {"token": secret("characters") + "!?"}
        yield {"token": [secret("list")]}
        yield {"token": {secret("name"): secret("object")}}
        yield {"tokne": secret("slip")}
        yield {"toke": {"a": [secret("slip")]}}
        yield {"accounts": secret("instead")}
        yield {"accounts": [secret("instead")]}
        yield {"accounts": [{"name": "ann", "pasword": secret("slip")}]}
        yield {"accounts": {"password": secret("object")}}
        yield {"pair": ["a", "b", secret("after")]}
        yield {"pair": [{"a": secret("before")}]}
        yield {"either": secret("choice")}
        yield {"either": {"kye": secret("choice")}}
        yield {"login": {"by": secret("enum") and "name", "key": secret("other branch"), "name": True}}
        yield {"login": secret("instead")}
        yield {"headers": [secret("list")]}
        yield {"headers": {"x": {"y": secret("deeper")}}}
        yield {"variables": {"A_TOEKN": secret("slip")}}
        yield {"whole": {secret("name"): secret("value")}}
        yield {"whole": {secret("name"): {secret("name"): [secret("value")]}}}
        yield {"whole": [secret("list")]}
        yield {"path": [secret("not a path")]}
        yield {"path": {"a": secret("not a path")}}
        yield {"pin": [NUMBER]}

    def unreadable(self):
        """Texts that are no arguments."""
        yield '{"token": "' + self("cut")
        yield '{"token": "' + self("line") + '\n"}'
        yield '{"token": "' + self("value") + '", "token": "' + self("twice") + '"}'
        name = self("name")
        yield json.dumps({"whole": {name: 1}})[:-2] + f', "{name}": 2}}}}'
        yield json.dumps([self("list")])
        yield json.dumps(self("text"))
        yield f'{{"pin": {NUMBER}.00000000000000001}}'
        yield f'{{"pin": {NUMBER}e999}}'
        yield f'{{"token": "{self("surrogate")}\\ud800"}}'
        yield f"{{{self('no key')}}}"
        yield "[" * 100 + f'"{self("deep")}"' + "]" * 100
        yield json.dumps({"token": self("large") + "x" * 2_000_000})
        yield json.dumps({"accounts": [{"password": self("many")}] * 3_000})
        yield f'{{"pin": {NUMBER}{"0" * 6_000}}}'

    def outputs(self):
        """Outputs: those that satisfy the contract, others, and texts that are none."""
        yield {"lines": 3, "cookies": [{"name": "n", "value": self("item")}, {"value": NUMBER}]}
        yield {"either": {"key": self("choice")}, "headers": {"set-cookie": self("additional")}}
        yield {"lines": self("wrong place") and "3", "cookies": [self("instead")]}
        yield {"cookies": [{"valeu": self("slip")}], "cookeis": self("slip")}
        yield {"headers": {"a": [self("list")]}, "either": self("choice")}
        yield self("text")
        yield [self("list")]
        yield {"cookies": [{"value": self("many")}] * 3_000}
