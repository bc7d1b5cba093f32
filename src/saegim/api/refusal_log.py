"""Records refused requests in the audit trail, at most once a minute per credential and route."""

from collections import OrderedDict
from datetime import datetime, timedelta
from uuid import UUID

from saegim.api.route_policy import PolicyRoute
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.domain.scope import Caller

ONCE_IN = timedelta(minutes=1)
MOST_REMEMBERED = 10_000


class Refusals:
    """Rate-limits audit events of refused requests; evicts the oldest entries."""

    def __init__(self) -> None:
        self._noted: OrderedDict[tuple[UUID, UUID, PolicyRoute], datetime] = OrderedDict()

    async def note(self, services: Services, caller: Caller, route: PolicyRoute) -> None:
        """Records a refusal, unless the same one was recorded within `ONCE_IN`."""
        now, refusal = services.clock.now(), (caller.key, caller.scope.user, route)
        last = self._noted.pop(refusal, None)
        self._noted[refusal] = now if last is None or now - last >= ONCE_IN else last
        if len(self._noted) > MOST_REMEMBERED:
            self._noted.popitem(last=False)
        if self._noted[refusal] is now:
            reason = f"{route.method} {route.path}"
            await services.audit.trail.note(caller, AuditAction.REFUSED, caller.key, reason)
