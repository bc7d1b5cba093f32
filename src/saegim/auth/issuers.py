"""Authentication with JWTs of issuers that the tenant trusts (OIDC)."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from psycopg.errors import ForeignKeyViolation
from psycopg.types.json import Jsonb

from saegim.auth import jwt
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.issuer_documents import MOST_CACHED, IssuerDocuments
from saegim.auth.types import Issuer
from saegim.db.cells import Cells, Row, from_row
from saegim.domain.errors import Invalid, NotFound, Unavailable
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, require
from saegim.domain.scope import Caller


class PostgresIssuers:
    def __init__(self, cells: Cells, clock: Clock) -> None:
        self._cells = cells
        self._clock = clock

    async def find(self, tenant: UUID, url: str) -> Issuer | None:
        row = await self._cells.fetch_one(tenant, "find_issuer", url=url)
        return None if row is None else _issuer(tenant, row)

    async def issuers(self, tenant: UUID) -> list[Issuer]:
        rows = await self._cells.fetch_all(tenant, "list_issuers")
        return [_issuer(tenant, row) for row in rows]

    async def put(self, issuer: Issuer) -> None:
        """Stores an issuer, or replaces the one with the same URL. Raises NotFound for an unknown
        assistant."""
        names = ("url", "audience", "jwks_url", "assistant", "user_claim", "groups_claim")
        values = {name: getattr(issuer, name) for name in names} | {
            "issuer": issuer.id,
            "jwks": None if issuer.jwks is None else Jsonb(dict(issuer.jwks)),
            "now": self._clock.now(),
        }
        try:
            await self._cells.run_query(issuer.tenant, "put_issuer", **values)
        except ForeignKeyViolation as unknown:
            raise NotFound("assistant") from unknown

    async def remove(self, tenant: UUID, issuer: UUID) -> bool:
        """Deletes an issuer; returns whether it existed."""
        return await self._cells.run_query(tenant, "drop_issuer", issuer=issuer) > 0


def _issuer(tenant: UUID, row: Row) -> Issuer:
    return from_row(Issuer, row, id=row["issuer_id"], tenant=tenant)


KEYS_FOR = timedelta(minutes=10)
# An unknown key ID refreshes the key set, at most this often.
REFRESH_AFTER = timedelta(seconds=30)
LONGEST_SUBJECT = 150
MOST_GROUPS = 100


@dataclass(frozen=True, slots=True)
class Claims:
    """Claims of a verified token: the user name, prefixed with the issuer, and groups."""

    name: str
    groups: Set[str]


class Issuers:
    def __init__(
        self, store: PostgresIssuers, documents: IssuerDocuments, grants: Grants = GRANTS
    ) -> None:
        self._store = store
        self._documents = documents
        # The keys of each URL, with the document that they were parsed from.
        self._parsed: dict[str, tuple[Mapping[str, Any], Sequence[jwt.VerifyKey]]] = {}
        self._grants = grants

    async def verify(
        self, token: str, tenant: str | None, now: datetime
    ) -> tuple[Issuer, Claims] | None:
        """Verifies a token for the tenant of the request; returns None if it is invalid."""
        try:
            issuer = await self._store.find(UUID(tenant or ""), jwt.issuer_of(token))
            if issuer is None:
                return None
            keys = await self._keys(issuer, jwt.kid_of(token), now)
            expected = jwt.ExpectedClaims(issuer.url, issuer.audience, now)
            return issuer, _claims(issuer, jwt.verify(token, keys, expected))
        except (jwt.BadToken, ValueError, Unavailable):
            return None

    async def issuers(self, caller: Caller) -> list[Issuer]:
        require(caller, Permission.MANAGE_KEYS)
        return await self._store.issuers(caller.scope.tenant)

    async def put(self, caller: Caller, issuer: Issuer) -> None:
        """Adds or replaces an issuer. Raises Invalid for unusable keys."""
        require(caller, Permission.MANAGE_TENANT)
        self._grants.name_issuer(caller)
        if issuer.jwks is not None and not jwt.parse_jwks(issuer.jwks):
            raise Invalid("the key set has no key for RS256, ES256 or EdDSA")
        if issuer.jwks_url is not None and not issuer.jwks_url.startswith("https://"):
            raise Invalid("jwks_url must be https")
        await self._store.put(issuer)

    async def remove(self, caller: Caller, issuer: UUID) -> None:
        """Removes an issuer; its tokens are no longer accepted."""
        require(caller, Permission.MANAGE_TENANT)
        self._grants.name_issuer(caller)
        if not await self._store.remove(caller.scope.tenant, issuer):
            raise NotFound("issuer")

    async def _keys(
        self, issuer: Issuer, kid: str | None, now: datetime
    ) -> Sequence[jwt.VerifyKey]:
        if issuer.jwks is not None:
            return jwt.parse_jwks(issuer.jwks)
        assert issuer.jwks_url is not None, "an issuer has keys or a URL"
        keys = await self._fetched(issuer.jwks_url, KEYS_FOR, now)
        if kid is None or kid in {key.kid for key in keys}:
            return keys
        return await self._fetched(issuer.jwks_url, REFRESH_AFTER, now)

    async def _fetched(
        self, url: str, max_age: timedelta, now: datetime
    ) -> Sequence[jwt.VerifyKey]:
        """Returns the keys at a URL, at most `max_age` old; parses each document once."""
        document, known = await self._documents.get(url, max_age, now), self._parsed.get(url)
        if known is None or known[0] is not document:
            if len(self._parsed) >= MOST_CACHED:
                self._parsed.pop(next(iter(self._parsed)))
            self._parsed[url] = known = document, jwt.parse_jwks(document)
        return known[1]


def _claims(issuer: Issuer, claims: Mapping[str, Any]) -> Claims:
    subject = claims.get(issuer.user_claim)
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise jwt.BadToken("no subject")
    if not _is_text(subject):
        raise jwt.BadToken("invalid subject")
    groups: list[object] = []
    if issuer.groups_claim is not None and isinstance(claims.get(issuer.groups_claim), list):
        groups = cast("list[object]", claims[issuer.groups_claim])[:MOST_GROUPS]
    return Claims(
        name=f"oidc:{issuer.url}#{subject}",
        groups=frozenset(each for each in groups if isinstance(each, str) and _is_text(each)),
    )


def _is_text(value: str) -> bool:
    """Whether a string can be stored: JSON can contain lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in value)
