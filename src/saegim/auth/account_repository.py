"""Accounts, invitations and links to set a new password in Postgres."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.errors import UniqueViolation

from saegim.auth.repository import FIRST_TIME_ZONE, OF_ACCOUNT
from saegim.auth.types import Account, Invitation, KeyParts
from saegim.db.cells import Cells, Row, execute, fetch_all, from_row
from saegim.db.pool import Connection
from saegim.domain.errors import Conflict, NotFound
from saegim.domain.scope import Locale, Role
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.quotas.repository import Quota, Quotas, require_room

NOBODY = UUID(int=0)
# Owner of the key that hashes e-mails over all tenants: no tenant.
SERVER = UUID(int=0)
# Tenants that one e-mail is looked up in.
MOST_TENANTS = 8
MOST_INVITATIONS = 500


@dataclass(frozen=True, slots=True)
class NewAccount:
    """An account to store, with its member."""

    tenant: UUID
    member: UUID
    email: str
    name: str
    role: Role
    groups: Set[str]
    password_hash: str
    locale: Locale


@dataclass(frozen=True, slots=True)
class _Rows:
    """Values of the rows of an account and its member."""

    member: dict[str, object]
    account: dict[str, object]


@dataclass(frozen=True, eq=False)
class PostgresAccounts:
    cells: Cells
    keyring: Keyring
    quotas: Quotas

    async def email_hash(self, email: str) -> bytes:
        """Returns the keyed hash of an e-mail, the same in every tenant."""
        return await self.server_hash(f"email:{email}")

    async def server_hash(self, text: str) -> bytes:
        """Returns a hash that is keyed by this server."""
        return (await self.keyring.tenant(SERVER)).fingerprint(text)

    async def by_email(self, email_hash: bytes) -> list[Account]:
        """Finds the accounts of an e-mail in every tenant."""
        tenants = set[UUID]()
        values = {"email_hash": email_hash, "most": MOST_TENANTS}
        for cell in self.cells.all:
            async with cell.connection() as connection:
                rows = await fetch_all(connection, "accounts_by_email", **values)
            tenants |= {row["owner_id"] for row in rows}
        # One more read where nobody has the e-mail, so that it takes as long.
        found = [await self._find(each, email_hash) for each in sorted(tenants) or [SERVER]]
        return [each for each in found if each is not None]

    async def in_tenant(self, tenant: UUID, email: str) -> Account | None:
        return await self._find(tenant, await self.email_hash(email))

    async def of_member(self, tenant: UUID, member: UUID) -> tuple[Account, bytes] | None:
        """Returns the account of a member, and the hash of its e-mail."""
        row = await self.cells.read_one(tenant, "find_account", member=member)
        return None if row is None else (_account(tenant, row), row["email_hash"])

    async def email_of(self, tenant: UUID, member: UUID) -> str:
        """Raises NotFound."""
        row = await self.cells.read_one(tenant, "read_account_email", member=member)
        if row is None:
            raise NotFound("account")
        cipher = await self.keyring.user(tenant, member)
        return cipher.open(row["email"], FieldLocation("account.email", member))

    async def tenant_name(self, tenant: UUID) -> str:
        """Raises NotFound."""
        row = await self.cells.read_one(tenant, "tenant_name")
        if row is None:
            raise NotFound("tenant")
        return row["name"]

    async def invite(self, invitation: Invitation, token_hash: bytes) -> None:
        """Stores an invitation; it replaces the earlier one of the same e-mail."""
        tenant = invitation.tenant
        cipher = await self.keyring.user(tenant, invitation.member)
        email_hash = await self.email_hash(invitation.email)
        values = {
            "invitation": invitation.id,
            "member": invitation.member,
            "token_hash": token_hash,
            "email": cipher.seal(invitation.email, _place("email", invitation.id)),
            "name": _sealed(cipher, invitation.name, _place("name", invitation.id)),
            "role": invitation.role,
            "groups": sorted(invitation.groups),
            "invited_by": invitation.invited_by,
            "now": invitation.created_at,
            "expires_at": invitation.expires_at,
        }
        async with self.cells.transaction(tenant) as connection:
            hashed = {"tenant": tenant, "email_hash": email_hash}
            await execute(connection, "drop_invitation_by_email", **hashed)
            await execute(connection, "add_invitation", **hashed, **values)

    async def invitations(self, tenant: UUID) -> list[Invitation]:
        """Lists the open invitations, newest first."""
        rows = await self.cells.read(tenant, "list_invitations", most=MOST_INVITATIONS)
        return [await self._invitation(tenant, row) for row in rows]

    async def find_invitation(self, parts: KeyParts) -> Invitation | None:
        row = await self.cells.read_one(
            parts.tenant, "find_invitation", token_hash=parts.secret_hash
        )
        return None if row is None else await self._invitation(parts.tenant, row)

    async def withdraw(self, tenant: UUID, invitation: UUID) -> bool:
        """Deletes an invitation; returns whether it existed."""
        return await self.cells.run_query(tenant, "drop_invitation", invitation=invitation) > 0

    async def accept(self, parts: KeyParts, account: NewAccount, now: datetime) -> bool:
        """Consumes an invitation and stores its account and member; returns False if it was used
        or has expired. Raises Conflict and QuotaExceeded."""
        prepared = await self._prepare(account, now)
        async with self.cells.transaction(account.tenant) as connection:
            values = {"token_hash": parts.secret_hash, "now": now}
            if not await execute(connection, "use_invitation", tenant=account.tenant, **values):
                return False
            await self._add(connection, account, prepared)
        return True

    async def create(self, account: NewAccount, now: datetime) -> None:
        """Stores an account and its member. Raises Conflict and QuotaExceeded."""
        prepared = await self._prepare(account, now)
        async with self.cells.transaction(account.tenant) as connection:
            await self._add(connection, account, prepared)

    async def put_reset_link(
        self, tenant: UUID, member: UUID, made_by: UUID, token_hash: bytes, expires_at: datetime
    ) -> None:
        """Stores a link to set a new password; a member has one at a time."""
        values = {"token_hash": token_hash, "made_by": made_by, "expires_at": expires_at}
        async with self.cells.transaction(tenant) as connection:
            owner = {"tenant": tenant, "member": member}
            await execute(connection, "drop_reset_links", **owner)
            await execute(connection, "add_reset_link", **owner, **values)

    async def find_reset_link(self, parts: KeyParts, now: datetime) -> Account | None:
        """Finds the account of a valid link."""
        values = {"token_hash": parts.secret_hash}
        row = await self.cells.read_one(parts.tenant, "find_reset_link", **values)
        if row is None or row["expires_at"] <= now:
            return None
        found = await self.of_member(parts.tenant, row["member_id"])
        return None if found is None else found[0]

    async def set_password(
        self, account: Account, password_hash: str, now: datetime, but: UUID | None = None
    ) -> None:
        """Replaces a password and ends the sign-ins of the member, but for one."""
        async with self.cells.transaction(account.tenant) as connection:
            await _set_password(connection, account, password_hash, now, but)

    async def reset(
        self, parts: KeyParts, account: Account, password_hash: str, now: datetime
    ) -> bool:
        """Consumes a link and replaces the password; returns False if the link was used."""
        async with self.cells.transaction(parts.tenant) as connection:
            values = {"token_hash": parts.secret_hash, "now": now}
            if not await execute(connection, "use_reset_link", tenant=parts.tenant, **values):
                return False
            await _set_password(connection, account, password_hash, now, None)
        return True

    async def _find(self, tenant: UUID, email_hash: bytes) -> Account | None:
        row = await self.cells.read_one(tenant, "find_account_by_email", email_hash=email_hash)
        return None if row is None else _account(tenant, row)

    async def _prepare(self, account: NewAccount, now: datetime) -> _Rows:
        """Returns the two rows, before the transaction: it may fetch keys."""
        tenant, member = account.tenant, account.member
        cipher = await self.keyring.user(tenant, member)
        known_as = OF_ACCOUNT + account.email
        lookup = await self.keyring.tenant(tenant)
        return _Rows(
            member={
                "user_hash": lookup.fingerprint(f"user:{known_as}"),
                "outside_id": cipher.seal(known_as, FieldLocation("member.outside_id", member)),
                "locale": account.locale,
                "time_zone": FIRST_TIME_ZONE,
                "role": account.role,
                "groups": sorted(account.groups),
                "now": now,
            },
            account={
                "email_hash": await self.email_hash(account.email),
                "email": cipher.seal(account.email, FieldLocation("account.email", member)),
                "name": _sealed(cipher, account.name, FieldLocation("account.name", member)),
                "password_hash": account.password_hash,
                "now": now,
            },
        )

    async def _add(self, connection: Connection, account: NewAccount, rows: _Rows) -> None:
        ids = {"tenant": account.tenant, "member": account.member}
        await require_room(connection, account.tenant, self.quotas, Quota.MEMBERS)
        try:
            await execute(connection, "add_member_of_account", **ids, **rows.member)
            await execute(connection, "add_account", **ids, **rows.account)
        except UniqueViolation as taken:
            raise Conflict("there is an account with this e-mail address") from taken

    async def _invitation(self, tenant: UUID, row: Row) -> Invitation:
        cipher = await self.keyring.user(tenant, row["member_id"])
        identifier: UUID = row["invitation_id"]
        name = row["name"] and cipher.open(row["name"], _place("name", identifier))
        email = cipher.open(row["email"], _place("email", identifier))
        return from_row(Invitation, row, id=identifier, tenant=tenant, email=email, name=name or "")


async def _set_password(
    connection: Connection, account: Account, password_hash: str, now: datetime, but: UUID | None
) -> None:
    owner = {"tenant": account.tenant, "member": account.member}
    await execute(connection, "set_password", **owner, password_hash=password_hash, now=now)
    await execute(connection, "drop_reset_links", **owner)
    await execute(connection, "end_other_sign_ins", **owner, now=now, but=but or NOBODY)


def _account(tenant: UUID, row: Row) -> Account:
    return from_row(Account, row, tenant=tenant)


def _place(column: str, invitation: UUID) -> FieldLocation:
    return FieldLocation(f"invitation.{column}", invitation)


def _sealed(cipher: Cipher, text: str, place: FieldLocation) -> bytes | None:
    return cipher.seal(text, place) if text else None
