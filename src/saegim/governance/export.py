"""Everything that is kept of a person, as JSON: before an erasure, or to take it elsewhere."""

from collections.abc import Mapping, Sequence
from datetime import datetime
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
        """One's own data, or with a reason somebody else's; either way an event of the trail. Who
        may not export all of their profiles gets the current one."""
        profile: UUID | None = None
        subject = member or caller.scope.user
        if subject == caller.scope.user:
            require(caller, Permission.OWN_DATA)
            deed = AuditAction.EXPORTED
            profile = None if allows(caller, Permission.EXPORT_SELF) else caller.scope.profile
        else:
            self._grants.read_others(caller, Permission.READ_OTHERS, reason)
            deed = AuditAction.READ_BY_OTHER
        tables = await self._store.person(caller.scope.tenant, subject, profile)
        # Noted before it is handed out: nobody reads another person unseen.
        await self._trail.note(caller, deed, subject, reason)
        return _document(subject, self._clock.now(), tables)


def _document(
    member: UUID, at: datetime, tables: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, Any]:
    return {
        "form": EXPORT_FORM,
        "member_id": str(member),
        "exported_at": at.isoformat(),
        "tables": {name: [dict(row) for row in rows] for name, rows in tables.items()},
    }
