"""Our engine and stock pycasbin, side by side on the same model and rows."""

import casbin
from adjudicator.policy.casbin.reader import read_engine

ALLOW = "some(where (p.eft == allow))"
ALLOW_AND_NOT_DENY = f"{ALLOW} && !some(where (p.eft == deny))"


def model(request, policy, matcher, roles=(), effect=ALLOW_AND_NOT_DENY):
    """The text of a model; `roles` are lines such as `g = _, _`."""
    definition = ["[role_definition]", *roles] if roles else []
    return "\n".join(
        [
            *(
                "[request_definition]",
                f"r = {request}",
                "[policy_definition]",
                f"p = {policy}",
                *definition,
            ),
            *("[policy_effect]", f"e = {effect}", "[matchers]", f"m = {matcher}", ""),
        ]
    )


class Fed(casbin.persist.Adapter):
    """Gives stock Casbin rows that were split already, so that only evaluation is compared."""

    def __init__(self, rows):
        self.rows = rows

    def load_policy(self, model):
        """Put each row where its first column belongs."""
        for kind, *fields in self.rows:
            model[kind[0]][kind].policy.append(list(fields))


def stock(text, rows):
    """An enforcer of stock Casbin; a row is its first column and its fields."""
    return casbin.Enforcer(casbin.Enforcer.new_model(text=text), Fed(rows))


def ours(text, rows):
    """The engine of the same."""
    return read_engine(text, "\n".join(",".join(map(quoted, row)) for row in rows))


def quoted(field):
    """The field as a file has it, in double quotes where it has to be."""
    return '"' + field.replace('"', '""') + '"' if set(field) & set(',"()[]# ') else field


def answer(enforcer, request):
    """The enforcer's answer, or the name of what it raises."""
    try:
        return bool(enforcer.enforce(*request))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is no answer
        return type(error).__name__
