"""Logs failures of model providers, each cause at most once a minute."""

import logging
from collections.abc import Callable

from saegim.llm.model_call import FaultDetail, ModelFault
from saegim.llm.model_config import host_of
from saegim.llm.ports import ModelRole, RoleModel

log = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
_MOST_CAUSES = 1_000
# The message of a refused request may repeat the user's text, and logs have no content.
_WITH_CONTENT = frozenset({400, 413, 422})
# Not the provider's fault, or logged when it happened.
_QUIET = frozenset({ModelFault.CIRCUIT_OPEN, ModelFault.LIMIT_REACHED, ModelFault.NOT_CONFIGURED})


class FaultLog:
    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._logged: dict[tuple[str, str, str, int | None], float] = {}

    def note(self, role: ModelRole, model: RoleModel, detail: FaultDetail) -> None:
        """Log a failure with status and message, unless the same was logged within a minute."""
        if detail.fault in _QUIET:
            return
        host = host_of(model.model.base_url)
        cause = (host, model.model.model_name, detail.fault.value, detail.status)
        now = self._now()
        if now - self._logged.get(cause, -PAUSE_SECONDS) < PAUSE_SECONDS:
            return
        if len(self._logged) >= _MOST_CAUSES:
            self._logged.clear()
        self._logged[cause] = now
        hidden = detail.status in _WITH_CONTENT
        said = f"{detail.status} (message in the trace)" if hidden else str(detail)
        log.warning(
            "model %s at %s failed in role %s: %s: %s",
            model.model.model_name,
            host or "-",
            role.value,
            detail.fault.value,
            said,
        )
