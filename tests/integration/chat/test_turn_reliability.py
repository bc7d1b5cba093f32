"""Budgets of refused or repeated turns, and turns whose process or worker died."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from pydantic import SecretStr

from benchmarks.doubles.models import Pieces, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.relay import LeaseTimes
from saegim.chat.service import RunningTurn
from saegim.chat.types import ChatRequest, TurnTimes
from saegim.conversations.types import Lease, TurnState
from saegim.domain.errors import NotFound
from saegim.domain.ids import SystemClock
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, while_asking

SHORT = LeaseTimes(lasts_seconds=0.6, renew_seconds=0.2, watch_margin_seconds=0.1)
LONG = LeaseTimes(lasts_seconds=600)
NO_REDIS = {"redis_url": SecretStr("redis://127.0.0.1:1/0")}


def models(*replies: str | Pieces | Exception) -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: list(replies)}, timeout_seconds=3600)


def slow() -> ScriptedModels:
    return models(Pieces(("아직",), 3600))


class FastClock(SystemClock):
    """The clock of a machine that is an hour ahead."""

    def now(self) -> datetime:
        return super().now() + timedelta(hours=1)


@contextlib.asynccontextmanager
async def answering(stack: Stack, text: str = "") -> AsyncIterator[RunningTurn]:
    """A running turn with part of its text shown."""
    asking = asyncio.create_task(stack.say("해줘", **{"Saegim-Session": "s"}))
    chat = stack.services.chat.turns
    await while_asking(asking, lambda: chat._running)
    [running] = chat._running.values()
    turn = running.opened.turn

    def shown() -> bool:
        channel = chat.relay.find(turn.scope.tenant, turn.id)
        return channel is not None and text in channel.text

    await while_asking(asking, shown)
    try:
        yield running
    finally:
        for task in (running.task, asking):
            task.cancel()
        await asyncio.wait([running.task, asking])


# Budgets -------------------------------------------------------------------------------------


async def test_budget_is_neither_lost_to_refusals_nor_asked_for_repeats(
    databases: Databases,
) -> None:
    async with new_stack(databases, settings={"limits": "user tokens 9000/3600"}) as stack:
        first = await stack.say("하나", **{"Idempotency-Key": "k"})
        headers = stack.headers(**{"Saegim-Session": str(uuid4())})
        refused = [
            await stack.http.post("/v1/chat", json={"message": "둘"}, headers=headers)
            for _ in range(3)
        ]
        for _ in range(2):  # two turns elsewhere fill the budget
            await stack.services.quotas.limits.reserve(await stack.caller(), uuid4())
        again = await stack.say("하나", **{"Idempotency-Key": "k"})
        other = await stack.http.post("/v1/chat", json={"message": "셋"}, headers=stack.headers())

    assert [each.status_code for each in refused] == [404, 404, 404]
    assert again["turn_id"] == first["turn_id"]
    assert other.status_code == 429


async def test_a_failed_turn_gives_back_and_its_retry_is_counted(databases: Databases) -> None:
    replies = models(NotFound("assistant"), "이제 됩니다 " * 4_000)
    settings, key = {"limits": "user tokens 9000/3600"}, {"Idempotency-Key": "k"}
    async with new_stack(databases, Fakes(models=replies), settings=settings) as stack:
        failed = await stack.say("해줘", **key)
        retried = await stack.say("해줘", **key)
        more = await stack.http.post("/v1/chat", json={"message": "또"}, headers=stack.headers())

    assert (failed["state"], retried["state"]) == ("failed", "done")
    assert more.status_code == 429


# Ends ----------------------------------------------------------------------------------------


async def test_a_refusal_inside_a_turn_fails_it_at_once(databases: Databases) -> None:
    fakes = Fakes(models=models(NotFound("assistant")), lease_times=LONG)
    async with new_stack(databases, fakes) as stack, asyncio.timeout(120):
        reply = await stack.say("해줘")
    assert (reply["state"], reply["error"]) == ("failed", "not_found")


async def test_closing_waits_for_the_turns_it_cancels(databases: Databases) -> None:
    fakes = Fakes(models=slow(), lease_times=LONG)
    async with new_stack(databases, fakes) as stack, answering(stack) as running:
        await stack.services.chat.turns.close()
        assert running.task.done()


async def test_the_end_of_one_run_leaves_the_next_run_of_its_turn(databases: Databases) -> None:
    fakes = Fakes(models=models(*[Pieces(("아직",), 3600)] * 2), lease_times=LONG)
    async with new_stack(databases, fakes) as stack, answering(stack) as first:
        chat = stack.services.chat.turns
        second = chat._start(first.opened, Lease(first.lease.owner, 2))
        first.task.cancel()
        await asyncio.wait([first.task])
        assert list(chat._running.values()) == [second]
        second.task.cancel()
        await asyncio.wait([second.task])
        assert not chat._running


async def test_a_request_is_told_to_come_back_when_its_answer_takes_too_long(
    databases: Databases,
) -> None:
    fakes = Fakes(models=slow(), turn_times=TurnTimes(wait=0.2))
    async with new_stack(databases, fakes) as stack:
        told = await stack.http.post("/v1/chat", json={"message": "?"}, headers=stack.headers())
        turn = UUID(told.headers["Saegim-Turn"])
        state = (
            await stack.services.conversations.turns.find((await stack.caller()).scope, turn)
        ).state
    assert (told.status_code, told.json()["code"]) == (503, "turn_pending")
    assert int(told.headers["Retry-After"]) > 0
    assert state is TurnState.RUNNING


# Other processes -----------------------------------------------------------------------------


async def test_a_reader_takes_over_an_abandoned_turn_without_a_worker(
    databases: Databases,
) -> None:
    fakes = Fakes(models=slow(), lease_times=SHORT)
    async with new_stack(databases, fakes) as dead, answering(dead) as running:
        turn = running.opened.turn
    fakes = Fakes(models=models("이어서 답합니다"), lease_times=LONG)
    async with new_stack(databases, fakes) as alive, asyncio.timeout(120):
        reply = await alive.services.chat.turns.reply(turn.scope, turn.id)
    assert (reply.state, reply.answer) == (TurnState.DONE, "이어서 답합니다")


async def test_a_process_with_a_fast_clock_takes_no_running_turn(databases: Databases) -> None:
    async with new_stack(databases, Fakes(models=slow(), lease_times=LONG)) as stack:
        fakes = Fakes(models=models("남의 턴"), clock=FastClock(), lease_times=LONG)
        async with new_stack(databases, fakes) as other, answering(stack) as running:
            turn = running.opened.turn
            await other.services.chat.turns.watch(turn.scope.tenant, turn.id)
            found = await stack.services.conversations.turns.find(turn.scope, turn.id)
    assert (found.state, found.attempt) == (TurnState.RUNNING, 1)


async def test_shown_text_is_not_answered_anew_when_redis_is_away(databases: Databases) -> None:
    pieces = models(Pieces(("보였습니다 ", *["…"] * 3_000), 0.06))
    fakes = Fakes(models=pieces, lease_times=SHORT)
    async with (
        new_stack(databases, fakes, settings=NO_REDIS) as dead,
        answering(dead, "보였습니다") as running,
        asyncio.timeout(120),
    ):
        turn = running.opened.turn
        while not await text_shown(dead, turn.id):
            await asyncio.sleep(0.02)
    unasked = models("다른 답")
    other = Fakes(models=unasked, lease_times=LONG)
    async with new_stack(databases, other, settings=NO_REDIS) as alive, asyncio.timeout(120):
        reply = await alive.services.chat.turns.reply(turn.scope, turn.id)
    assert (reply.state, reply.error) == (TurnState.INCOMPLETE, "interrupted")
    assert not unasked.requests


async def text_shown(stack: Stack, turn: UUID) -> bool:
    async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id) as connection:
        found = await connection.execute(b"select text_shown from turn where turn_id = %s", (turn,))
        row = await found.fetchone()
    return row is not None and row["text_shown"]


async def test_a_known_key_is_found_without_storing_anything(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        caller, chat = await stack.caller(), stack.services.chat.turns
        first = await chat.receive(caller, ChatRequest("안녕", idempotency_key="k"))
        again = await chat.receive(caller, ChatRequest("안녕", idempotency_key="k"))
    assert (again.turn.id, again.lease) == (first.turn.id, None)
