"""Authentication. Every invalid credential gets the same error."""

from dataclasses import dataclass, replace
from uuid import UUID

from saegim.auth import tokens
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.issuers import Issuers
from saegim.auth.repository import FIRST_LOCALE, FIRST_TIME_ZONE, PostgresAccess
from saegim.auth.token_seal import KeyringTokenSeal
from saegim.auth.types import ActAs, AppKey, MemberProfile, parse_key
from saegim.domain.errors import AuthenticationRequired, Invalid, NotFound, PermissionDenied
from saegim.domain.ids import Clock
from saegim.domain.policy import may_talk_to
from saegim.domain.scope import Caller, CredentialKind, Role, Scope

DEFAULT_PROFILE = "default"
LONGEST_NAME = 200


@dataclass(frozen=True, eq=False)
class Access:
    store: PostgresAccess
    seal: KeyringTokenSeal
    issuers: Issuers
    clock: Clock
    grants: Grants = GRANTS

    async def authenticate(self, credential: str | None, act_as: ActAs) -> Caller:
        """Returns the caller of a credential; `act_as` selects the user if the key may act for
        users. Raises AuthenticationRequired, PermissionDenied, Invalid and NotFound."""
        caller = await self._caller(credential or "", act_as)
        return caller if act_as.assistant is None else await self.choose(caller, act_as.assistant)

    async def choose(self, caller: Caller, assistant: UUID) -> Caller:
        """Returns the caller with another assistant. Raises NotFound if the caller may not use
        it."""
        chosen = await self.store.assistant(caller.scope.tenant, assistant)
        if not may_talk_to(caller, chosen):
            raise NotFound("assistant")
        own = caller.own_assistant or caller.assistant
        return replace(caller, assistant=assistant, own_assistant=own)

    async def of_account(self, tenant: UUID, member: UUID, act_as: ActAs) -> Caller:
        """Returns the caller of a browser that signed in with an account. Raises as `authenticate`
        does."""
        profile = _name(act_as.profile or DEFAULT_PROFILE, "Saegim-Profile")
        try:
            found = await self.store.person_of_key(tenant, member, profile, act_as.sign_in)
        except NotFound as gone:
            raise AuthenticationRequired from gone
        person = _allowed(found, act_as)
        assistants = await self.store.assistants(tenant)
        if not assistants:
            raise NotFound("assistant")
        caller = Caller(
            scope=Scope(tenant, person.member, person.profile),
            role=person.role,
            assistant=assistants[0],
            key=member,
            groups=person.groups,
            locale=person.locale,
            time_zone=person.time_zone,
            credential=CredentialKind.ACCOUNT,
        )
        return caller if act_as.assistant is None else await self.choose(caller, act_as.assistant)

    async def _caller(self, credential: str, act_as: ActAs) -> Caller:
        if credential.startswith("sgt_"):
            return await self._by_token(credential, act_as)
        if credential.count(".") == 2:
            return await self._by_issuer(credential, act_as)
        return await self._by_key(credential, act_as)

    async def _by_key(self, credential: str, act_as: ActAs) -> Caller:
        parts = parse_key(credential)
        key = await self.store.find_key(parts.tenant, parts.secret_hash) if parts else None
        if key is None or not key.valid_at(self.clock.now()):
            raise AuthenticationRequired
        person = _allowed(await self._person(key, act_as), act_as)
        return Caller(
            scope=Scope(key.tenant, person.member, person.profile),
            role=key.role,
            assistant=key.assistant,
            key=key.id,
            groups=key.groups | self.grants.groups_of(person),
            locale=person.locale,
            time_zone=person.time_zone,
            scopes=key.scopes,
            acts_for_others=key.may_act_as,
            known_as=(act_as.user or act_as.default_user) if key.may_act_as else None,
            on_behalf=key.on_behalf,
        )

    async def _by_token(self, credential: str, act_as: ActAs) -> Caller:
        """A token is valid only while the key that minted it is."""
        parts, now = tokens.parse(credential), self.clock.now()
        key = await self.store.find_key_by_id(parts.tenant, parts.key) if parts else None
        if parts is None or key is None or not key.valid_at(now) or not key.may_act_as:
            raise AuthenticationRequired
        text = await self.seal.open("token", parts.tenant, parts.key, parts.sealed)
        grant = tokens.from_text(tokens.Grant, text)
        if grant is None or not grant.valid_at(now, act_as.origin):
            raise AuthenticationRequired
        if act_as.user is not None or act_as.profile not in (None, grant.profile):
            raise PermissionDenied("this token is bound to one user and profile")
        member = await self.store.person(key.tenant, grant.user, grant.profile, act_as.sign_in)
        person = _allowed(member, act_as)
        return Caller(
            scope=Scope(key.tenant, person.member, person.profile),
            role=Role.MEMBER,
            assistant=grant.assistant,
            key=key.id,
            groups=self.grants.token_groups(grant.groups, key.groups)
            | self.grants.groups_of(person),
            locale=person.locale,
            time_zone=person.time_zone,
            scopes=self.grants.of_token(key.scopes, grant.may),
            credential=CredentialKind.TOKEN,
            known_as=grant.user,
            on_behalf=True,
        )

    async def _by_issuer(self, credential: str, act_as: ActAs) -> Caller:
        verified = await self.issuers.verify(credential, act_as.tenant, self.clock.now())
        if verified is None:
            raise AuthenticationRequired
        if act_as.user is not None:
            raise PermissionDenied("this token is bound to one user")
        issuer, claims = verified
        profile = _name(act_as.profile or DEFAULT_PROFILE, "Saegim-Profile")
        member = await self.store.person(issuer.tenant, claims.name, profile, act_as.sign_in)
        person = _allowed(member, act_as)
        if not person.arrived:
            await self.store.arrive(issuer.tenant, person.member)
        role = self.grants.role_of(person)
        return Caller(
            scope=Scope(issuer.tenant, person.member, person.profile),
            role=role,
            assistant=issuer.assistant,
            key=issuer.id,
            groups=claims.groups | self.grants.groups_of(person),
            locale=person.locale,
            time_zone=person.time_zone,
            scopes=self.grants.of_issuer(role),
            credential=CredentialKind.ISSUER,
            known_as=claims.name,
        )

    async def _person(self, key: AppKey, act_as: ActAs) -> MemberProfile:
        profile = _name(act_as.profile or DEFAULT_PROFILE, "Saegim-Profile")
        if key.member is not None:
            if act_as.user is not None:
                raise PermissionDenied("this key is bound to one user and cannot act as another")
            try:
                return await self.store.person_of_key(
                    key.tenant, key.member, profile, act_as.sign_in
                )
            except NotFound as gone:
                raise AuthenticationRequired from gone
        named = act_as.user or act_as.default_user
        if named is None and act_as.without_user:
            # The key itself stands for the user: nothing is stored under its ID.
            return MemberProfile(key.id, key.id, FIRST_LOCALE, FIRST_TIME_ZONE)
        if named is None:
            raise Invalid("the Saegim-User header is required for this key")
        user = _name(named, "Saegim-User")
        return await self.store.person(key.tenant, user, profile, act_as.sign_in)


def _allowed(person: MemberProfile, act_as: ActAs) -> MemberProfile:
    """Raises AuthenticationRequired if the member is disabled or signed out."""
    signed_out = act_as.sign_in is not None and not person.signed_in
    if person.disabled or signed_out:
        raise AuthenticationRequired
    return person


def _name(value: str, header: str) -> str:
    if not value.strip() or len(value) > LONGEST_NAME:
        raise Invalid(f"{header} must have 1 to {LONGEST_NAME} characters")
    return value
