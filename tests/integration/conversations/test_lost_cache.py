"""Redis flushed or stopped in mid-session: what the model sees does not change."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol
from uuid import UUID

import pytest
import redis

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.summarizer import naming
from benchmarks.planted_conversations import planted
from saegim.app.infrastructure import Fakes
from saegim.conversations.types import WorkingState
from saegim.db.redis_client import COOLDOWN_SECONDS
from saegim.llm.ports import ModelRole
from saegim.localservers.valkey import LocalValkey
from tests.cluster import local_cluster
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("WM5")

SESSION = {"Saegim-Session": "s"}
TALK = planted(30, "ko")
SAID = [message for message, _ in TALK.turns]
STATED = dict(zip(SAID, TALK.stated, strict=True))
EMPTY_AT_START = {"appendonly": "no"}


class Store(Protocol):
    """A Valkey of this test, single or a cluster, and faults for it."""

    def flush(self) -> None: ...
    def stop(self) -> None: ...
    def start(self) -> None: ...


@dataclass
class Alone:
    folder: Path
    server: LocalValkey

    def flush(self) -> None:
        with redis.Redis(port=self.server.port) as client:
            client.flushall()

    def stop(self) -> None:
        self.server.stop()

    def start(self) -> None:
        port = self.server.port
        self.server = LocalValkey.start(self.folder, port, settings=EMPTY_AT_START)


@pytest.fixture(params=["single", "cluster"])
def own(databases: Databases, request: pytest.FixtureRequest) -> Iterator[tuple[Databases, Store]]:
    with TemporaryDirectory(prefix="saegim-lost-") as name:
        folder = Path(name)
        if request.param == "cluster":
            with local_cluster(folder) as cluster:
                yield replace(databases, cluster_url=cluster.url), cluster
        else:
            alone = Alone(folder, LocalValkey.start(folder, settings=EMPTY_AT_START))
            servers = replace(databases.servers, valkey=alone.server)
            yield replace(databases, servers=servers), alone
            alone.stop()


def agreeing() -> Fakes:
    lite = {ModelRole.LITE: lambda _: "네, 알겠습니다."}
    return Fakes(models=ScriptedModels({**lite, ModelRole.SUMMARIZER: naming(STATED)}))


async def opened(stack: Stack, session: str) -> tuple[WorkingState, str, list[str]]:
    """The state as a turn would open it, where it came from, and what did not answer."""
    scope = (await stack.caller()).scope
    found = await stack.services.conversations.turns.session(scope, UUID(session))
    degraded: list[str] = []
    state, source = await stack.services.conversations.working_memory.open(
        scope, UUID(session), found.mark, degraded.append
    )
    return state, source, degraded


async def test_the_state_after_equals_the_state_before(own: tuple[Databases, Store]) -> None:
    databases, store = own
    async with new_stack(databases, agreeing()) as stack, stack.working():
        await stack.redis_answers()
        replies = [await stack.say(message, **SESSION) for message in SAID[:17]]
        session = replies[-1]["session_id"]
        await stack.folded(session, 15)
        await stack.say(SAID[17], **SESSION)
        before = await opened(stack, session)
        store.flush()
        flushed = await opened(stack, session)
        store.stop()
        stopped = await opened(stack, session)
        store.start()
        await asyncio.sleep(COOLDOWN_SECONDS + 0.1)
        await stack.redis_answers()
        restarted = await opened(stack, session)

    state = before[0]
    assert (state.completed_turns, state.summary_version, state.summarised_through) == (18, 3, 15)
    assert state.summary
    assert state.entities
    assert before == (state, "cache", [])
    assert flushed == (state, "record", [])
    assert stopped == (state, "record", ["redis"])
    assert restarted == (state, "record", [])


async def test_a_conversation_that_loses_its_cache_remembers_as_one_that_does_not(
    own: tuple[Databases, Store],
) -> None:
    databases, store = own
    happenings = {7: store.flush, 12: store.stop, 19: store.start, 24: store.flush}
    contexts: list[dict[str, object]] = []
    for disturbed in (False, True):
        async with new_stack(databases, agreeing()) as stack, stack.working():
            await stack.redis_answers()
            session = ""
            for number, message in enumerate(SAID):
                if disturbed and number in happenings:
                    happenings[number]()
                if number == 19:
                    await asyncio.sleep(COOLDOWN_SECONDS + 0.1)
                    await stack.redis_answers()
                reply = await stack.say(message, **SESSION)
                down = disturbed and 12 <= number < 19
                assert reply["degraded"] == (["redis"] if down else []), number
                session = reply["session_id"]
            contexts.append(await stack.folded(session, 25))

    for context in contexts:
        del context["session_id"]
    assert contexts[0] == contexts[1]
