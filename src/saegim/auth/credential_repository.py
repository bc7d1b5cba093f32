"""Keys, members and identities of a tenant in Postgres."""

from collections.abc import Iterable, Set
from datetime import datetime
from uuid import UUID

from saegim.auth.repository import key_of, key_values
from saegim.auth.types import (
    AppKey,
    GroupUse,
    Identity,
    ListedKey,
    ListedMember,
    MemberChange,
    Membership,
    MintedKey,
    Profile,
)
from saegim.db.cells import Cells, Row, execute, from_row
from saegim.domain.errors import NotFound
from saegim.domain.ids import LAST_ID, Clock, new_id
from saegim.domain.policy import ALLOWED
from saegim.domain.scope import Role
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.encryption.types import KeyDestroyed

NOBODY = UUID(int=0)
MOST_GROUPS = 1_000


class PostgresKeyStore:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def keys(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedKey]:
        """Lists keys, newest first, valid or not, after `before`."""
        page = {"before": before or LAST_ID, "most": most}
        rows = await self._cells.fetch_all(tenant, "list_keys", **page)
        return [_listed(tenant, row) for row in rows]

    async def keys_of(self, tenant: UUID, member: UUID, now: datetime) -> list[ListedKey]:
        """Lists the valid keys that are bound to a member, newest first."""
        rows = await self._cells.read(tenant, "list_keys_of_member", member=member, now=now)
        return [_listed(tenant, row) for row in rows]

    async def find_listed(self, tenant: UUID, key: UUID) -> ListedKey:
        """Raises NotFound."""
        row = await self._cells.fetch_one(tenant, "find_listed_key", key=key)
        if row is None:
            raise NotFound("key")
        return _listed(tenant, row)

    async def replace(
        self, old: ListedKey, key: AppKey, minted: MintedKey, now: datetime, until: datetime
    ) -> None:
        """Stores `key` and lets the old one expire at `until` or sooner, in one transaction."""
        values = key_values(key, old.name, minted) | {"replaces": old.key.id, "now": now}
        async with self._cells.transaction(key.tenant) as connection:
            await execute(connection, "add_key", tenant=key.tenant, **values)
            await execute(connection, "end_key_by", tenant=key.tenant, key=old.key.id, until=until)

    async def revoke(self, tenant: UUID, key: UUID, at: datetime) -> None:
        """Revokes a key. Raises NotFound."""
        if not await self._cells.run_query(tenant, "revoke_key", key=key, now=at):
            raise NotFound("key")


class PostgresMembers:
    def __init__(self, cells: Cells, keyring: Keyring, clock: Clock) -> None:
        self._cells = cells
        self._keyring = keyring
        self._clock = clock

    async def members(self, tenant: UUID, after: UUID | None, most: int) -> list[ListedMember]:
        """Lists members by ID, after `after`."""
        values = {"after": after or NOBODY, "most": most, "now": self._clock.now()}
        rows = await self._cells.fetch_all(tenant, "list_members", **values)
        return [await self._member(tenant, row) for row in rows]

    async def member(self, tenant: UUID, member: UUID) -> ListedMember:
        """Raises NotFound."""
        now = self._clock.now()
        row = await self._cells.fetch_one(tenant, "find_member", member=member, now=now)
        if row is None:
            raise NotFound("member")
        return await self._member(tenant, row)

    async def names(self, tenant: UUID, members: Set[UUID]) -> dict[UUID, str]:
        """Returns the names of members by ID."""
        rows = await self._cells.fetch_all(tenant, "names_of_members", members=sorted(members))
        return {row["member_id"]: (await self._names(tenant, row))[0] for row in rows}

    async def groups(self, tenant: UUID) -> list[GroupUse]:
        """Lists the groups in use by name."""
        rows = await self._cells.read(
            tenant, "list_groups", most=MOST_GROUPS, now=self._clock.now()
        )
        return [from_row(GroupUse, row) for row in rows]

    async def role(self, tenant: UUID, member: UUID) -> Role:
        """Returns the stored role of a member. Raises NotFound."""
        return (await self.member(tenant, member)).role

    async def standings(self, tenant: UUID, member: UUID, now: datetime) -> list[Membership]:
        """Returns the role of a member and those of its valid keys. Raises NotFound."""
        rows = await self._cells.fetch_all(tenant, "roles_of_member", member=member, now=now)
        if not rows:
            raise NotFound("member")
        return [from_row(Membership, row) for row in rows]

    async def change(
        self, tenant: UUID, member: UUID, change: MemberChange, beyond: Set[Role], at: datetime
    ) -> None:
        """Changes a member and revokes its keys whose role is one of `beyond`."""
        values = {
            "member": member,
            "role": change.role,
            "groups": None if change.groups is None else sorted(change.groups),
            "disabled": change.disabled,
            "now": at,
        }
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "change_member", tenant=tenant, **values)
            ended = {"member": member, "beyond": sorted(beyond), "now": at}
            await execute(connection, "revoke_keys_beyond", tenant=tenant, **ended)
            if change.role is not None or change.disabled:
                # Links in the hands of somebody who may no longer give them.
                owner = {"tenant": tenant, "member": member}
                await execute(connection, "drop_invitations_by_inviter", **owner)
                await execute(connection, "drop_reset_links_by_maker", **owner)

    async def identities(self, tenant: UUID, member: UUID) -> list[Identity]:
        """Lists the linked identities of a member, oldest first."""
        rows = await self._cells.fetch_all(tenant, "list_identities", member=member)
        cipher = await self._keyring.user(tenant, member)
        return [
            Identity(
                id=row["identity_id"],
                channel=row["channel"],
                name=cipher.open(row["outside_id"], name_place(row["identity_id"])),
                linked_at=row["linked_at"],
            )
            for row in rows
        ]

    async def profiles(self, tenant: UUID, member: UUID) -> list[Profile]:
        """Lists the profiles of a member, oldest first."""
        rows = await self._cells.fetch_all(tenant, "export_profile", member=member)
        cipher = await self._keyring.user(tenant, member)
        return [
            Profile(
                id=row["profile_id"],
                name=cipher.open(row["name"], FieldLocation("profile.name", row["profile_id"])),
                created_at=row["created_at"],
            )
            for row in rows
        ]

    async def put_code(
        self, tenant: UUID, member: UUID, code_hash: bytes, expires_at: datetime
    ) -> None:
        """Stores a link code; a member has one at a time."""
        values = {"member": member, "code_hash": code_hash, "expires_at": expires_at}
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "drop_link_codes", tenant=tenant, member=member)
            await execute(connection, "add_link_code", tenant=tenant, **values)

    async def use_code(self, tenant: UUID, code_hash: bytes, now: datetime) -> UUID | None:
        """Consumes a link code and returns its member."""
        row = await self._cells.fetch_one(tenant, "use_link_code", code_hash=code_hash)
        return None if row is None or row["expires_at"] <= now else row["member_id"]

    async def link(self, tenant: UUID, member: UUID, name: str, channel: str) -> None:
        """Links `name` to the member, replacing an earlier link."""
        now = self._clock.now()
        identity = new_id(now)
        cipher = await self._keyring.user(tenant, member)
        user_hash = (await self._keyring.tenant(tenant)).fingerprint(f"user:{name}")
        values = {
            "identity": identity,
            "member": member,
            "channel": channel,
            "user_hash": user_hash,
            "outside_id": cipher.seal(name, name_place(identity)),
            "now": now,
        }
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "drop_identity_by_name", tenant=tenant, user_hash=user_hash)
            await execute(connection, "add_identity", tenant=tenant, **values)

    async def unlink(self, tenant: UUID, member: UUID, identity: UUID) -> bool:
        """Unlinks an identity; returns whether it existed."""
        values = {"member": member, "identity": identity}
        return await self._cells.run_query(tenant, "drop_identity", **values) > 0

    async def _member(self, tenant: UUID, row: Row) -> ListedMember:
        name, email = await self._names(tenant, row)
        return from_row(
            ListedMember,
            row,
            id=row["member_id"],
            name=name,
            email=email,
            disabled=row["disabled_at"] is not None,
            effective_role=_highest(Role(row["role"]), map(Role, row["key_roles"])),
        )

    async def _names(self, tenant: UUID, row: Row) -> tuple[str, str | None]:
        """Returns the name of a member, and the e-mail of its account."""
        member: UUID = row["member_id"]
        try:
            cipher = await self._keyring.user(tenant, member)
        except KeyDestroyed:
            return "", None

        def opened(column: str, field: str) -> str | None:
            sealed = row[column]
            return sealed and cipher.open(sealed, FieldLocation(field, member))

        email = opened("email", "account.email")
        name = opened("account_name", "account.name") or email
        return name or opened("outside_id", "member.outside_id") or "", email


def _highest(role: Role, others: Iterable[Role]) -> Role:
    """Returns the role that includes the most of these."""
    for other in others:
        role = other if ALLOWED[role] < ALLOWED[other] else role
    return role


def name_place(identity: UUID) -> FieldLocation:
    """The field location that the sealed name of an identity is bound to."""
    return FieldLocation("identity.outside_id", identity)


def _listed(tenant: UUID, row: Row) -> ListedKey:
    return from_row(ListedKey, row, key=key_of(tenant, row))
