"""Refused requests in the audit trail: once a minute for each credential and route, so that nobody
floods the trail by being refused."""

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
    """Remembers which refusals were noted; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._noted: OrderedDict[tuple[UUID, UUID, PolicyRoute], datetime] = OrderedDict()

    async def note(self, services: Services, caller: Caller, route: PolicyRoute) -> None:
        """Enters a refusal into the trail, unless the same one was noted a moment ago."""
        now, what = services.clock.now(), (caller.key, caller.scope.user, route)
        before = self._noted.pop(what, None)
        self._noted[what] = now if before is None or now - before >= ONCE_IN else before
        if len(self._noted) > MOST_REMEMBERED:
            self._noted.popitem(last=False)
        if self._noted[what] is now:
            reason = f"{route.method} {route.path}"
            await services.audit.trail.note(caller, AuditAction.REFUSED, caller.key, reason)
