"""Tenants, assistants, keys and members in Postgres."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from saegim.auth.types import AppKey, MemberProfile, Membership, MintedKey
from saegim.db.cells import Cells, Row, execute, from_row
from saegim.domain.errors import Invalid, NotFound
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Locale, Role
from saegim.domain.tenancy import Assistant, Tenant
from saegim.encryption.cipher import FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.encryption.types import KeyDestroyed
from saegim.llm.ports import Embedder
from saegim.quotas.repository import Quota, Quotas, require_room

FIRST_LOCALE: Locale = "ko"
FIRST_TIME_ZONE = "Asia/Seoul"
MEMORY_INDEX = "memory"
LIBRARY_INDEX = "library"
NOTE_USE = timedelta(minutes=10)
# Of the members of accounts, apart from the names that other systems send.
OF_ACCOUNT = "account:"


@dataclass(frozen=True, eq=False)
class PostgresAccess:
    cells: Cells
    keyring: Keyring
    embedder: Embedder
    clock: Clock
    quotas: Quotas

    async def find_key(self, tenant: UUID, secret_hash: bytes) -> AppKey | None:
        """Finds a key by the hash of its secret, valid or not."""
        return await self._key(tenant, "find_key", {"secret_hash": secret_hash})

    async def find_key_by_id(self, tenant: UUID, key: UUID) -> AppKey | None:
        """Finds a key by ID, valid or not."""
        return await self._key(tenant, "find_key_by_id", {"key": key})

    async def tenant_exists(self, tenant: UUID) -> bool:
        return await self.cells.read_one(tenant, "find_tenant") is not None

    async def person(
        self, tenant: UUID, user: str, profile: str, sign_in: UUID | None = None
    ) -> MemberProfile:
        """Returns the member with the external ID `user` and a profile; creates both on first use.
        The same read checks whether the sign-in is still valid."""
        lookup = await self.keyring.tenant(tenant)
        user_hash = lookup.fingerprint(f"user:{user}")
        profile_hash = lookup.fingerprint(f"profile:{profile}")
        find = {"user_hash": user_hash, "profile_hash": profile_hash, "sign_in": sign_in}
        cell = await self.cells.for_tenant(tenant)
        linked, rows = await cell.read_together(
            tenant, ("find_linked", {"user_hash": user_hash}), ("find_person", find)
        )
        row = rows[0] if rows else None
        if linked:
            member: UUID = linked[0]["member_id"]
            person = await self.person_of_key(tenant, member, profile, sign_in)
            return replace(person, own=_standing(row))
        if row is None:
            await self._add_member(tenant, user, user_hash)
            row = await self.cells.read_one(tenant, "find_person", **find)
        return await self._in_profile(tenant, row, profile, profile_hash)

    async def account_name(self, tenant: UUID, member: UUID) -> str:
        """Returns the name that a member gave in its account; empty without one."""
        row = await self.cells.read_one(tenant, "names_of_members", members=[member])
        if row is None or row["account_name"] is None:
            return ""
        try:
            cipher = await self.keyring.user(tenant, member)
        except KeyDestroyed:
            return ""
        return cipher.open(row["account_name"], FieldLocation("account.name", member))

    async def arrive(self, tenant: UUID, member: UUID) -> None:
        """Notes that a person signs in for the first time, and revokes the keys that others made
        for the name before."""
        await self.cells.run_query(tenant, "arrive", member=member, now=self.clock.now())

    async def known(self, tenant: UUID, user: str) -> UUID | None:
        """Returns the member with the external ID `user`, if there is one."""
        lookup = await self.keyring.tenant(tenant)
        find = {"user_hash": lookup.fingerprint(f"user:{user}")}
        row = await self.cells.read_one(tenant, "find_linked", **find)
        row = row or await self.cells.read_one(tenant, "find_known", **find)
        return None if row is None else row["member_id"]

    async def person_of_key(
        self, tenant: UUID, member: UUID, profile: str, sign_in: UUID | None = None
    ) -> MemberProfile:
        """Returns the member of a key and a profile, which is created on first use. The same read
        checks whether the sign-in is still valid."""
        profile_hash = (await self.keyring.tenant(tenant)).fingerprint(f"profile:{profile}")
        find = {"member": member, "profile_hash": profile_hash, "sign_in": sign_in}
        row = await self.cells.read_one(tenant, "find_person_by_member", **find)
        return await self._in_profile(tenant, row, profile, profile_hash)

    async def assistant(self, tenant: UUID, assistant: UUID) -> Assistant:
        """Raises NotFound."""
        row = await self.cells.read_one(tenant, "find_assistant", assistant=assistant)
        if row is None:
            raise NotFound("assistant")
        return from_row(Assistant, row, id=assistant, tenant=tenant)

    async def create_tenant(self, tenant: Tenant, cell: str) -> None:
        """Stores the tenant and adds it to the directory."""
        now = self.clock.now()
        async with self.cells.home.transaction(tenant.id) as connection:
            await execute(connection, "set_cell", tenant=tenant.id, cell=cell, now=now)
        home = await self.cells.for_tenant(tenant.id)
        async with home.transaction(tenant.id) as connection:
            await execute(connection, "add_tenant", tenant=tenant.id, name=tenant.name, now=now)
            # The search index is created with the first document.
            for subject, version in ((MEMORY_INDEX, 1), (LIBRARY_INDEX, 0)):
                await execute(
                    connection,
                    "add_index_state",
                    tenant=tenant.id,
                    subject=subject,
                    index_version=version,
                    embedder=self.embedder.name,
                    dimensions=self.embedder.dimensions,
                    now=now,
                )

    async def create_assistant(self, assistant: Assistant) -> None:
        async with self.cells.transaction(assistant.tenant) as connection:
            await execute(
                connection,
                "add_assistant",
                tenant=assistant.tenant,
                assistant=assistant.id,
                name=assistant.name,
                persona=assistant.persona,
                policy=assistant.policy,
                locale=assistant.locale,
                now=self.clock.now(),
            )
            for collection in assistant.collections:
                await execute(
                    connection,
                    "add_assistant_collection",
                    tenant=assistant.tenant,
                    assistant=assistant.id,
                    collection=collection,
                )

    async def assistants(self, tenant: UUID) -> tuple[UUID, ...]:
        """Returns the IDs of the tenant's assistants, oldest first."""
        rows = await self.cells.fetch_all(tenant, "list_assistants")
        return tuple(row["assistant_id"] for row in rows)

    async def create_collection(self, tenant: UUID, collection: UUID, name: str) -> None:
        """Stores a collection that every member of the tenant may read."""
        values = {"collection": collection, "name": name, "now": self.clock.now()}
        await self.cells.run_query(tenant, "add_collection", **values)

    async def create_key(self, key: AppKey, name: str, minted: MintedKey) -> None:
        """Stores a key by the hash of its secret."""
        values = key_values(key, name, minted)
        now = self.clock.now()
        await self.cells.run_query(key.tenant, "add_key", **values, replaces=None, now=now)

    async def _key(self, tenant: UUID, name: str, values: Mapping[str, object]) -> AppKey | None:
        """Finds a key and records from time to time that it is in use."""
        row, now = await self.cells.read_one(tenant, name, **values), self.clock.now()
        if row is None:
            return None
        if row["used_at"] is None or row["used_at"] < now - NOTE_USE:
            await self.cells.run_query(tenant, "note_key_use", key=row["key_id"], now=now)
        return key_of(tenant, row)

    async def _add(
        self, tenant: UUID, quota: Quota, name: str, values: Mapping[str, object], **of: object
    ) -> None:
        async with self.cells.transaction(tenant) as connection:
            await require_room(connection, tenant, self.quotas, quota, **of)
            await execute(connection, name, tenant=tenant, **values)

    async def _add_member(self, tenant: UUID, user: str, user_hash: bytes) -> None:
        if user.startswith(OF_ACCOUNT):
            raise Invalid("this name belongs to an account that does not exist yet")
        now = self.clock.now()
        member = new_id(now)
        cipher = await self.keyring.user(tenant, member)
        values = {
            "member": member,
            "user_hash": user_hash,
            "outside_id": cipher.seal(user, FieldLocation("member.outside_id", member)),
            "locale": FIRST_LOCALE,
            "time_zone": FIRST_TIME_ZONE,
            "now": now,
        }
        await self._add(tenant, Quota.MEMBERS, "add_member", values)

    async def _in_profile(
        self, tenant: UUID, row: Row | None, profile: str, profile_hash: bytes
    ) -> MemberProfile:
        if row is None:
            raise NotFound("user")
        member: UUID = row["member_id"]
        if row["profile_id"] is None:
            await self._add_profile(tenant, member, profile, profile_hash)
            find = {"member": member, "profile_hash": profile_hash, "sign_in": None}
            found = await self.cells.read_one(tenant, "find_person_by_member", **find)
            assert found is not None, "a member whose profile was just added is there"
            row = row | found | {"signed_in": row["signed_in"]}
        return from_row(MemberProfile, row, disabled=row["disabled_at"] is not None)

    async def _add_profile(
        self, tenant: UUID, member: UUID, profile: str, profile_hash: bytes
    ) -> None:
        now = self.clock.now()
        identifier = new_id(now)
        cipher = await self.keyring.user(tenant, member)
        values = {
            "profile": identifier,
            "member": member,
            "profile_hash": profile_hash,
            "name": cipher.seal(profile, FieldLocation("profile.name", identifier)),
            "now": now,
        }
        await self._add(tenant, Quota.PROFILES, "add_profile", values, member=member)


def key_values(key: AppKey, name: str, minted: MintedKey) -> dict[str, object]:
    """Returns the values of the query `add_key`, without `replaces` and `now`."""
    return {
        "key": key.id,
        "prefix": minted.prefix,
        "secret_hash": minted.secret_hash,
        "name": name,
        "role": key.role,
        "act_as": key.may_act_as,
        "member": key.member,
        "assistant": key.assistant,
        "groups": sorted(key.groups),
        "scopes": None if key.scopes is None else sorted(key.scopes),
        "made_by": key.made_by,
        "expires_at": key.expires_at,
    }


def key_of(tenant: UUID, row: Row) -> AppKey:
    return from_row(AppKey, row, id=row["key_id"], tenant=tenant)


def _standing(row: Row | None) -> Membership:
    """Returns the own membership of a linked identity; plain member if it was deleted."""
    return Membership(Role.MEMBER) if row is None else from_row(Membership, row)
