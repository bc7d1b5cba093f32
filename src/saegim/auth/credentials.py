"""Creates, rotates and revokes API keys, and mints user tokens."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from saegim.auth import tokens
from saegim.auth.credential_repository import PostgresKeyStore, PostgresMembers
from saegim.auth.grants import GRANTS, Grants, KeyRights
from saegim.auth.repository import PostgresAccess
from saegim.auth.service import DEFAULT_PROFILE
from saegim.auth.token_seal import KeyringTokenSeal
from saegim.auth.types import AppKey, ListedKey, Membership, mint_key
from saegim.domain import pending_audit_event
from saegim.domain.errors import Conflict, Invalid, PermissionDenied
from saegim.domain.ids import Clock, new_id
from saegim.domain.policy import Permission, permissions, require
from saegim.domain.scope import Caller, CredentialKind, Role

USUAL_OVERLAP = timedelta(days=1)
LONGEST_OVERLAP = timedelta(days=30)
NOBODY = UUID(int=0)


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """A key to create: `mine`, bound to `user`, or able to act as any user. `reason` is required if
    the key can read data of others."""

    name: str
    role: Role
    assistant: UUID | None = None
    user: str | None = None
    mine: bool = False
    scopes: Set[str] | None = None
    groups: Set[str] = frozenset()
    expires_at: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TokenOrder:
    """A token to mint for the user of the request."""

    profile: str
    seconds: int = tokens.USUAL_SECONDS
    assistant: UUID | None = None
    origins: Sequence[str] = ()
    groups: Set[str] = frozenset()
    may: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class MintedCredential:
    """A new credential. `text` contains the secret, which is not stored. `member` is the member
    that it is bound to, unless the caller."""

    id: UUID
    text: str
    expires_at: datetime | None
    member: UUID | None = None


@dataclass(frozen=True, eq=False)
class Credentials:
    access: PostgresAccess
    store: PostgresKeyStore
    members: PostgresMembers
    seal: KeyringTokenSeal
    clock: Clock
    grants: Grants = GRANTS

    async def list(self, caller: Caller, before: UUID | None, most: int) -> Sequence[ListedKey]:
        """Lists the tenant's keys, newest first, after `before`."""
        require(caller, Permission.MANAGE_KEYS)
        return await self._named(caller, await self.store.keys(caller.scope.tenant, before, most))

    async def of_caller(self, caller: Caller) -> Sequence[ListedKey]:
        """Lists the valid keys that are bound to the caller, whoever made them."""
        owner, now = caller.scope, self.clock.now()
        return await self._named(caller, await self.store.keys_of(owner.tenant, owner.user, now))

    async def _named(self, caller: Caller, keys: Sequence[ListedKey]) -> Sequence[ListedKey]:
        people = {one for each in keys for one in (each.key.member, each.key.made_by) if one}
        names = await self.members.names(caller.scope.tenant, people)
        return [
            replace(
                each,
                member_name=each.key.member and names.get(each.key.member),
                made_by_name=each.key.made_by and names.get(each.key.made_by),
            )
            for each in keys
        ]

    async def create(self, caller: Caller, order: KeyOrder) -> MintedCredential:
        """Creates a key. Raises PermissionDenied if it had more permissions than the caller."""
        require(caller, Permission.MANAGE_KEYS)
        _check_scopes(order.role, order.scopes)
        if order.role is Role.MINTER and (order.mine or order.user is not None):
            raise Invalid("a key that mints tokens cannot be bound to one user")
        tenant, now = caller.scope.tenant, self.clock.now()
        member = caller.scope.user if order.mine else None
        if order.user is not None:
            member = await self.access.known(tenant, order.user)
        standing = Membership(order.role, order.scopes, order.groups)
        for_anyone = order.user is None and not order.mine
        holder = None if for_anyone else member or NOBODY
        self.grants.make_key(caller, KeyRights(standing, holder, order.reason))
        if order.expires_at is not None and order.expires_at <= now:
            raise Invalid("expires_at is in the past")
        assistant = order.assistant or caller.assistant
        await self.access.assistant(tenant, assistant)
        if order.user is not None:
            person = await self.access.person(tenant, order.user, DEFAULT_PROFILE)
            member = person.member
        key = AppKey(
            id=new_id(now),
            tenant=tenant,
            role=order.role,
            member=member,
            assistant=assistant,
            groups=order.groups,
            expires_at=order.expires_at,
            revoked_at=None,
            scopes=order.scopes,
            made_by=caller.scope.user,
        )
        minted = mint_key(tenant)
        made = _minted(caller, key, minted.text)
        pending_audit_event.about(made.id, made.member)
        await self.access.create_key(key, order.name, minted)
        return made

    async def rotate(
        self, caller: Caller, key: UUID, overlap: timedelta = USUAL_OVERLAP, reason: str = ""
    ) -> MintedCredential:
        """Creates a key with the same permissions; the old key expires after the overlap."""
        require(caller, Permission.MANAGE_KEYS)
        tenant, now = caller.scope.tenant, self.clock.now()
        old = await self.store.find_listed(tenant, key)
        if not old.key.valid_at(now):
            raise Conflict("the key has already expired or was revoked")
        if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
            raise Invalid(f"the overlap must be at most {LONGEST_OVERLAP.days} days")
        self.grants.rotate_key(caller, _rights_of(old.key, reason))
        minted = mint_key(tenant)
        new = replace(old.key, id=new_id(now), made_by=caller.scope.user)
        made = _minted(caller, new, minted.text)
        pending_audit_event.about(made.id, made.member)
        await self.store.replace(old, new, minted, now, now + overlap)
        return made

    async def revoke(self, caller: Caller, key: UUID) -> None:
        """Revokes a key and every token that it minted. Raises Conflict for the caller's own."""
        require(caller, Permission.MANAGE_KEYS)
        if caller.credential is CredentialKind.KEY and caller.key == key:
            raise Conflict("this key is in use; use another credential to revoke it")
        listed = await self.store.find_listed(caller.scope.tenant, key)
        self.grants.revoke_key(caller, _rights_of(listed.key))
        await self.store.revoke(caller.scope.tenant, key, self.clock.now())

    async def mint_token(self, caller: Caller, order: TokenOrder) -> MintedCredential:
        """Mints a token for the user that the caller acts as."""
        require(caller, Permission.MINT_TOKENS)
        if not caller.acts_for_others or caller.known_as is None:
            raise PermissionDenied("only a key that can act for other users can create tokens")
        if not 1 <= order.seconds <= tokens.LONGEST_SECONDS:
            raise Invalid(f"seconds must be between 1 and {tokens.LONGEST_SECONDS}")
        if len(order.origins) > tokens.MOST_ORIGINS:
            raise Invalid(f"at most {tokens.MOST_ORIGINS} origins are allowed")
        tenant, assistant = caller.scope.tenant, order.assistant or caller.assistant
        await self.access.assistant(tenant, assistant)
        expires_at = self.clock.now() + timedelta(seconds=order.seconds)
        grant = tokens.Grant(
            user=caller.known_as,
            profile=order.profile,
            assistant=assistant,
            expires_at=expires_at,
            origins=frozenset(tokens.check_origin(each) for each in order.origins),
            groups=self.grants.token_groups(order.groups, caller.groups),
            may=self.grants.token_permissions(caller, order.may),
        )
        sealed = await self.seal.seal("token", tenant, caller.key, tokens.to_text(grant))
        return MintedCredential(caller.key, tokens.write(tenant, caller.key, sealed), expires_at)


def _rights_of(key: AppKey, reason: str = "") -> KeyRights:
    return KeyRights(Membership(key.role, key.scopes, key.groups), key.member, reason=reason)


def _minted(caller: Caller, key: AppKey, text: str) -> MintedCredential:
    other = key.member if key.member != caller.scope.user else None
    return MintedCredential(key.id, text, key.expires_at, other)


def _check_scopes(role: Role, scopes: Set[str] | None) -> None:
    unknown = set(scopes or ()) - {permission.value for permission in Permission}
    if unknown:
        raise Invalid(f"unknown scopes: {', '.join(sorted(unknown))}")
    if scopes is not None and not permissions(role, scopes):
        raise Invalid("scopes must not be empty")
