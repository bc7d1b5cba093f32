"""Links the accounts of one user on several channels with a one-time code."""

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
# No characters that look alike. 8 of 30 are 39 bits, valid for ten minutes.
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
CODE_LENGTH = 8
CHANNELS = ("discord", "web", "oidc")
OTHER_CHANNEL = "api"


@dataclass(frozen=True, slots=True)
class LinkCode:
    """A one-time code to enter on another channel."""

    text: str
    expires_at: datetime


class Identities:
    def __init__(self, store: PostgresMembers, clock: Clock, grants: Grants = GRANTS) -> None:
        self._store = store
        self._clock = clock
        self._grants = grants

    async def list(self, caller: Caller) -> list[Identity]:
        """Lists the identities that are linked to the caller."""
        require(caller, Permission.LINK_IDENTITIES)
        return await self._store.identities(caller.scope.tenant, caller.scope.user)

    async def profiles(self, caller: Caller) -> Sequence[Profile]:
        """Lists the caller's profiles; only the current one without the export permission."""
        require(caller, Permission.OWN_DATA)
        profiles = await self._store.profiles(caller.scope.tenant, caller.scope.user)
        every = allows(caller, Permission.EXPORT_SELF)
        return [each for each in profiles if every or each.id == caller.scope.profile]

    async def code(self, caller: Caller) -> LinkCode:
        """Creates a code that links another channel to the caller."""
        require(caller, Permission.LINK_IDENTITIES)
        self._grants.link([await self._store.role(caller.scope.tenant, caller.scope.user)])
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        expires_at = self._clock.now() + CODE_FOR
        await self._store.put_code(caller.scope.tenant, caller.scope.user, _hash(code), expires_at)
        return LinkCode(code, expires_at)

    async def link(self, caller: Caller, code: str) -> None:
        """Links the caller's identity on this channel to the member who created the code.

        The data of the previous member stays and is available again after unlinking. Raises
        NotFound for an invalid, expired or used code, and PermissionDenied if either side has a
        role above member."""
        require(caller, Permission.LINK_IDENTITIES)
        if caller.known_as is None:
            raise PermissionDenied("a key bound to one user cannot link accounts")
        tenant = caller.scope.tenant
        own = await self._store.role(tenant, caller.scope.user)
        code_hash = _hash(code.strip().upper().replace("-", ""))
        member = await self._store.use_code(tenant, code_hash, self._clock.now())
        if member is None:
            raise NotFound("code")
        if member == caller.scope.user:
            raise Conflict("these accounts are already linked")
        self._grants.link([own, await self._store.role(tenant, member)])
        await self._store.link(tenant, member, caller.known_as, channel_of(caller.known_as))

    async def unlink(self, caller: Caller, identity: UUID) -> None:
        """Removes an identity from the caller; it belongs to a member of its own again."""
        require(caller, Permission.LINK_IDENTITIES)
        if not await self._store.unlink(caller.scope.tenant, caller.scope.user, identity):
            raise NotFound("identity")


def channel_of(name: str) -> str:
    """Returns the channel prefix of a name such as `discord:1234`, or `api`."""
    prefix, colon, _ = name.partition(":")
    return prefix if colon and prefix in CHANNELS else OTHER_CHANNEL


def _hash(code: str) -> bytes:
    return sha256(code.encode()).digest()
