"""Members and their roles, for a tenant's admins."""

from uuid import UUID

from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.types import ListedMember, MemberChange
from saegim.domain.errors import PermissionDenied
from saegim.domain.ids import Clock
from saegim.domain.policy import ALLOWED, Permission, require
from saegim.domain.scope import Caller, Role


class Members:
    def __init__(self, store: PostgresMembers, clock: Clock, grants: Grants = GRANTS) -> None:
        self._store = store
        self._clock = clock
        self._grants = grants

    async def list(self, caller: Caller, after: UUID | None, most: int) -> list[ListedMember]:
        require(caller, Permission.MANAGE_MEMBERS)
        return await self._store.members(caller.scope.tenant, after, most)

    async def change(self, caller: Caller, member: UUID, change: MemberChange) -> ListedMember:
        """Changes the role or groups of a member, or disables it; revokes its keys with more
        permissions than the new role. Raises PermissionDenied for a member with more permissions
        than the caller, and for callers who disable themselves."""
        require(caller, Permission.MANAGE_MEMBERS)
        tenant = caller.scope.tenant
        before = await self._store.member(tenant, member)
        standings = await self._store.standings(tenant, member, self._clock.now())
        self._grants.change_member(caller, standings, change.role)
        self._grants.give_groups(caller, (change.groups or frozenset()) - before.groups)
        if change.disabled and member == caller.scope.user:
            raise PermissionDenied("you cannot disable yourself")
        role = change.role or before.role
        revoked = {each for each in Role if not ALLOWED[each] <= ALLOWED[role]}
        await self._store.change(
            tenant, member, change, revoked if change.role else set(), self._clock.now()
        )
        return await self._store.member(tenant, member)
