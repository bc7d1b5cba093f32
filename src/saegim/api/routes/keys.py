"""API keys, user tokens and token issuers."""

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, Field, model_validator

from saegim.api.caller import CallDep, ProfileDep
from saegim.api.pagination import PageDep
from saegim.api.problems import locale_of
from saegim.api.views import Moment, View, example
from saegim.audit.types import AuditAction
from saegim.auth.credentials import USUAL_OVERLAP, KeyOrder, MintedCredential, TokenOrder
from saegim.auth.grants import grantable_key_roles, grantable_roles
from saegim.auth.service import DEFAULT_PROFILE
from saegim.auth.tokens import LONGEST_SECONDS, MOST_ORIGINS, USUAL_SECONDS
from saegim.auth.types import Issuer, ListedKey
from saegim.domain.ids import new_id
from saegim.domain.policy import OF_PEOPLE, Permission, permissions
from saegim.domain.scope import Caller, CredentialKind, Role
from saegim.locales import translate

router = APIRouter(prefix="/v1", tags=["access"])

Name = Annotated[str, Field(min_length=1, max_length=200)]
Groups = Annotated[list[Name], Field(max_length=100)]
TokenPermission = Literal[
    "chat:instructions", "self:link", "self:export", "self:erase", "library:own"
]
Claim = Annotated[str, Field(pattern=r"^[A-Za-z0-9_:./-]{1,100}$")]


class MeView(View):
    """The user, role and permissions of the credential, the roles that it may give to people and to
    keys, and the valid keys that are bound to the user, whoever made them."""

    user_id: UUID
    profile_id: UUID
    role: Role
    permissions: list[Permission]
    groups: list[str]
    credential: CredentialKind
    name: str
    email: str | None
    grantable_roles: list[Role]
    grantable_key_roles: list[Role]
    keys: list["KeyView"]


class NewKeyBody(BaseModel, extra="forbid"):
    """A key to create: for the caller (`mine`) or a user. Without either, it may act as any user of
    the tenant."""

    model_config = example(name="backend")

    name: Name
    role: Role = Role.MEMBER
    user: Name | None = None
    mine: bool = False
    assistant_id: UUID | None = None
    scopes: Annotated[list[Permission], Field(min_length=1)] | None = None
    groups: Groups = []
    expires_at: Moment | None = None
    reason: Annotated[
        str,
        Field(max_length=2_000, description="Required if the key is not the caller's own."),
    ] = ""

    @model_validator(mode="after")
    def _names_one(self) -> "NewKeyBody":
        if self.mine and self.user is not None:
            raise ValueError("send mine or user, not both")
        return self


class KeyRotationBody(BaseModel, extra="forbid"):
    """How long the old key stays valid. A reason is required if the key can read data of others."""

    model_config = example(overlap_seconds=3600)

    overlap_seconds: Annotated[int, Field(ge=0, le=30 * 86400)] = int(USUAL_OVERLAP.total_seconds())
    reason: Annotated[str, Field(max_length=2_000)] = ""


class MintedView(BaseModel):
    """A new credential. `secret` is shown only once."""

    id: UUID
    secret: str
    expires_at: datetime | None


class KeyView(View):
    """A key, without its secret: whose it is, who made it, and whether this request uses it."""

    key_id: UUID
    prefix: str
    name: str
    role: Role
    scopes: list[str] | None
    groups: list[str]
    acts_for_others: bool
    member_id: UUID | None
    assistant_id: UUID
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    used_at: datetime | None
    replaces: UUID | None
    made_by: UUID | None
    member_name: str | None
    made_by_name: str | None
    current: bool


class NewToken(BaseModel, extra="forbid"):
    """A token for the user in `Saegim-User` and the profile in `Saegim-Profile`."""

    model_config = example(origins=["https://app.example.com"])

    seconds: Annotated[int, Field(ge=1, le=LONGEST_SECONDS)] = USUAL_SECONDS
    assistant_id: UUID | None = None
    origins: Annotated[list[Name], Field(max_length=MOST_ORIGINS)] = []
    groups: Groups = []
    may: Annotated[
        list[TokenPermission],
        Field(
            max_length=len(get_args(TokenPermission)),
            description="Extra permissions, which the key must have.",
        ),
    ] = []


class IssuerBody(BaseModel, extra="forbid"):
    """An OIDC issuer: its URL, the expected audience, and its keys or their URL."""

    model_config = example(
        url="https://login.example.com",
        audience="saegim",
        jwks_url="https://login.example.com/.well-known/jwks.json",
    )

    url: Annotated[str, Field(min_length=1, max_length=300)]
    audience: Annotated[str, Field(min_length=1, max_length=300)]
    jwks_url: Annotated[str, Field(pattern=r"^https://", max_length=500)] | None = None
    jwks: dict[str, Any] | None = None
    assistant_id: UUID | None = None
    user_claim: Claim = "sub"
    groups_claim: Claim | None = None

    @model_validator(mode="after")
    def _one_source(self) -> "IssuerBody":
        if (self.jwks is None) == (self.jwks_url is None):
            raise ValueError("exactly one of jwks and jwks_url is required")
        return self


class IssuerView(View):
    """An issuer that the tenant trusts."""

    issuer_id: UUID
    url: str
    audience: str
    jwks_url: str | None
    assistant_id: UUID
    user_claim: str
    groups_claim: str | None


class IssuerTestBody(BaseModel, extra="forbid"):
    """The URL of an issuer to test."""

    model_config = example(url="https://login.example.com")

    url: Annotated[str, Field(pattern=r"^https://[^\s]+$", max_length=300)]


class IssuerTestView(View):
    """Whether an issuer can be used: the address of its keys for `PUT /v1/issuers`, or the problem
    in words."""

    ok: bool
    problem: str | None
    detail: str
    jwks_url: str | None


@router.get("/me")
async def read_me(call: CallDep) -> MeView:
    """Returns the user, role and permissions of the credential."""
    permitted = sorted(permissions(call.caller.role, call.caller.scopes))
    own = await call.services.auth.members.own(call.caller)
    keys = await call.services.auth.credentials.of_caller(call.caller)
    return MeView.of(
        call.caller,
        call.scope,
        permissions=permitted,
        name=own.name,
        email=own.email,
        grantable_roles=[each for each in grantable_roles(call.caller) if each in OF_PEOPLE],
        grantable_key_roles=grantable_key_roles(call.caller),
        keys=[key_view(each, call.caller) for each in keys],
    )


@router.get("/keys")
async def list_keys(call: CallDep, page: PageDep) -> list[KeyView]:
    """Lists the keys of the tenant, newest first."""
    keys = await call.services.auth.credentials.list(call.caller, page.before, page.wanted)
    return page.cut([key_view(each, call.caller) for each in keys], [each.key.id for each in keys])


@router.post("/keys", status_code=201)
async def create_key(body: NewKeyBody, call: CallDep) -> MintedView:
    """Creates a key. Its permissions cannot exceed those of the caller."""
    order = KeyOrder(
        name=body.name,
        role=body.role,
        assistant=body.assistant_id,
        user=body.user,
        mine=body.mine,
        scopes=None if body.scopes is None else frozenset(each.value for each in body.scopes),
        groups=frozenset(body.groups),
        expires_at=body.expires_at,
        reason=body.reason,
    )
    async with call.recording(AuditAction.KEY_MADE, reason=body.reason):
        return minted_view(await call.services.auth.credentials.create(call.caller, order))


@router.post("/keys/{key_id}/rotate", status_code=201)
async def rotate_key(key_id: UUID, body: KeyRotationBody, call: CallDep) -> MintedView:
    """Creates a key with the same permissions. The old key stays valid for the overlap."""
    overlap = timedelta(seconds=body.overlap_seconds)
    async with call.recording(AuditAction.KEY_ROTATED, reason=body.reason):
        return minted_view(
            await call.services.auth.credentials.rotate(call.caller, key_id, overlap, body.reason)
        )


@router.delete("/keys/{key_id}", status_code=204)
async def revoke_key(key_id: UUID, call: CallDep) -> None:
    """Revokes a key and every token that it minted."""
    async with call.recording(AuditAction.KEY_REVOKED, key_id):
        await call.services.auth.credentials.revoke(call.caller, key_id)


@router.post("/tokens", status_code=201)
async def mint_token(body: NewToken, call: CallDep, profile: ProfileDep) -> MintedView:
    """Creates a short-lived token for the browser of an end user."""
    order = TokenOrder(
        profile=profile or DEFAULT_PROFILE,
        seconds=body.seconds,
        assistant=body.assistant_id,
        origins=body.origins,
        groups=frozenset(body.groups),
        may=frozenset(body.may),
    )
    minted = await call.services.auth.credentials.mint_token(call.caller, order)
    await call.services.audit.trail.note(call.caller, AuditAction.TOKEN_MINTED, call.scope.user)
    return minted_view(minted)


@router.get("/issuers")
async def list_issuers(call: CallDep) -> list[IssuerView]:
    """Lists the issuers that the tenant trusts."""
    return IssuerView.each(await call.services.auth.issuers.issuers(call.caller))


@router.put("/issuers", status_code=204)
async def put_issuer(body: IssuerBody, call: CallDep) -> None:
    """Adds an issuer, or replaces the one with the same `url`."""
    issuer = Issuer(
        id=new_id(call.services.clock.now()),
        tenant=call.tenant,
        assistant=body.assistant_id or call.caller.assistant,
        **body.model_dump(exclude={"assistant_id"}),
    )
    async with call.recording(AuditAction.ISSUER_CHANGED, issuer.id):
        await call.services.auth.issuers.put(call.caller, issuer)


@router.post("/issuers/test")
async def test_issuer(body: IssuerTestBody, call: CallDep) -> IssuerTestView:
    """Fetches the discovery document and the keys of an issuer and says what is wrong, if
    anything. Nothing is stored."""
    found = await call.services.auth.oidc.test(call.caller, body.url)
    problem = found.problem and translate(found.problem.value, locale_of(call.request))
    return IssuerTestView.of(found, ok=found.problem is None, problem=problem)


@router.delete("/issuers/{issuer_id}", status_code=204)
async def remove_issuer(issuer_id: UUID, call: CallDep) -> None:
    """Removes an issuer. Its tokens are no longer accepted."""
    async with call.recording(AuditAction.ISSUER_CHANGED, issuer_id):
        await call.services.auth.issuers.remove(call.caller, issuer_id)


def minted_view(minted: MintedCredential) -> MintedView:
    return MintedView(id=minted.id, secret=minted.text, expires_at=minted.expires_at)


def key_view(listed: ListedKey, caller: Caller) -> KeyView:
    key = listed.key
    current = caller.credential is CredentialKind.KEY and caller.key == key.id
    return KeyView.of(listed, key, key_id=key.id, acts_for_others=key.may_act_as, current=current)
