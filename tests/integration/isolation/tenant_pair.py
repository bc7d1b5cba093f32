"""Two tenants that are alike in everything but their tenant: names of users, profiles and
sessions, and the ids of members, profiles, sessions and turns."""

import asyncio
import contextlib
import io
import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

from benchmarks.doubles.models import Pieces, RecordedRequest, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.relay import LeaseTimes
from saegim.chat.service import prepare
from saegim.chat.types import ChatRequest
from saegim.conversations.types import Lease
from saegim.db.cells import HOME_CELL, execute
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller
from saegim.encryption.cipher import FieldLocation
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack

USER, PROFILE, SESSION = "alice", "업무", "회의"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

SESSION_ROW = b"""
insert into session (
    tenant_id, session_id, member_id, profile_id, assistant_id, name_hash, created_at, used_at
)
values (%s, %s, %s, %s, %s, %s, %s, %s)
"""


@dataclass(frozen=True)
class SameIds:
    """The ids that both tenants have."""

    member: UUID = field(default_factory=lambda: new_id(LONG_AGO))
    profile: UUID = field(default_factory=lambda: new_id(LONG_AGO))
    session: UUID = field(default_factory=lambda: new_id(LONG_AGO))


@dataclass
class PairedTenant:
    """One of the two, and how its user reaches the API."""

    stack: Stack
    ids: SameIds

    @property
    def tenant(self) -> UUID:
        return self.stack.tenant.tenant.id

    def headers(self, **more: str) -> dict[str, str]:
        named = {"Saegim-Profile": quote(PROFILE), "Saegim-Session": quote(SESSION)}
        return self.stack.headers(USER, **(named | more))

    async def say(self, message: str, **headers: str) -> dict[str, Any]:
        return await self.stack.say(message, USER, **self.headers(**headers))

    async def get(self, path: str) -> dict[str, Any]:
        response = await self.stack.http.get(path, headers=self.headers())
        assert response.status_code == 200, response.text
        return response.json()

    async def caller(self) -> Caller:
        return await self.stack.caller(USER, PROFILE)

    async def store(self, message: str, turn: UUID) -> None:
        """Stores a message whose turn was left behind by a dead process."""
        request = ChatRequest(message, session=str(self.ids.session))
        lease = Lease(uuid4(), 1)
        masking = self.stack.services.masking
        ended = LeaseTimes(lasts_seconds=-1.0)
        new = await prepare(request, ended, lease, turn, LONG_AGO, masking=masking)
        await self.stack.services.conversations.turns.receive(await self.caller(), new)

    async def take_up(self, turn: UUID) -> None:
        """Answers such a turn, as the job that watches it does."""
        await self.stack.services.chat.turns.watch(self.tenant, turn)


@dataclass
class TenantPair:
    a: PairedTenant
    b: PairedTenant
    models: ScriptedModels
    begin: asyncio.Event

    @property
    def both(self) -> tuple[PairedTenant, PairedTenant]:
        return self.a, self.b


@dataclass
class Repeating:
    """A model that repeats its whole prompt, so that leaks become visible. It waits for `begin`."""

    begin: asyncio.Event
    pause_seconds: float

    def __call__(self, shown: RecordedRequest) -> Pieces:
        heard = " ".join(message.text for message in shown.messages)
        return Pieces(
            tuple(f"{word} " for word in heard.split()), self.pause_seconds, begin=self.begin
        )


@contextlib.asynccontextmanager
async def new_tenant_pair(
    databases: Databases, pause_seconds: float = 0.01
) -> AsyncIterator[TenantPair]:
    """Two tenants in one process, on the same stores, with the same ids. The model waits after each
    word of an answer."""
    begin = asyncio.Event()
    begin.set()
    models = ScriptedModels({ModelRole.LITE: Repeating(begin, pause_seconds)})
    async with new_stack(databases, Fakes(models=models), name="쌍둥이") as stack:
        other = await stack.services.auth.tenants.create("쌍둥이", "ko", HOME_CELL)
        ids = SameIds()
        pair = TenantPair(
            PairedTenant(stack, ids),
            PairedTenant(replace(stack, tenant=other), ids),
            models,
            begin,
        )
        for fallback in pair.both:
            await _settle_in(fallback)
        yield pair


@contextlib.contextmanager
def everything_logged() -> Iterator[io.StringIO]:
    """Returns the log of all libraries in the process, with the texts of errors."""
    root, written = logging.getLogger(), io.StringIO()
    handler, level = logging.StreamHandler(written), root.level
    root.addHandler(handler)
    root.setLevel("DEBUG")
    try:
        yield written
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def _settle_in(fallback: PairedTenant) -> None:
    services, ids = fallback.stack.services, fallback.ids
    lookup = await services.encryption.keyring.tenant(fallback.tenant)
    cipher = await services.encryption.keyring.user(fallback.tenant, ids.member)
    own = {"tenant": fallback.tenant, "member": ids.member, "now": LONG_AGO}
    cell = await services.db.cells.for_tenant(fallback.tenant)
    async with cell.transaction(fallback.tenant) as connection:
        await execute(
            connection,
            "add_member",
            **own,
            user_hash=lookup.fingerprint(f"user:{USER}"),
            outside_id=cipher.seal(USER, FieldLocation("member.outside_id", ids.member)),
            locale="ko",
            time_zone="Asia/Seoul",
        )
        await execute(
            connection,
            "add_profile",
            **own,
            profile=ids.profile,
            profile_hash=lookup.fingerprint(f"profile:{PROFILE}"),
            name=cipher.seal(PROFILE, FieldLocation("profile.name", ids.profile)),
        )
        assistant = fallback.stack.tenant.assistant.id
        name = cipher.fingerprint(f"session:{SESSION}")
        owner = (fallback.tenant, ids.session, ids.member, ids.profile, assistant)
        await connection.execute(SESSION_ROW, (*owner, name, LONG_AGO, LONG_AGO))
