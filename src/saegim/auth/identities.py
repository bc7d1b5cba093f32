"""One person on several channels: a code from the one, said on the other, links them (CH7)."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import UUID

from saegim.auth.credential_repository import PostgresMembers
from saegim.auth.grants import GRANTS, Grants
from saegim.auth.types import Identity, Profile
from saegim.domain.errors import Conflict, NotFound, PermissionDenied
from saegim.domain.ids import Clock
from saegim.domain.policy import Permission, allows, require
from saegim.domain.scope import Caller

CODE_FOR = timedelta(minutes=10)
# Without letters and digits that look alike; 8 of 30 are 39 bits, tried within ten minutes.
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
CODE_LENGTH = 8
CHANNELS = ("discord", "web", "oidc")
OTHER_CHANNEL = "api"


@dataclass(frozen=True, slots=True)
class LinkCode:
    """A code to be said on another channel; used once."""

    text: str
    expires_at: datetime


class Identities:
    def __init__(self, store: PostgresMembers, clock: Clock, grants: Grants = GRANTS) -> None:
        self._store = store
        self._clock = clock
        self._grants = grants

    async def list(self, caller: Caller) -> list[Identity]:
        """The names that were linked to the caller."""
        require(caller, Permission.LINK_IDENTITIES)
        return await self._store.identities(caller.scope.tenant, caller.scope.user)

    async def profiles(self, caller: Caller) -> Sequence[Profile]:
        """The caller's own name spaces; the current one alone for those bound to it."""
        require(caller, Permission.OWN_DATA)
        found = await self._store.profiles(caller.scope.tenant, caller.scope.user)
        whole = allows(caller, Permission.EXPORT_SELF)
        return [each for each in found if whole or each.id == caller.scope.profile]

    async def code(self, caller: Caller) -> LinkCode:
        """A code for the caller to say on the channel that is to be linked."""
        require(caller, Permission.LINK_IDENTITIES)
        self._grants.link([await self._store.role(caller.scope.tenant, caller.scope.user)])
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        expires_at = self._clock.now() + CODE_FOR
        await self._store.put_code(caller.scope.tenant, caller.scope.user, _hash(code), expires_at)
        return LinkCode(code, expires_at)

    async def link(self, caller: Caller, code: str) -> None:
        """From now on the caller's name on this channel leads to the member that has the code.

        What the name led to before stays as it is, and is there again after unlinking. Raises
        NotFound for a code that is wrong, over or used, and Forbidden where a role of either side
        is above member."""
        require(caller, Permission.LINK_IDENTITIES)
        if caller.known_as is None:
            raise PermissionDenied("a key bound to one user cannot link accounts")
        tenant = caller.scope.tenant
        own = await self._store.role(tenant, caller.scope.user)
        wanted = code.strip().upper().replace("-", "")
        member = await self._store.use_code(tenant, _hash(wanted), self._clock.now())
        if member is None:
            raise NotFound("code")
        if member == caller.scope.user:
            raise Conflict("these accounts are already linked")
        self._grants.link([own, await self._store.role(tenant, member)])
        await self._store.link(tenant, member, caller.known_as, channel_of(caller.known_as))

    async def unlink(self, caller: Caller, identity: UUID) -> None:
        """Takes a name away again; it leads to a member of its own from now on."""
        require(caller, Permission.LINK_IDENTITIES)
        if not await self._store.unlink(caller.scope.tenant, caller.scope.user, identity):
            raise NotFound("identity")


def channel_of(name: str) -> str:
    """The channel that a name says it is from: `discord:1234`; `api` where it says none."""
    said, colon, _ = name.partition(":")
    return said if colon and said in CHANNELS else OTHER_CHANNEL


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
