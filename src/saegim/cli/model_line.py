"""The models of a tenant in one line."""

from collections.abc import Sequence

from saegim.cli.language import _
from saegim.llm.connections.types import RoleChoice
from saegim.llm.ports import ModelRole


def model_line(choices: Sequence[RoleChoice]) -> str:
    """Return the models that answer, and whose they are; or that there is none."""
    roles = (ModelRole.LITE, ModelRole.STRONG)
    answering = [choice for choice in choices if choice.role in roles]
    models = ", ".join(dict.fromkeys(each.model for each in answering if each.model))
    if not models:
        return _("none (search mode). Connect one: saegim model add")
    sources = ", ".join(dict.fromkeys(each.connection for each in answering if each.connection))
    return f"{models} ({sources})" if sources else models
