"""OIDC sign-in: authorization code flow with PKCE, as a public client.

The state of the flow is encrypted in a short-lived cookie. The ID token is verified like any other
token of the issuer."""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from urllib.parse import urlencode
from uuid import UUID

from saegim.auth import jwt, tokens
from saegim.auth.issuer_documents import IssuerDocuments, KeySets
from saegim.auth.issuers import PostgresIssuers
from saegim.auth.passwords import same_text
from saegim.auth.token_seal import KeyringTokenSeal
from saegim.domain.errors import AuthenticationRequired, NotFound, Unavailable
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller
from saegim.locales import N_

PREFIX = "sgs"
LASTS = timedelta(minutes=10)
DISCOVERY_FOR = timedelta(minutes=10)
WELL_KNOWN = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """The URL to redirect to, and the cookie with the state of the flow."""

    url: str
    cookie: str


@dataclass(frozen=True, slots=True)
class TokenExchange:
    """The ID token, its tenant, and the page to return to."""

    token: str
    tenant: UUID
    wanted: str


@dataclass(frozen=True, slots=True)
class _FlowState:
    state: str
    nonce: str
    verifier: str
    exchange: str
    client: str
    wanted: str
    until: float


class IssuerProblem(StrEnum):
    """What is wrong with an issuer, in words."""

    UNREACHABLE = N_("The address cannot be reached. It must use https and be public.")
    OTHER_ISSUER = N_("The address belongs to another issuer. Enter the issuer's own URL.")
    NO_SIGN_IN = N_("The issuer has no sign-in page, or its addresses do not use https.")
    NO_KEYS = N_("The issuer has no keys for RS256, ES256 or EdDSA.")


@dataclass(frozen=True, slots=True)
class IssuerCheck:
    """The result of testing an issuer: the address of its keys, or the problem with a detail for
    administrators."""

    jwks_url: str | None = None
    problem: IssuerProblem | None = None
    detail: str = ""


@dataclass(frozen=True, eq=False)
class CodeFlow:
    store: PostgresIssuers
    documents: IssuerDocuments
    key_sets: KeySets
    seal: KeyringTokenSeal
    clock: Clock

    async def begin(self, tenant: UUID, back: str, wanted: str) -> AuthorizationRequest:
        """Starts a sign-in at the tenant's first issuer, which redirects to `back`. Raises NotFound
        if the tenant has no issuer, and Unavailable."""
        issuers = await self.store.issuers(tenant)
        if not issuers:
            raise NotFound("issuer")
        issuer = issuers[0]
        address, now = issuer.url.rstrip("/") + WELL_KNOWN, self.clock.now()
        discovery = await self.documents.get(address, DISCOVERY_FOR, now)
        if discovery.get("issuer") != issuer.url:
            raise Unavailable("issuer mismatch in the discovery document")
        flow = _FlowState(
            state=secrets.token_urlsafe(24),
            nonce=secrets.token_urlsafe(24),
            verifier=secrets.token_urlsafe(48),
            exchange=_https(discovery.get("token_endpoint")),
            client=issuer.audience,
            wanted=wanted,
            until=(now + LASTS).timestamp(),
        )
        query = {
            "response_type": "code",
            "scope": "openid",
            "client_id": flow.client,
            "redirect_uri": back,
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": _challenge(flow.verifier),
            "code_challenge_method": "S256",
        }
        sealed = await self.seal.seal("code_flow", tenant, issuer.id, tokens.to_text(flow))
        page = _https(discovery.get("authorization_endpoint"))
        separator = "&" if "?" in page else "?"
        return AuthorizationRequest(
            page + separator + urlencode(query), tokens.write(tenant, issuer.id, sealed, PREFIX)
        )

    async def test(self, caller: Caller, url: str) -> IssuerCheck:
        """Fetches the discovery document and the keys of an issuer, and says what is wrong."""
        require(caller, Permission.MANAGE_TENANT)
        jwks_url: str | None = None
        try:
            discovery = await self.key_sets.fetch(url.rstrip("/") + WELL_KNOWN)
            if discovery.get("issuer") != url:
                named = str(discovery.get("issuer"))[:300]
                return IssuerCheck(problem=IssuerProblem.OTHER_ISSUER, detail=named)
            try:
                for endpoint in ("authorization_endpoint", "token_endpoint"):
                    _https(discovery.get(endpoint))
                jwks_url = _https(discovery.get("jwks_uri"))
            except Unavailable as error:
                return IssuerCheck(problem=IssuerProblem.NO_SIGN_IN, detail=error.detail)
            if not jwt.parse_jwks(await self.key_sets.fetch(jwks_url)):
                return IssuerCheck(jwks_url, IssuerProblem.NO_KEYS)
        except Unavailable as error:
            return IssuerCheck(jwks_url, IssuerProblem.UNREACHABLE, error.detail)
        return IssuerCheck(jwks_url)

    async def finish(self, cookie: str, state: str, code: str, back: str) -> TokenExchange:
        """Exchanges a code for the ID token. Raises AuthenticationRequired unless this browser
        started the flow, and Unavailable."""
        parts = tokens.parse(cookie, PREFIX)
        if parts is None:
            raise AuthenticationRequired
        text = await self.seal.open("code_flow", parts.tenant, parts.key, parts.sealed)
        flow = tokens.from_text(_FlowState, text)
        if flow is None or flow.until <= self.clock.now().timestamp():
            raise AuthenticationRequired
        if not same_text(flow.state, state):
            raise AuthenticationRequired
        response = await self.key_sets.exchange(
            flow.exchange,
            {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": back,
                "client_id": flow.client,
                "code_verifier": flow.verifier,
            },
        )
        token = response.get("id_token")
        if not isinstance(token, str) or not same_text(_nonce(token), flow.nonce):
            raise AuthenticationRequired
        return TokenExchange(token, parts.tenant, flow.wanted)


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def _https(address: object) -> str:
    if not isinstance(address, str) or not address.startswith("https://"):
        raise Unavailable("the issuer has no https endpoint")
    return address


def _nonce(token: str) -> str:
    try:
        return jwt.nonce_of(token)
    except jwt.BadToken as error:
        raise AuthenticationRequired from error
