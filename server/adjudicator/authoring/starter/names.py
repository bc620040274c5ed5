"""The names that a first bundle is made with, held against the loader's own rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.config.approver_tokens import FIRST_APPROVER, NAME_RULE, is_approver_name
from adjudicator.domain.call import is_identifier, quoted

CRITIC = "critic"
"""The code of the starter's second agent."""
_CODE_RULE = "1 to 128 of the characters A-Z a-z 0-9 . _ : / -"
# What the starter's tests name to show that nobody registered it.
_NOBODY = {"tenant": "nowhere-else", "agent": "nobody-else"}


@dataclass(frozen=True, slots=True)
class Names:
    """Whom a first bundle is for: one tenant, the agent that works in it, and the person who decides."""

    tenant: str = "main"
    agent: str = "assistant"
    approver: str = FIRST_APPROVER

    def faults(self) -> Iterator[tuple[str, str]]:
        """What is wrong with each name, by the name's field, and what to write instead."""
        for field, value in (("tenant", self.tenant), ("agent", self.agent)):
            if not is_identifier(value):
                yield field, f"{quoted(value)} is not a code; write {_CODE_RULE}, as in `team-a`"
            elif value == _NOBODY[field]:
                yield field, f"{value!a} stands in the starter's tests for what is not there; write another"
        if self.agent == CRITIC:
            yield "agent", f"`{CRITIC}` is the starter's other agent; write another code, as `assistant`"
        if not is_approver_name(self.approver):
            yield "approver", f"{quoted(self.approver)} is not an approver's name; write {NAME_RULE}"
        elif self._is_agent():
            yield (
                "approver",
                f"an agent is called {self.approver!a}, and an agent never decides; write another",
            )

    def _is_agent(self) -> bool:
        agents = {self.agent.casefold(), CRITIC}
        return not agents.isdisjoint((self.approver, f"user:{self.approver}"))
