"""Streamed turns: in order, and whole, over as many connections as it takes."""

import httpx2
import pytest

from saegim.client import (
    Done,
    Event,
    Restart,
    Retry,
    SaegimClient,
    SaegimProblem,
    Status,
    Token,
    TurnOpened,
    Unreachable,
)
from tests.unit.client.server import (
    SESSION,
    TURN,
    Script,
    done,
    event,
    events,
    problem,
    refused,
    token,
)

CUT = httpx2.ReadError("cut")
START = "POST /v1/chat"
REST = f"GET /v1/turns/{TURN}/events"


def talking_to(script: Script) -> SaegimClient:
    return SaegimClient("http://saegim", "sgm_key", retry=Retry(2, 0.001, 0.002), transport=script)


async def heard(script: Script) -> list[Event]:
    async with talking_to(script) as client:
        return [event async for event in client.stream("안녕")]


def text_of(found: list[Event]) -> str:
    return "".join(event.text for event in found if isinstance(event, Token))


async def test_events_come_in_order_and_end_with_done() -> None:
    received = event("status", {"phase": "received"}, "1-0")
    script = Script(events(received, ": heartbeat\n\n", token("안녕", "1-2"), done()))
    opened, status, piece, last = await heard(script)
    assert opened == TurnOpened(TURN, SESSION)
    assert status == Status("received")
    assert piece == Token("안녕")
    assert isinstance(last, Done)
    assert last.reply.answer == "안녕하세요"
    assert b'"stream":true' in script.requests[0].content.replace(b" ", b"")


async def test_a_dropped_stream_goes_on_where_it_broke_off() -> None:
    script = Script(
        events(token("안녕", "1-2"), CUT),
        events(token("하세", "1-4"), opened=False),
        events(token("요", "1-5"), done(), opened=False),
    )
    found = await heard(script)
    assert text_of(found) == "안녕하세요"
    assert isinstance(found[-1], Done)
    assert script.calls == [START, REST, REST]
    assert [request.headers.get("Last-Event-ID") for request in script.requests[1:]] == [
        "1-2",
        "1-4",
    ]


async def test_half_an_event_is_not_heard_and_asked_for_again() -> None:
    whole = token("하세요", "1-5")
    script = Script(
        events(token("안녕", "1-2"), whole[: len(whole) // 2]),
        events(whole, done(), opened=False),
    )
    assert text_of(await heard(script)) == "안녕하세요"
    assert script.requests[1].headers["Last-Event-ID"] == "1-2"


async def test_a_message_whose_answer_never_began_is_sent_again_with_its_key() -> None:
    script = Script(refused(), problem(503, "store_unavailable"), events(done()))
    assert isinstance((await heard(script))[-1], Done)
    assert script.calls == [START, START, START]
    assert len({request.headers["Idempotency-Key"] for request in script.requests}) == 1


async def test_a_turn_that_is_known_is_never_sent_again() -> None:
    script = Script(events(CUT), refused(), events(token("안녕", "1-2"), done(), opened=False))
    found = await heard(script)
    assert [type(event) for event in found] == [TurnOpened, Token, Done]
    assert script.calls == [START, REST, REST]
    assert "Last-Event-ID" not in script.requests[1].headers


async def test_every_piece_that_arrives_earns_new_patience() -> None:
    drops = [events(token("가", f"1-{n}"), CUT, opened=n == 1) for n in range(1, 6)]
    script = Script(*drops, events(done(), opened=False))
    assert text_of(await heard(script)) == "가" * 5


async def test_it_gives_up_on_a_stream_that_stays_silent() -> None:
    script = Script(events(token("안녕", "1-2"), CUT), refused(), refused())
    async with talking_to(script) as client:
        with pytest.raises(Unreachable, match="refused"):
            async for _ in client.stream("안녕"):
                pass
    assert script.calls == [START, REST, REST]


async def test_a_restart_is_passed_on() -> None:
    script = Script(events(token("틀린", "1-2"), event("restart", {}, "2-0"), done()))
    assert Restart() in await heard(script)


async def test_an_outage_of_the_store_interrupts_the_stream_but_not_the_turn() -> None:
    down = event("error", {"code": "store_unavailable", "title": "잠시 후"}, "0-0")
    script = Script(events(token("안녕", "1-2"), down), events(done(), opened=False))
    assert isinstance((await heard(script))[-1], Done)
    assert script.requests[1].headers["Last-Event-ID"] == "1-2"


async def test_an_error_of_the_turn_is_raised() -> None:
    script = Script(events(event("error", {"code": "not_found", "title": "없음"}, "0-0")))
    async with talking_to(script) as client:
        with pytest.raises(SaegimProblem, match="없음"):
            async for _ in client.stream("안녕"):
                pass


async def test_a_refused_message_is_raised_and_not_repeated() -> None:
    script = Script(problem(413, "too_large"))
    async with talking_to(script) as client:
        with pytest.raises(SaegimProblem) as caught:
            async for _ in client.stream("안녕"):
                pass
    assert (caught.value.code, len(script.requests)) == ("too_large", 1)


async def test_an_event_of_a_newer_server_is_passed_over() -> None:
    script = Script(events(event("thought", {"x": 1}, "1-0"), done()))
    assert [type(event) for event in await heard(script)] == [TurnOpened, Done]


async def test_a_turn_of_before_can_be_followed() -> None:
    script = Script(events(token("하세요", "1-5"), done(), opened=False))
    async with talking_to(script) as client:
        found = [event async for event in client.follow(TURN, "1-2")]
    assert text_of(found) == "하세요"
    assert script.calls == [REST]
    assert script.requests[0].headers["Last-Event-ID"] == "1-2"
