"""A message of the wire contract as JSON for scripts, and the short names of its enums."""

from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message


def message_json(message: Message) -> dict[str, Any]:
    """Proto3 JSON under the names of the .proto file, enums by the short names of their values.

    Every field without presence is there, also when it is empty, so that a script finds it.
    """
    data: dict[str, Any] = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return _ordered(data, message.DESCRIPTOR)


def enum_name(message: Message, field: str) -> str:
    """The short name of an enum field's value; its number when this client does not know it."""
    enum: Any = message.DESCRIPTOR.fields_by_name[field].enum_type
    number = getattr(message, field)
    value = enum.values_by_number.get(number)
    return str(number) if value is None else short_name(enum, value.name)


def short_name(enum: Any, name: str) -> str:
    """The name of an enum's value without the enum's name before it."""
    prefix: str = enum.values_by_number[0].name
    return name.removeprefix(prefix.removesuffix("UNSPECIFIED"))


def _ordered(data: dict[str, Any], descriptor: Any) -> dict[str, Any]:
    """The fields in the order of the .proto file, their enums short."""
    return {
        field.name: _value(data[field.name], field) for field in descriptor.fields if field.name in data
    }


def _value(value: Any, field: Any) -> Any:
    if isinstance(value, list):
        return [_value(item, field) for item in value]
    if field.enum_type is not None and isinstance(value, str):
        return short_name(field.enum_type, value)
    if field.message_type is not None and isinstance(value, dict):
        return _ordered(value, field.message_type)
    return value
