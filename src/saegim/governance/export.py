"""Export everything stored about a user as JSON."""

from typing import Any
from uuid import UUID

from saegim.audit.trail import AuditTrail
from saegim.audit.types import AuditAction
from saegim.auth.grants import GRANTS, Grants
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller
from saegim.governance.export_repository import PostgresExport

EXPORT_FORM = "saegim-person-1"


class Exports:
    def __init__(
        self, store: PostgresExport, trail: AuditTrail, clock: Clock, grants: Grants = GRANTS
    ) -> None:
        self._store = store
        self._grants = grants
        self._trail = trail
        self._clock = clock

    async def export(self, caller: Caller, member: UUID | None, reason: str) -> dict[str, Any]:
        """Export one's own data, or another user's with a reason; both are audited.

        Without the permission to export all profiles, only the current one is exported."""
        profile: UUID | None = None
        subject = member or caller.scope.user
        if subject == caller.scope.user:
            require(caller, Permission.OWN_DATA)
            action = AuditAction.EXPORTED
            profile = None if allows(caller, Permission.EXPORT_SELF) else caller.scope.profile
        else:
            self._grants.read_others(caller, Permission.READ_OTHERS, reason)
            action = AuditAction.READ_BY_OTHER
        tables = await self._store.person(caller.scope.tenant, subject, profile)
        # Audited before it is returned, so that no read goes unrecorded.
        await self._trail.note(caller, action, subject, reason)
        return {
            "form": EXPORT_FORM,
            "member_id": str(subject),
            "exported_at": self._clock.now().isoformat(),
            "tables": tables,
        }
