"""The first set-up in a browser: the first tenant and its owner.

A server without tenants prints a link with a code; several processes print one each. Using one ends
them all, for good."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from saegim.auth.account_repository import NewAccount, PostgresAccounts
from saegim.auth.accounts import normalised_email
from saegim.auth.passwords import Passwords
from saegim.auth.tenants import Tenants
from saegim.auth.throttle import Attempt, SignInThrottle
from saegim.auth.types import Account
from saegim.db.cells import HOME_CELL, Cells, execute, fetch_one
from saegim.domain.errors import Conflict, Invalid, SetUpRefused
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller, Locale, Role

CODE_FOR = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class SetUpOrder:
    """The first tenant and its owner."""

    code: str
    organisation: str
    name: str
    email: str
    password: str
    language: Locale


@dataclass(frozen=True, slots=True)
class SetUpProgress:
    """What a new tenant has: documents, other people, and a first question."""

    documents: bool
    members: bool
    asked: bool


class SetUp:
    def __init__(
        self,
        cells: Cells,
        tenants: Tenants,
        accounts: PostgresAccounts,
        passwords: Passwords,
        throttle: SignInThrottle,
        clock: Clock,
    ) -> None:
        self._cells = cells
        self._tenants = tenants
        self._accounts = accounts
        self._passwords = passwords
        self._throttle = throttle
        self._clock = clock
        self._done = False

    async def needed(self) -> bool:
        """Returns whether there is no tenant yet and nobody has used a code."""
        if not self._done:
            for cell in self._cells.all:
                async with cell.connection() as connection:
                    row = await fetch_one(connection, "set_up_done")
                assert row is not None, "the query returns one row"
                self._done = self._done or row["done"]
        return not self._done

    async def new_code(self) -> str:
        """Returns a new code. Only its hash is stored."""
        code, now = secrets.token_urlsafe(24), self._clock.now()
        values = {"code_hash": _hash(code), "expires_at": now + CODE_FOR}
        async with self._cells.home.connection() as connection:
            await execute(connection, "add_set_up_code", **values)
        return code

    async def accepts(self, code: str, address: str = "") -> bool:
        """Returns whether a code can be used. Raises LimitReached after many wrong ones from a
        network."""
        attempt = None
        if address:
            address_hash = await self._accounts.server_hash(f"address:{address}")
            attempt = Attempt(address=address_hash.hex())
            await self._throttle.count(attempt)
        values = {"code_hash": _hash(code), "now": self._clock.now()}
        async with self._cells.home.connection() as connection:
            row = await fetch_one(connection, "find_set_up_code", **values)
        accepted = row is not None and await self.needed()
        if accepted and attempt is not None:
            await self._throttle.forgive(attempt)
        return accepted

    async def create(self, order: SetUpOrder, address: str = "") -> Account:
        """Creates the tenant, its first assistant and the owner's account. Raises Conflict if there
        is a tenant, SetUpRefused for a wrong code, LimitReached, Invalid and WeakPassword."""
        if not await self.needed():
            raise Conflict("Saegim is already set up")
        if not await self.accepts(order.code, address):
            raise SetUpRefused
        organisation, name = order.organisation.strip(), order.name.strip()
        if not organisation or not name:
            raise Invalid("the organisation and the name must not be empty")
        email = normalised_email(order.email)
        password_hash, now = await self._passwords.hash(order.password), self._clock.now()
        used = {"code_hash": _hash(order.code), "now": now}
        async with self._cells.home.connection() as connection, connection.transaction():
            # Others who use a code at the same time wait here, and then find it used.
            if not await execute(connection, "use_set_up_code", **used):
                raise SetUpRefused
            return await self._create(organisation, name, email, password_hash, order.language, now)

    async def progress(self, caller: Caller) -> SetUpProgress:
        """Returns what the caller's tenant has already."""
        require(caller, Permission.MANAGE_KEYS)
        row = await self._cells.read_one(caller.scope.tenant, "set_up_progress")
        assert row is not None, "the query returns one row"
        return SetUpProgress(**row)

    async def _create(
        self,
        organisation: str,
        name: str,
        email: str,
        password_hash: str,
        language: Locale,
        now: datetime,
    ) -> Account:
        tenant, _ = await self._tenants.create_without_key(organisation, language, HOME_CELL)
        account = NewAccount(
            tenant=tenant.id,
            member=new_id(now),
            email=email,
            name=name,
            role=Role.OWNER,
            groups=frozenset(),
            password_hash=password_hash,
            locale=language,
        )
        await self._accounts.create(account, now)
        return Account(tenant.id, account.member, password_hash, disabled=False)


def _hash(code: str) -> bytes:
    return sha256(code.strip().encode("utf-8", "surrogatepass")).digest()
