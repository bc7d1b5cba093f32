"""Members and their roles, for a tenant's admins."""

from collections.abc import Sequence, Set
from uuid import UUID

from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.types import GroupUse, ListedMember, MemberChange
from saegim.domain.errors import Invalid, PermissionDenied
from saegim.domain.ids import Clock
from saegim.domain.policy import ALLOWED, OF_PEOPLE, Permission, allows, require
from saegim.domain.scope import Caller, Role


class Members:
    def __init__(self, store: PostgresMembers, clock: Clock, grants: Grants = GRANTS) -> None:
        self._store = store
        self._clock = clock
        self._grants = grants

    async def list(self, caller: Caller, after: UUID | None, most: int) -> list[ListedMember]:
        require(caller, Permission.MANAGE_MEMBERS)
        return await self._store.members(caller.scope.tenant, after, most)

    async def own(self, caller: Caller) -> ListedMember:
        """Returns the caller's own member."""
        require(caller, Permission.OWN_DATA)
        return await self._store.member(caller.scope.tenant, caller.scope.user)

    async def uploaders(self, caller: Caller, members: Set[UUID]) -> dict[UUID, str]:
        """Returns the names of members who uploaded documents, for editors; others get their
        own."""
        if not allows(caller, Permission.EDIT_LIBRARY):
            members &= {caller.scope.user}
        return await self._store.names(caller.scope.tenant, members) if members else {}

    async def contributors(self, caller: Caller, members: Set[UUID]) -> dict[UUID, str]:
        """Returns the names of members who shared something that the caller may read."""
        return await self._store.names(caller.scope.tenant, members) if members else {}

    async def groups(self, caller: Caller) -> Sequence[GroupUse]:
        """Lists the groups of members and of the audiences of collections."""
        require(caller, Permission.MANAGE_MEMBERS)
        return await self._store.groups(caller.scope.tenant)

    async def change(self, caller: Caller, member: UUID, change: MemberChange) -> ListedMember:
        """Changes the role or groups of a member, or disables it; revokes its keys with more
        permissions than the new role. Raises PermissionDenied for a member with more permissions
        than the caller, and for callers who disable themselves."""
        require(caller, Permission.MANAGE_MEMBERS)
        if change.role is not None and change.role not in OF_PEOPLE:
            raise Invalid("this role is for keys")
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
