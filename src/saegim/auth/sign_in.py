"""Browser sign-ins: a credential in an encrypted cookie.

A cookie is valid for 12 hours, until its sign-in ends or its credential becomes invalid. Choosing
another profile or assistant does not extend it."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from saegim.auth import tokens
from saegim.auth.passwords import same_text
from saegim.auth.service import Access
from saegim.auth.token_seal import KeyringTokenSeal
from saegim.auth.types import Account, ActAs
from saegim.db.cells import Cells, execute
from saegim.domain import pending_audit_event
from saegim.domain.errors import AuthenticationRequired, Invalid, NotFound, PermissionDenied
from saegim.domain.ids import Clock
from saegim.domain.scope import Caller


class PostgresSignIns:
    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    async def add(
        self, tenant: UUID, sign_in: UUID, member: UUID, now: datetime, expires_at: datetime
    ) -> None:
        """Stores a new sign-in and deletes expired ones of the member."""
        owner = {"tenant": tenant, "member": member, "now": now}
        async with self._cells.transaction(tenant) as connection:
            await execute(connection, "drop_old_sign_ins", **owner)
            values = {"sign_in": sign_in, "expires_at": expires_at}
            await execute(connection, "add_sign_in", **owner, **values)

    async def add_with_account(
        self, account: Account, sign_in: UUID, now: datetime, expires_at: datetime
    ) -> bool:
        """Stores a new sign-in, as `add` does; returns False if the password is another one by
        now."""
        owner = {"tenant": account.tenant, "member": account.member, "now": now}
        async with self._cells.transaction(account.tenant) as connection:
            await execute(connection, "drop_old_sign_ins", **owner)
            values = {"sign_in": sign_in, "expires_at": expires_at}
            values |= {"password_hash": account.password_hash}
            return await execute(connection, "add_account_sign_in", **owner, **values) > 0

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_in", sign_in=sign_in, now=at)

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        await self._cells.run_query(tenant, "end_sign_ins_of_member", member=member, now=at)


PREFIX = "sgs"
LASTS = timedelta(hours=12)
# Browsers silently drop cookies over 4,096 bytes.
LONGEST_COOKIE = 3_800


@dataclass(frozen=True, slots=True)
class SignIn:
    """The content of the cookie: a credential, or the member of an account; the user and assistant;
    and the CSRF token that every change must send."""

    credential: str
    user: str | None
    profile: str | None
    tenant: str | None
    csrf: str
    expires_at: datetime
    id: UUID
    assistant: UUID | None = None
    member: UUID | None = None

    @property
    def act_as(self) -> ActAs:
        return ActAs(
            user=self.user,
            profile=self.profile,
            tenant=self.tenant,
            assistant=self.assistant,
            sign_in=self.id,
        )

    def require_shown(self, csrf: str | None) -> None:
        """Raises PermissionDenied unless the CSRF token matches."""
        if csrf is None or not same_text(csrf, self.csrf):
            raise PermissionDenied("the request did not come from a Saegim page")


class SignIns:
    def __init__(
        self, access: Access, seal: KeyringTokenSeal, store: PostgresSignIns, clock: Clock
    ) -> None:
        self._access = access
        self._seal = seal
        self._store = store
        self._clock = clock

    async def begin(self, credential: str, act_as: ActAs) -> str:
        """Signs in and returns the cookie. Raises as `authenticate` does."""
        caller, now = await self._access.authenticate(credential, act_as), self._clock.now()
        sign_in = self._new(
            credential=credential,
            user=act_as.user,
            profile=act_as.profile,
            tenant=act_as.tenant,
            assistant=act_as.assistant,
        )
        cookie = await self._cookie(caller, sign_in)
        scope = caller.scope
        pending_audit_event.about(sign_in.id)
        await self._store.add(scope.tenant, sign_in.id, scope.user, now, sign_in.expires_at)
        return cookie

    async def account_caller(self, account: Account) -> Caller:
        """Returns the caller that an account signs in. Raises AuthenticationRequired."""
        return await self._access.of_account(account.tenant, account.member, ActAs())

    async def begin_with_account(self, account: Account) -> str:
        """Signs in and returns the cookie. Raises AuthenticationRequired, also if the password was
        changed since it was verified."""
        caller, now = await self.account_caller(account), self._clock.now()
        sign_in = self._new(tenant=str(account.tenant), member=account.member)
        cookie = await self._cookie(caller, sign_in)
        pending_audit_event.about(sign_in.id)
        if not await self._store.add_with_account(account, sign_in.id, now, sign_in.expires_at):
            raise AuthenticationRequired
        return cookie

    async def switch(self, sign_in: SignIn, profile: str) -> str:
        """Returns the cookie with another profile, which is created if it is new. Raises as
        `authenticate` does."""
        return await self._changed(replace(sign_in, profile=profile))

    async def choose(self, sign_in: SignIn, assistant: UUID) -> str:
        """Returns the cookie with another assistant. Raises as `authenticate` does."""
        return await self._changed(replace(sign_in, assistant=assistant))

    async def end(self, caller: Caller, sign_in: SignIn) -> None:
        """Signs out; copies of the cookie become invalid, too."""
        await self._store.end(caller.scope.tenant, sign_in.id, self._clock.now())

    async def end_all(self, caller: Caller) -> None:
        """Signs the user out in every browser."""
        await self._store.end_all(caller.scope.tenant, caller.scope.user, self._clock.now())

    async def open(self, cookie: str) -> SignIn:
        """Decrypts a cookie. Raises AuthenticationRequired if it is invalid or expired."""
        parts = tokens.parse(cookie, PREFIX)
        if parts is None:
            raise AuthenticationRequired
        text = await self._seal.open("sign_in", parts.tenant, parts.key, parts.sealed)
        sign_in = tokens.from_text(SignIn, text)
        if sign_in is None or sign_in.expires_at <= self._clock.now():
            raise AuthenticationRequired
        return sign_in

    async def caller(self, sign_in: SignIn) -> Caller:
        """Authenticates the sign-in again, so that a revoked key ends it. Uses the assistant of the
        credential if the chosen one is no longer available."""
        try:
            return await self.caller_with(sign_in, sign_in.assistant)
        except NotFound:
            return await self.caller_with(sign_in, None)

    async def caller_with(self, sign_in: SignIn, assistant: UUID | None) -> Caller:
        """Authenticates with this assistant. Raises NotFound if the user may not use it."""
        return await self._authenticate(sign_in, replace(sign_in.act_as, assistant=assistant))

    async def _changed(self, sign_in: SignIn) -> str:
        return await self._cookie(await self._authenticate(sign_in, sign_in.act_as), sign_in)

    async def _authenticate(self, sign_in: SignIn, act_as: ActAs) -> Caller:
        if sign_in.member is None:
            return await self._access.authenticate(sign_in.credential, act_as)
        return await self._access.of_account(UUID(sign_in.tenant or ""), sign_in.member, act_as)

    def _new(
        self,
        credential: str = "",
        user: str | None = None,
        profile: str | None = None,
        tenant: str | None = None,
        assistant: UUID | None = None,
        member: UUID | None = None,
    ) -> SignIn:
        return SignIn(
            credential=credential,
            user=user,
            profile=profile,
            tenant=tenant,
            csrf=secrets.token_urlsafe(24),
            expires_at=self._clock.now() + LASTS,
            id=uuid4(),
            assistant=assistant,
            member=member,
        )

    async def _cookie(self, caller: Caller, sign_in: SignIn) -> str:
        tenant = caller.scope.tenant
        sealed = await self._seal.seal("sign_in", tenant, caller.key, tokens.to_text(sign_in))
        cookie = tokens.write(tenant, caller.key, sealed, PREFIX)
        if len(cookie) > LONGEST_COOKIE:
            raise Invalid("the credential is too long for a cookie")
        return cookie
