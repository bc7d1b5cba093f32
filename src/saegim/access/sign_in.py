"""Signing in at the pages: a credential, sealed into a cookie that only we open.

The cookie tells a browser nothing, and is good only while the credential in it is."""

import hmac
import json
import secrets
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

from saegim.access import tokens
from saegim.access.ports import TokenSeal
from saegim.access.service import Access
from saegim.access.types import ActAs
from saegim.domain.clock import Clock
from saegim.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from saegim.domain.scope import Caller

PREFIX = "sgs"
LASTS = timedelta(hours=12)
# Browsers drop a cookie of more than 4,096 bytes without a word.
LONGEST_COOKIE = 3_800


@dataclass(frozen=True, slots=True)
class SignIn:
    """What a cookie holds: a credential, whom it acts as, which assistant was chosen, and the
    secret that every change from a page must show."""

    credential: str
    user: str | None
    profile: str | None
    tenant: str | None
    csrf: str
    expires_at: datetime
    assistant: UUID | None = None

    @property
    def act_as(self) -> ActAs:
        return ActAs(
            user=self.user, profile=self.profile, tenant=self.tenant, assistant=self.assistant
        )

    def require_shown(self, csrf: str | None) -> None:
        """Raises Forbidden unless the page that asks is one of ours."""
        if csrf is None or not hmac.compare_digest(csrf, self.csrf):
            raise Forbidden("this change did not come from one of our pages")


class SignIns:
    def __init__(self, access: Access, seal: TokenSeal, clock: Clock) -> None:
        self._access = access
        self._seal = seal
        self._clock = clock

    async def begin(self, credential: str, act_as: ActAs) -> str:
        """The cookie of a person who showed a good credential. Raises as `authenticate` does."""
        caller = await self._access.authenticate(credential, act_as)
        sign_in = SignIn(
            credential=credential,
            user=act_as.user,
            profile=act_as.profile,
            tenant=act_as.tenant,
            csrf=secrets.token_urlsafe(24),
            expires_at=self._clock.now() + LASTS,
            assistant=act_as.assistant,
        )
        tenant = caller.scope.tenant
        sealed = await self._seal.seal(tenant, caller.key, _to_text(sign_in))
        cookie = tokens.write(tenant, caller.key, sealed, PREFIX)
        if len(cookie) > LONGEST_COOKIE:
            raise Invalid("this credential is too long for a cookie")
        return cookie

    async def switch(self, sign_in: SignIn, profile: str) -> str:
        """The cookie of the same person in another of their profiles; a new one is made by naming
        it. Raises as `authenticate` does."""
        return await self.begin(sign_in.credential, replace(sign_in.act_as, profile=profile))

    async def choose(self, sign_in: SignIn, assistant: UUID) -> str:
        """The cookie of the same person with another assistant. Raises as `authenticate` does."""
        return await self.begin(sign_in.credential, replace(sign_in.act_as, assistant=assistant))

    async def open(self, cookie: str) -> SignIn:
        """What a cookie holds. Raises Unauthenticated where it is not ours or is over."""
        parts = tokens.parse(cookie, PREFIX)
        if parts is None:
            raise Unauthenticated
        text = await self._seal.open(parts.tenant, parts.key, parts.sealed)
        sign_in = _from_text(text)
        if sign_in is None or sign_in.expires_at <= self._clock.now():
            raise Unauthenticated
        return sign_in

    async def caller(self, sign_in: SignIn) -> Caller:
        """Who signed in, as they stand now: a revoked key ends its sign-ins at once. An assistant
        that is offered to them no longer gives way to the credential's own."""
        try:
            return await self.caller_with(sign_in, sign_in.assistant)
        except NotFound:
            return await self.caller_with(sign_in, None)

    async def caller_with(self, sign_in: SignIn, assistant: UUID | None) -> Caller:
        """Who signed in, with this assistant. Raises NotFound where it is not theirs to use."""
        act_as = replace(sign_in.act_as, assistant=assistant)
        return await self._access.authenticate(sign_in.credential, act_as)


def _to_text(sign_in: SignIn) -> str:
    return json.dumps(
        {
            "c": sign_in.credential,
            "n": sign_in.user,
            "p": sign_in.profile,
            "t": sign_in.tenant,
            "f": sign_in.csrf,
            "x": sign_in.expires_at.timestamp(),
            "a": None if sign_in.assistant is None else str(sign_in.assistant),
        },
        ensure_ascii=False,
    )


def _from_text(text: str | None) -> SignIn | None:
    """A token's text is sealed with the same key; it has none of these names."""
    try:
        found = cast("dict[str, Any]", json.loads(text or ""))
        expires_at = datetime.fromtimestamp(found["x"]).astimezone()
        return SignIn(
            credential=found["c"],
            user=found["n"],
            profile=found.get("p"),
            tenant=found["t"],
            csrf=found["f"],
            expires_at=expires_at,
            assistant=UUID(found["a"]) if found.get("a") else None,
        )
    except (KeyError, ValueError):
        return None
