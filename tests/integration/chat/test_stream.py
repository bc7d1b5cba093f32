"""Answers as they are written: streamed, followed again, stopped."""

import asyncio

from benchmarks.doubles.models import Pieces, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.relay import LeaseTimes
from saegim.llm.ports import ModelRole
from tests.stack import Databases, ServerEvent, Stack, new_stack, read_events, served, while_asking

SYLLABLES = tuple("한글은 절대로 깨지지 않습니다. 👩‍👩‍👧 끝.")
STREAM = {"Accept": "text/event-stream"}


FIRST, REST = SYLLABLES[:10], SYLLABLES[10:]


def in_two_parts(begin: asyncio.Event) -> Fakes:
    """A model that writes the rest when the event is set."""
    pieces = Pieces(FIRST, then=Pieces(REST, 0.02, begin=begin))
    models = ScriptedModels({ModelRole.LITE: [pieces]})
    return Fakes(models=models, lease_times=LeaseTimes(lasts_seconds=600))


async def test_an_answer_is_streamed_piece_by_piece(databases: Databases) -> None:
    seen, events = asyncio.Event(), list[ServerEvent]()
    async with (
        new_stack(databases, in_two_parts(seen)) as stack,
        served(stack.services) as http,
    ):
        request = http.stream(
            "POST", "/v1/chat", json={"message": "읊어줘"}, headers=stack.headers(**STREAM)
        )
        async with request as response:
            async for event in read_events(response):
                events.append(event)
                # The first part is shown before the rest is written.
                if event.name == "token":
                    seen.set()

    assert response.headers["x-accel-buffering"] == "no"
    phases = [event.data["phase"] for event in events if event.name == "status"]
    assert phases == ["received", "routing", "searching", "answering"]
    names = [event.name for event in events if event.name != "memory"]
    assert names.index("token") > max(n for n, name in enumerate(names) if name == "status")
    tokens = [event.data["text"] for event in events if event.name == "token"]
    assert len(tokens) > 1
    assert "".join(tokens) == "".join(SYLLABLES)
    assert events[-1].name == "done"
    assert events[-1].data["answer"] == "".join(SYLLABLES)


async def test_a_dropped_client_gets_the_rest_by_turn_id(databases: Databases) -> None:
    dropped = asyncio.Event()
    async with (
        new_stack(databases, in_two_parts(dropped)) as stack,
        served(stack.services) as http,
    ):
        request = http.stream(
            "POST", "/v1/chat", json={"message": "읊어줘"}, headers=stack.headers(**STREAM)
        )
        seen, last = "", ""
        async with request as response:
            turn = response.headers["saegim-turn"]
            async for event in read_events(response):
                seen, last = seen + event.data.get("text", ""), event.id
                if len(seen) > 8:
                    break
        dropped.set()
        rest = await follow(http, stack, turn, last)

    assert 8 < len(seen) < len("".join(SYLLABLES))
    assert seen + rest == "".join(SYLLABLES)


async def test_another_process_streams_the_rest_from_the_buffer(databases: Databases) -> None:
    followed = asyncio.Event()
    async with (
        new_stack(databases, in_two_parts(followed)) as stack,
        new_stack(databases, Fakes()) as elsewhere,
        served(stack.services) as http,
        served(elsewhere.services) as other,
    ):
        request = http.stream(
            "POST", "/v1/chat", json={"message": "읊어줘"}, headers=stack.headers(**STREAM)
        )
        async with request as response:
            turn = response.headers["saegim-turn"]
            events = aiter(read_events(response))
            while (await anext(events)).name != "token":
                pass
            pieces: list[str] = []
            following = asyncio.create_task(follow(other, stack, turn, "", pieces))
            # It comes while it is written, not all at the end.
            await while_asking(following, lambda: pieces)
            followed.set()
            whole = await following

    assert whole == "".join(SYLLABLES)


async def test_following_a_finished_turn_gives_all_of_it(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")
    async with served(stack.services) as http:
        assert await follow(http, stack, reply["turn_id"], "") == reply["answer"]
        assert await follow(http, stack, reply["turn_id"], "1-3") == reply["answer"][3:]


async def test_a_position_of_another_attempt_starts_over(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")
    async with served(stack.services) as http:
        path = f"/v1/turns/{reply['turn_id']}/events"
        headers = stack.headers(**{"Last-Event-ID": "7-3"})
        async with http.stream("GET", path, headers=headers) as response:
            events = [event async for event in read_events(response)]
    assert [event.name for event in events] == ["restart", "token", "done"]


async def test_cancelling_keeps_what_was_shown(databases: Databases) -> None:
    fakes = Fakes(
        models=ScriptedModels(
            {ModelRole.LITE: lambda _: Pieces(("보인 글 ", *["…"] * 10_000), 0.05)}
        )
    )
    async with new_stack(databases, fakes) as stack, served(stack.services) as http:
        request = http.stream(
            "POST", "/v1/chat", json={"message": "읊어줘"}, headers=stack.headers(**STREAM)
        )
        async with request as response:
            turn = response.headers["saegim-turn"]
            events = aiter(read_events(response))
            while (await anext(events)).name != "token":
                pass
            stopped = await http.post(f"/v1/turns/{turn}/cancel", headers=stack.headers())
            rest = [event async for event in events]

    assert stopped.json()["state"] == "incomplete"
    assert stopped.json()["error"] == "cancelled"
    assert stopped.json()["answer"].startswith("보인 글")
    assert rest[-1].data["answer"] == stopped.json()["answer"]


async def test_cancelling_from_another_process_works_too(databases: Databases) -> None:
    fakes = Fakes(
        models=ScriptedModels({ModelRole.LITE: lambda _: Pieces(("길게 ", *["…"] * 10_000), 0.05)})
    )
    async with new_stack(databases, fakes) as stack, new_stack(databases) as elsewhere:
        asking = asyncio.create_task(stack.say("읊어줘"))
        await while_asking(asking, lambda: stack.services.chat.turns._running)
        [(_, turn)] = stack.services.chat.turns._running
        channel = stack.services.chat.turns.relay.find(stack.tenant.tenant.id, turn)
        assert channel is not None
        await while_asking(asking, lambda: channel.text)
        caller = await stack.caller()
        await elsewhere.services.chat.turns.cancel(caller.scope, turn)
        reply = await asyncio.wait_for(asking, 120)
    assert (reply["state"], reply["error"]) == ("incomplete", "cancelled")


async def follow(http, stack: Stack, turn: str, last: str, pieces: list[str] | None = None) -> str:
    """The text that the events endpoint gives after `last`."""
    headers = stack.headers(**({"Last-Event-ID": last} if last else {}))
    pieces = [] if pieces is None else pieces
    async with http.stream("GET", f"/v1/turns/{turn}/events", headers=headers) as response:
        async for event in read_events(response):
            if event.name == "token":
                pieces.append(event.data["text"])
    return "".join(pieces)
