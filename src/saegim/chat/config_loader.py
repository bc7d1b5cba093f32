"""An assistant's configuration as it is stored, read with what it leaves out."""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from saegim.chat.config import AssistantConfig
from saegim.domain.errors import Invalid


def configured(stored: Mapping[str, Any], degraded: Callable[[str], None]) -> AssistantConfig:
    """The configuration; the defaults where another release wrote what this one refuses."""
    if not stored:
        return DEFAULTS
    try:
        return AssistantConfig.model_validate(dict(stored))
    except ValidationError:
        degraded("assistant_config")
        return DEFAULTS


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration that may be stored, without what is as by default. Raises Invalid."""
    try:
        config = AssistantConfig.model_validate(dict(given))
    except ValidationError as error:
        found = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()
        )
        raise Invalid(found) from None
    return config.model_dump(mode="json", exclude_unset=True)


DEFAULTS = AssistantConfig()
