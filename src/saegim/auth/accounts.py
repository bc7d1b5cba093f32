"""Accounts with e-mail and password: invitations, sign-in, new passwords."""

import re
import secrets
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from saegim.auth.account_repository import NewAccount, PostgresAccounts
from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.passwords import Passwords, same_text
from saegim.auth.throttle import Attempt, SignInThrottle
from saegim.auth.types import Account, Invitation, KeyParts, mint_link, parse_link
from saegim.domain import pending_audit_event
from saegim.domain.errors import (
    AuthenticationRequired,
    Conflict,
    Invalid,
    NotFound,
    PermissionDenied,
    WrongPassword,
)
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import OF_PEOPLE, Permission, require
from saegim.domain.scope import Caller, CredentialKind, Locale, Role

INVITED_FOR = timedelta(days=7)
RESET_FOR = timedelta(hours=24)
LONGEST_EMAIL = 254
_EMAIL = re.compile(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+")
_BROWSER = re.compile(r"(?P<nonce>[A-Za-z0-9_-]{22})\.(?P<proof>[0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class InvitationOrder:
    """An invitation to create."""

    email: str
    role: Role = Role.MEMBER
    groups: Set[str] = frozenset()
    name: str = ""


@dataclass(frozen=True, slots=True)
class NewLink:
    """A new link. `token` is its secret, which is not stored."""

    id: UUID
    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class OpenedLink:
    """What the page of a link shows before the password is chosen."""

    tenant: UUID
    tenant_name: str
    member: UUID
    email: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class SignInRequest:
    """An attempt to sign in: `address` is the network that it comes from, `browser` the cookie of
    an earlier sign-in, `tenant` the choice of somebody with several accounts."""

    email: str
    password: str
    address: str | None = None
    browser: str | None = None
    tenant: UUID | None = None


@dataclass(frozen=True, slots=True)
class Organisation:
    """A tenant to choose, for somebody with accounts in several."""

    id: UUID
    name: str


@dataclass(frozen=True, eq=False)
class Accounts:
    store: PostgresAccounts
    members: PostgresMembers
    passwords: Passwords
    throttle: SignInThrottle
    clock: Clock
    grants: Grants = GRANTS

    # Invitations -----------------------------------------------------------------------------

    async def invite(self, caller: Caller, order: InvitationOrder) -> NewLink:
        """Creates an invitation. Raises Invalid, Conflict if there is such an account, and
        PermissionDenied for a role or group that the caller may not grant."""
        require(caller, Permission.MANAGE_MEMBERS)
        tenant, now, email = caller.scope.tenant, self.clock.now(), normalised_email(order.email)
        if order.role not in OF_PEOPLE:
            raise Invalid("this role is for keys")
        self.grants.invite(caller, order.role, order.groups)
        if await self.store.in_tenant(tenant, email) is not None:
            raise Conflict("there is an account with this e-mail address")
        invitation = Invitation(
            id=new_id(now),
            tenant=tenant,
            member=new_id(now),
            email=email,
            name=order.name.strip(),
            role=order.role,
            groups=order.groups,
            invited_by=caller.scope.user,
            created_at=now,
            expires_at=now + INVITED_FOR,
        )
        token, token_hash = mint_link("invitation", tenant)
        pending_audit_event.about(invitation.id)
        await self.store.invite(invitation, token_hash)
        return NewLink(invitation.id, token, invitation.expires_at)

    async def invitations(self, caller: Caller) -> list[Invitation]:
        """Lists the invitations that nobody has accepted, newest first."""
        require(caller, Permission.MANAGE_MEMBERS)
        return await self.store.invitations(caller.scope.tenant)

    async def withdraw(self, caller: Caller, invitation: UUID) -> None:
        """Raises NotFound."""
        require(caller, Permission.MANAGE_MEMBERS)
        if not await self.store.withdraw(caller.scope.tenant, invitation):
            raise NotFound("invitation")

    async def open_invitation(self, token: str) -> OpenedLink:
        """Returns what an invitation is for. Raises NotFound if it is invalid, used or expired."""
        _, invitation = await self._invitation(token)
        return OpenedLink(
            invitation.tenant,
            await self.store.tenant_name(invitation.tenant),
            invitation.member,
            invitation.email,
            invitation.name,
        )

    async def accept(self, token: str, name: str, password: str, locale: Locale) -> Account:
        """Opens the account of an invitation. Raises NotFound, WeakPassword and Conflict."""
        parts, invitation = await self._invitation(token)
        password_hash = await self.passwords.hash(password)
        account = NewAccount(
            tenant=invitation.tenant,
            member=invitation.member,
            email=invitation.email,
            name=name.strip() or invitation.name,
            role=invitation.role,
            groups=invitation.groups,
            password_hash=password_hash,
            locale=locale,
        )
        if not await self.store.accept(parts, account, self.clock.now()):
            raise NotFound("invitation")
        return Account(account.tenant, account.member, password_hash, disabled=False)

    # New passwords ---------------------------------------------------------------------------

    async def make_reset_link(self, caller: Caller, member: UUID) -> NewLink:
        """Creates a link with which a member chooses a new password. Raises NotFound, Conflict for
        a member without an account, and PermissionDenied for one with more permissions."""
        require(caller, Permission.MANAGE_MEMBERS)
        tenant, now = caller.scope.tenant, self.clock.now()
        self.grants.change_member(caller, await self.members.standings(tenant, member, now), None)
        if await self.store.of_member(tenant, member) is None:
            raise Conflict("this member has no account")
        token, token_hash = mint_link("reset", tenant)
        expires_at = now + RESET_FOR
        pending_audit_event.about(member)
        await self.store.put_reset_link(tenant, member, caller.scope.user, token_hash, expires_at)
        return NewLink(member, token, expires_at)

    async def open_reset(self, token: str) -> OpenedLink:
        """Returns whose password a link sets. Raises NotFound if it is invalid, used or expired."""
        _, account = await self._reset(token)
        name = await self.store.tenant_name(account.tenant)
        email = await self.store.email_of(account.tenant, account.member)
        return OpenedLink(account.tenant, name, account.member, email)

    async def reset(self, token: str, password: str) -> Account:
        """Sets the password of a link and ends every sign-in of the member. Raises NotFound and
        WeakPassword."""
        parts, account = await self._reset(token)
        password_hash = await self.passwords.hash(password)
        if not await self.store.reset(parts, account, password_hash, self.clock.now()):
            raise NotFound("link")
        return Account(account.tenant, account.member, password_hash, disabled=False)

    async def change_password(
        self, caller: Caller, current: str, new: str, sign_in: UUID | None
    ) -> None:
        """Replaces the caller's password and ends the other sign-ins. Raises PermissionDenied
        without an account, WrongPassword, WeakPassword and LimitReached."""
        require(caller, Permission.OWN_DATA)
        tenant, member = caller.scope.tenant, caller.scope.user
        found = await self.store.of_member(tenant, member)
        if caller.credential is not CredentialKind.ACCOUNT or found is None:
            raise PermissionDenied("sign in with e-mail and password to change the password")
        account, email_hash = found
        # Counted by the sign-in, like a browser that was here before.
        attempt = Attempt(email_hash.hex(), browser=None if sign_in is None else sign_in.hex)
        await self.throttle.count(attempt)
        if not await self.passwords.matches(account.password_hash, current):
            raise WrongPassword
        await self.throttle.forgive(attempt)
        password_hash = await self.passwords.hash(new)
        pending_audit_event.about(member)
        await self.store.set_password(account, password_hash, self.clock.now(), sign_in)

    # Sign-in ---------------------------------------------------------------------------------

    async def verify(self, request: SignInRequest) -> list[Account]:
        """Returns the accounts that this e-mail and password open: several if one person has the
        same password in several tenants. Raises LimitReached, and AuthenticationRequired alike for
        unknown e-mails, wrong passwords and disabled members."""
        email_hash = await self.store.email_hash(_plain_email(request.email))
        attempt = await self._attempt(request, email_hash)
        await self.throttle.count(attempt)
        opened = [
            account
            for account in await self.store.by_email(email_hash) or [None]
            if await self._opens(account, request) and account is not None
        ]
        if not opened:
            raise AuthenticationRequired
        await self.throttle.forgive(attempt)
        return opened

    async def organisations(self, accounts: Sequence[Account]) -> list[Organisation]:
        """Returns the tenants of several accounts, for a choice."""
        return [
            Organisation(each.tenant, await self.store.tenant_name(each.tenant))
            for each in accounts
        ]

    async def affected(self, email: str) -> list[Account]:
        """Returns the accounts of an e-mail, to record a failed sign-in."""
        return await self.store.by_email(await self.store.email_hash(_plain_email(email)))

    async def browser_cookie(self, account: Account) -> str:
        """Returns a cookie that proves that this browser has signed in to the account."""
        found = await self.store.of_member(account.tenant, account.member)
        nonce = secrets.token_urlsafe(16)
        return f"{nonce}.{await self._proof(nonce, found[1] if found else b'')}"

    async def _opens(self, account: Account | None, request: SignInRequest) -> bool:
        stored = None if account is None else account.password_hash
        matches = await self.passwords.matches(stored, request.password)
        chosen = account is not None and request.tenant in (None, account.tenant)
        return matches and chosen and account is not None and not account.disabled

    async def _attempt(self, request: SignInRequest, email_hash: bytes) -> Attempt:
        address = None
        if request.address:
            address = (await self.store.server_hash(f"address:{request.address}")).hex()
        match = _BROWSER.fullmatch(request.browser or "")
        known = match is not None and same_text(
            match["proof"], await self._proof(match["nonce"], email_hash)
        )
        return Attempt(email_hash.hex(), address, match["nonce"] if match and known else None)

    async def _proof(self, nonce: str, email_hash: bytes) -> str:
        return (await self.store.server_hash(f"browser:{nonce}:{email_hash.hex()}")).hex()

    async def _invitation(self, token: str) -> tuple[KeyParts, Invitation]:
        parts = parse_link("invitation", token)
        invitation = None if parts is None else await self.store.find_invitation(parts)
        if parts is None or invitation is None or invitation.expires_at <= self.clock.now():
            raise NotFound("invitation")
        return parts, invitation

    async def _reset(self, token: str) -> tuple[KeyParts, Account]:
        parts, now = parse_link("reset", token), self.clock.now()
        account = None if parts is None else await self.store.find_reset_link(parts, now)
        if parts is None or account is None or account.disabled:
            raise NotFound("link")
        return parts, account


def normalised_email(text: str) -> str:
    """Returns an e-mail address in the form that is compared. Raises Invalid."""
    email = _plain_email(text)
    if len(email) > LONGEST_EMAIL or _EMAIL.fullmatch(email) is None:
        raise Invalid("not an e-mail address")
    return email


def _plain_email(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().lower()
