"""A request as JSON data, in a view and on record, and back. What is empty is left out."""

from typing import Any

from adjudicator.domain.request import Context, Priority, Request, RequestType, Risk, Trigger

_CONTEXT = ("commands", "writes", "reads", "urls")


def request_to_body(request: Request) -> dict[str, Any]:
    """The request by the names of its fields, in the order in which a person wants to read it."""
    context = {name: list(getattr(request.context, name)) for name in _CONTEXT}
    body = {
        "type": request.type.value,
        "priority": request.priority.value,
        "title": request.title,
        "description": request.description,
        "options": list(request.options),
        "recommended": request.recommended,
        "risks": [{"trigger": risk.trigger.value, "note": risk.note} for risk in request.risks],
        "context": {name: texts for name, texts in context.items() if texts},
    }
    return {name: value for name, value in body.items() if value}


def request_from_body(body: dict[str, Any] | None) -> Request:
    """The request of `request_to_body`; the default one where none was recorded."""
    if not body:
        return Request()
    context = body.get("context", {})
    return Request(
        type=RequestType(body["type"]),
        priority=Priority(body["priority"]),
        title=body.get("title", ""),
        description=body.get("description", ""),
        options=tuple(body.get("options", ())),
        recommended=body.get("recommended", ""),
        risks=tuple(Risk(Trigger(each["trigger"]), each["note"]) for each in body.get("risks", ())),
        context=Context(**{name: tuple(context.get(name, ())) for name in _CONTEXT}),
    )
