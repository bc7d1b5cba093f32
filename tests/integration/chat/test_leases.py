"""A process that dies in the middle of an answer leaves a turn that another finishes."""

import asyncio
from uuid import UUID

from benchmarks.doubles.models import Pieces, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.relay import LeaseTimes
from saegim.domain.errors import StoreUnavailable
from saegim.llm.ports import ModelRole
from tests.stack import Databases, Stack, new_stack, while_asking

SHORT = LeaseTimes(lasts_seconds=0.6, renew_seconds=0.2, watch_margin_seconds=0.1)
# For a process that lives: a busy machine may not run it for seconds.
LONG = LeaseTimes(lasts_seconds=600)


def models(*replies: str | Pieces | Exception) -> ScriptedModels:
    return ScriptedModels({ModelRole.LITE: list(replies)}, timeout_seconds=3600)


async def die_while_answering(
    databases: Databases, reply: str | Pieces, shown: str = ""
) -> tuple[Stack, UUID]:
    """Leaves a running turn behind, as a killed process does; others can read what was `shown`."""
    scripted = models(reply)
    async with new_stack(databases, Fakes(models=scripted, lease_times=SHORT)) as stack:
        asking = asyncio.create_task(stack.say("해줘", **{"Saegim-Session": "s"}))
        await while_asking(asking, lambda: scripted.requests)
        [((_, turn), running)] = stack.services.chat.turns._running.items()
        relay = stack.services.chat.turns.relay
        async with asyncio.timeout(120):
            while shown not in await relay.shown(running.opened.turn):
                await asyncio.sleep(0.01)
        running.task.cancel()
        asking.cancel()
        await asyncio.wait([running.task, asking])
    return stack, turn


async def test_a_worker_resumes_a_silent_turn(databases: Databases) -> None:
    dead, turn = await die_while_answering(databases, Pieces(("아직",), 3600))
    fakes = Fakes(models=models("이어서 답합니다"), lease_times=LONG)
    async with new_stack(databases, fakes) as alive, alive.working():
        reply = await settled(alive, dead, turn)

    assert (reply["state"], reply["answer"]) == ("done", "이어서 답합니다")


async def test_text_that_was_shown_is_kept_not_written_again(databases: Databases) -> None:
    pieces = Pieces(("여기까지는 ", "보였습니다 ", *["…"] * 3_000), 0.06)
    dead, turn = await die_while_answering(databases, pieces, shown="여기까지는 보였습니다")
    fakes = Fakes(models=models("다른 글"), lease_times=LONG)
    async with new_stack(databases, fakes) as alive, alive.working():
        reply = await settled(alive, dead, turn)
        path = f"/v1/turns/{turn}/trace"
        why = (await alive.http.get(path, headers=dead.headers())).json()["trace"]

    assert (reply["state"], reply["error"]) == ("incomplete", "interrupted")
    assert why["answer"]["outcome"] == "interrupted"
    assert str(reply["answer"]).startswith("여기까지는 보였습니다")


async def test_a_turn_that_breaks_in_the_worker_too_is_looked_after_again(
    databases: Databases,
) -> None:
    dead, turn = await die_while_answering(databases, Pieces(("아직",), 3600))
    broken_once = models(StoreUnavailable(), "두 번째에 답합니다")
    # Its own lease has to end, too.
    times = LeaseTimes(lasts_seconds=3.0, renew_seconds=0.3, watch_margin_seconds=0.1)
    fakes = Fakes(models=broken_once, lease_times=times)
    async with new_stack(databases, fakes) as alive, alive.working():
        reply = await settled(alive, dead, turn)
    assert (reply["state"], reply["answer"]) == ("done", "두 번째에 답합니다")


async def test_a_turn_that_kills_every_process_is_given_up(databases: Databases) -> None:
    dead, turn = await die_while_answering(databases, Pieces(("아직",), 3600))
    async with new_stack(databases, Fakes(lease_times=LONG)) as alive:
        cell = alive.services.db.cells.home
        async with cell.transaction(dead.tenant.tenant.id) as connection:
            await connection.execute(b"update turn set attempt = 3 where turn_id = %s", (turn,))
        async with alive.working():
            reply = await settled(alive, dead, turn)
        path = f"/v1/turns/{turn}/trace"
        why = (await alive.http.get(path, headers=dead.headers())).json()["trace"]
    assert (reply["state"], reply["error"]) == ("failed", "attempts_exhausted")
    assert why["answer"]["outcome"] == "attempts_exhausted"
    assert why["attempt"] > 1


async def test_a_long_turn_is_not_taken_from_a_living_process(databases: Databases) -> None:
    ends = asyncio.Event()
    times = LeaseTimes(lasts_seconds=600, renew_seconds=0.2)
    slow = Pieces(("길게",), then=Pieces((" 씁니다",), begin=ends))
    fakes = Fakes(models=models(slow), lease_times=times)
    async with new_stack(databases, fakes) as stack, stack.working(), asyncio.timeout(120):
        asking = asyncio.create_task(stack.say("길게 써줘"))
        await while_asking(asking, lambda: stack.services.chat.turns._running)
        [(tenant, turn)] = stack.services.chat.turns._running
        first = await leased_until(stack, turn)
        while await leased_until(stack, turn) == first:
            await asyncio.sleep(0.05)
        await stack.services.chat.turns.watch(tenant, turn)
        ends.set()
        reply = await asking
        view = await stack.http.get(f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers())
    assert (reply["state"], reply["answer"]) == ("done", "길게 씁니다")
    assert view.json()["trace"]["attempt"] == 1


async def test_a_stopping_process_hands_a_silent_turn_to_a_worker(databases: Databases) -> None:
    fakes = Fakes(models=models(Pieces(("아직",), 3600)), lease_times=LONG)
    async with new_stack(databases, fakes) as stack:
        asking = asyncio.create_task(stack.say("해줘"))
        await while_asking(asking, lambda: stack.services.chat.turns._running)
        [(_, turn)] = stack.services.chat.turns._running
        asking.cancel()
        await asyncio.wait([asking])
    async with new_stack(databases, Fakes(models=models("받았습니다"))) as alive, alive.working():
        reply = await settled(alive, stack, turn)
    assert (reply["state"], reply["answer"]) == ("done", "받았습니다")


async def leased_until(stack: Stack, turn: UUID) -> object:
    async with stack.services.db.cells.home.transaction(stack.tenant.tenant.id) as connection:
        found = await connection.execute(
            b"select lease_until from turn where turn_id = %s", (turn,)
        )
        row = await found.fetchone()
    assert row is not None
    return row["lease_until"]


async def settled(alive: Stack, owner: Stack, turn: UUID) -> dict[str, object]:
    """The turn once it is over, as its owner sees it through the living process."""
    async with asyncio.timeout(120):
        while True:
            response = await alive.http.get(f"/v1/turns/{turn}", headers=owner.headers())
            if response.json()["state"] in ("done", "incomplete", "failed"):
                return response.json()
            await asyncio.sleep(0.05)
