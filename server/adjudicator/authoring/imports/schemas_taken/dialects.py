"""The dialects in which others write schemas, by what they call them, and what each one ignores."""

from typing import Any

from adjudicator.authoring.imports.notes import ImportFaultError
from adjudicator.domain.call import quoted
from adjudicator.policy.schema_checks import DRAFT_2020, Draft, drafts


def dialect_of(schema: dict[str, Any]) -> Draft:
    """The draft that the schema is written in; 2020-12 where it does not say, as the protocol has it.

    Raises ImportFaultError for a draft that is not known here, and for a schema that is none of its draft.
    """
    stated = schema.get("$schema", DRAFT_2020)
    known = {_plain(uri): draft for uri, draft in drafts().items()}
    draft = known.get(_plain(stated)) if isinstance(stated, str) else None
    if draft is None:
        raise ImportFaultError(f"`$schema` is {quoted(str(stated))}, which is not known here")
    check_is_schema(schema, draft)
    return draft


def check_is_schema(schema: Any, draft: Draft) -> None:
    """Raises ImportFaultError for what is no schema of the draft."""
    # What the metaschema says of its own name does not matter here.
    value = {key: each for key, each in schema.items() if key != "$schema"}
    error = next(draft.validator(draft.validator.META_SCHEMA).iter_errors(value), None)
    if error is not None:
        place = "/".join(str(part) for part in error.absolute_path)
        raise ImportFaultError(f"not a schema at {quoted(f'/{place}')}: {quoted(str(error.message))}")


def _plain(uri: str) -> str:
    return uri.removesuffix("#").removeprefix("http://").removeprefix("https://")
