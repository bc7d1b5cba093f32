"""Keep records from providers that must not get them."""

from collections.abc import Iterable

from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.memory.types import Record


def steps_for(steps: Steps, role: ModelRole, records: Iterable[Record]) -> Steps:
    """Return the steps, without a model if one of the records must not leave to it."""
    policy = steps.egress((role,))
    leave = all(policy.allows(each.type.value, pinned=each.pinned) for each in records)
    return steps if leave else steps.by_rule()
