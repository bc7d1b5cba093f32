"""Single calls: what is sent, what comes back, and how often it is tried."""

import json

import httpx2
import pytest

import saegim.client
from saegim.client import AssistantSaid, Retry, SaegimClient, SaegimProblem, Unreachable, UserSaid
from saegim.client.client import trusted
from tests.unit.client.server import REPLY, SESSION, TURN, Answer, Script, problem, refused

QUICK = Retry(retries=2, first_pause=0.001, longest_pause=0.002)
AWAY = httpx2.Response(503, headers={"Retry-After": "30"}, text="away")


def talking_to(script: Script, **options: str) -> SaegimClient:
    return SaegimClient("http://saegim", "sgm_key", retry=QUICK, transport=script, **options)  # pyright: ignore[reportArgumentType] - only names are passed


def replying() -> httpx2.Response:
    return httpx2.Response(200, json=REPLY)


def test_the_public_names_are_these() -> None:
    assert sorted(saegim.client.__all__) == [
        "Active",
        "AssistantSaid",
        "Block",
        "BlockingClient",
        "ChannelContext",
        "ChannelMessage",
        "ChatReply",
        "Citation",
        "CitationEvent",
        "ClientError",
        "Done",
        "DueNotice",
        "Entity",
        "Evaluation",
        "Event",
        "Guild",
        "MemoriesEvent",
        "Notice",
        "Place",
        "Ready",
        "RecentTurn",
        "RememberedMemory",
        "Restart",
        "Retry",
        "SaegimClient",
        "SaegimProblem",
        "Session",
        "SessionContext",
        "Status",
        "Token",
        "Trace",
        "Turn",
        "TurnOpened",
        "TurnRemembered",
        "TurnState",
        "Unreachable",
        "UserSaid",
        "VersionConflict",
    ]
    assert all(hasattr(saegim.client, name) for name in saegim.client.__all__)


async def test_a_reply_comes_back_typed_and_ignores_what_a_newer_server_adds() -> None:
    async with talking_to(Script(replying())) as client:
        reply = await client.chat("안녕")
    assert (reply.turn_id, reply.session_id) == (TURN, SESSION)
    assert reply.answer == "안녕하세요"
    assert reply.degraded == ("model",)


async def test_names_in_any_language_travel_percent_encoded() -> None:
    script = Script(replying())
    async with talking_to(script, user="김새김", profile="a%20b", session="월말 정산") as client:
        await client.chat("안녕")
    sent = script.requests[0].headers
    assert sent["Authorization"] == "Bearer sgm_key"
    assert sent["Saegim-User"] == "%EA%B9%80%EC%83%88%EA%B9%80"
    assert sent["Saegim-Profile"] == "a%2520b"
    assert sent["Saegim-Session"] == "%EC%9B%94%EB%A7%90%20%EC%A0%95%EC%82%B0"


async def test_one_connection_speaks_for_many_and_stays_itself() -> None:
    script = Script(replying(), replying(), replying())
    async with talking_to(script, user="bot") as client:
        await client.speaking_for("discord:1", "guild:7", "ko").chat("안녕")
        await client.speaking_for("김새김").chat("안녕")
        await client.chat("안녕")
    first, second, own = (request.headers for request in script.requests)
    assert (first["Saegim-User"], first["Saegim-Profile"]) == ("discord%3A1", "guild%3A7")
    assert first["Accept-Language"] == "ko"
    assert second["Saegim-User"] == "%EA%B9%80%EC%83%88%EA%B9%80"
    assert "Saegim-Profile" not in second
    assert own["Saegim-User"] == "bot"


async def test_a_session_of_the_call_goes_before_that_of_the_client() -> None:
    script = Script(replying())
    async with talking_to(script, session="one") as client:
        await client.chat("안녕", session="two")
    assert script.requests[0].headers["Saegim-Session"] == "two"


async def test_history_and_documents_are_sent_only_where_they_are_given() -> None:
    script = Script(replying(), replying())
    async with talking_to(script) as client:
        await client.chat("안녕")
        await client.chat(
            "그건?",
            chat_history=[UserSaid(content="안녕"), AssistantSaid(summary="인사", refs=("r",))],
            selected_doc_ids=["d1"],
        )
    bare, full = (json.loads(request.content) for request in script.requests)
    assert bare == {"message": "안녕"}
    assert full == {
        "message": "그건?",
        "chat_history": [
            {"role": "user", "content": "안녕"},
            {"role": "assistant", "summary": "인사", "refs": ["r"], "doc_ids": []},
        ],
        "selected_doc_ids": ["d1"],
    }


@pytest.mark.parametrize(
    "first", [refused(), httpx2.ReadTimeout("slow"), AWAY, problem(503, "store_unavailable")]
)
async def test_a_call_that_broke_off_is_repeated_with_the_same_key(first: Answer) -> None:
    script = Script(first, replying())
    async with talking_to(script) as client:
        await client.chat("안녕")
    keys = [request.headers["Idempotency-Key"] for request in script.requests]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert keys[0]


async def test_two_messages_never_share_a_key() -> None:
    script = Script(replying(), replying())
    async with talking_to(script) as client:
        await client.chat("안녕")
        await client.chat("안녕")
    assert len({request.headers["Idempotency-Key"] for request in script.requests}) == 2


async def test_a_key_of_ones_own_is_sent_as_it_is() -> None:
    script = Script(replying(), replying())
    async with talking_to(script) as client:
        await client.chat("안녕", idempotency_key="order-1%2")
        await client.chat("안녕", idempotency_key="주문")
    sent = [request.headers["Idempotency-Key"] for request in script.requests]
    assert sent == ["order-1%2", "%EC%A3%BC%EB%AC%B8"]


async def test_it_gives_up_after_the_last_retry() -> None:
    script = Script(refused(), refused(), refused())
    async with talking_to(script) as client:
        with pytest.raises(Unreachable, match="refused"):
            await client.chat("안녕")
    assert len(script.requests) == 3


async def test_a_server_that_stays_away_is_reported_in_its_own_words() -> None:
    script = Script(AWAY, AWAY, problem(503, "store_unavailable", request_id="r1"))
    async with talking_to(script) as client:
        with pytest.raises(SaegimProblem) as caught:
            await client.chat("안녕")
    assert (caught.value.code, caught.value.request_id) == ("store_unavailable", "r1")


@pytest.mark.parametrize("status", [401, 403, 404, 409, 413, 422, 500])
async def test_a_refusal_is_not_repeated(status: int) -> None:
    script = Script(problem(status, "conflict", detail="이미 있습니다"))
    async with talking_to(script) as client:
        with pytest.raises(SaegimProblem, match="제목 이미 있습니다") as caught:
            await client.chat("안녕")
    assert (caught.value.code, caught.value.status) == ("conflict", status)
    assert len(script.requests) == 1


@pytest.mark.parametrize("body", ["<html>no</html>", "[1]", '{"code": 5}'])
async def test_a_page_that_is_not_ours_is_known_by_its_status(body: str) -> None:
    async with talking_to(Script(httpx2.Response(404, text=body))) as client:
        with pytest.raises(SaegimProblem, match="HTTP 404 Not Found") as caught:
            await client.turn(TURN)
    assert caught.value.code == "http_error"


async def test_turns_of_a_session_are_read_page_by_page() -> None:
    def page(number: int, following: int | None) -> httpx2.Response:
        turn = {"turn_id": str(TURN), "session_id": str(SESSION), "number": number} | {
            "state": "done",
            "message": "안녕",
            "answer": "네",
            "error": None,
            "created_at": "2026-11-15T00:00:00Z",
            "settled_at": None,
        }
        cursors = {"next_after": following, "next_before": None}
        return httpx2.Response(200, json={"turns": [turn], **cursors})

    script = Script(page(1, 1), page(2, None))
    async with talking_to(script) as client:
        numbers = [turn.number async for turn in client.turns(SESSION)]
    assert numbers == [1, 2]
    assert [dict(request.url.params) for request in script.requests] == [
        {"after": "0"},
        {"after": "1"},
    ]


async def test_ready_tells_at_once_that_a_server_cannot_serve() -> None:
    body = {"ready": False, "postgres": "down", "redis": "ok"}
    script = Script(httpx2.Response(503, json=body))
    async with talking_to(script) as client:
        ready = await client.ready()
    assert (ready.ready, ready.postgres) == (False, "down")


async def test_ready_does_not_try_again() -> None:
    script = Script(refused())
    async with talking_to(script) as client:
        with pytest.raises(Unreachable):
            await client.ready()
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("failures", "asked", "seconds"),
    [
        (1, None, 0.25),
        (3, None, 1.0),
        (1, "2", 2.0),
        (1, "3600", 10.0),
        (3, "0", 1.0),
        (1, "Wed, 21 Oct 2026 07:28:00 GMT", 0.25),
        (4, None, 2.0),
        (5, "1", None),
    ],
)
def test_pauses_grow_follow_the_server_and_end(
    failures: int, asked: str | None, seconds: float | None
) -> None:
    assert Retry().pause(failures, asked) == seconds


async def test_clients_read_the_trusted_certificates_once() -> None:
    before = trusted.cache_info()
    for _ in range(10):
        async with SaegimClient("https://saegim.example", "sgm_key"):
            pass
    after = trusted.cache_info()
    assert after.misses - before.misses <= 1
    assert after.hits - before.hits >= 9
