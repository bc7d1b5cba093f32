"""OIDC sign-in: authorization code flow with PKCE, as a public client.

The state of the flow is encrypted in a short-lived cookie. The ID token is verified like any other
token of the issuer."""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

from saegim.auth import jwt, tokens
from saegim.auth.issuer_documents import IssuerDocuments
from saegim.auth.issuer_repository import PostgresIssuers
from saegim.auth.ports import KeySets
from saegim.auth.secrets import same_text
from saegim.auth.token_seal import KeyringTokenSeal
from saegim.domain.errors import AuthenticationRequired, NotFound, Unavailable
from saegim.domain.ids import Clock

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
