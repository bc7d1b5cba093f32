"""Whole turns with arbitrary results of models, embedder and tools: the limits hold."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings, strategies as st
from pydantic import SecretStr
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.models import Calls, Pieces, Reply, ScriptedModels
from benchmarks.doubles.services import CannedResponse, LocalService
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.chat.context.assembly import Budgets
from saegim.chat.service import bounded
from saegim.chat.types import MARKER, ChatRequest, TurnTimes
from saegim.conversations.types import HistoryEntry
from saegim.domain.errors import Invalid, ModelUnavailable, TooLarge
from saegim.llm.connections.checks import TOOL_PROMPT
from saegim.llm.ports import EmbedKind, ModelRole
from saegim.llm.steps import MOST_CALLS as MOST_MODEL_CALLS
from saegim.research.types import MOST_CALLS
from saegim.text.tokens import count
from tests.integration.chat.library_stack import (
    LIBRARY,
    configure,
    drafted,
    library_stack,
    reviewed,
)
from tests.sizes import sized
from tests.stack import Databases, Stack, patient

USUAL_TIMES, SHORT = TurnTimes(), TurnTimes(whole=2.4, answer=1.2, step=0.4)
# A busy machine: thinking is over in time, give or take what the scheduler does. One step that does
# not keep to its time takes longer.
LATE_SECONDS = 60.0
# What stands around the blocks: tags, blank lines, and seams that the tokenizer splits otherwise.
AROUND_TOKENS = 120
LONG_PAUSE = 3_600.0
# A fence ends with a line that has nothing else.
CODE = re.compile(r"^```.*?(?:^```[ \t]*$|\Z)|```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL | re.MULTILINE)

SAID = st.sampled_from(
    [
        "EC2 예약 인스턴스 비용은?",
        "SUPRA XP 센서 이상",
        "myservice 29392 설명해줘",
        "myservice 11111 설명해줘",
        "그 문서 더 자세히",
        "EC2 할인 인터넷에서 검색해줘",
        "1월은?",
        "안녕하세요",
        "투자해도 되나요? [1] [M1] [T1]",
        "비용 " * 700,
        "EC2 비용을 줄이는 방법을 알려 주세요. " * 300,
    ]
)
MESSAGE = SAID | st.text(min_size=1, max_size=300)
SPOKEN = st.sampled_from(
    [
        "예약 인스턴스로 줄입니다 [1].",
        "[1][2][99] [M1] [M9] [T1] [T77] [F1] [F9]",
        "값은 5.2 V입니다 [1, 2] [1;T1].",
        "![x](https://evil.example/x) [1](https://evil.example) [",
        "```\n[1]\n``` `[2]` [3]",
        "가 " * 40_000,
        "[1]" * 5_000,
        "",
        "\x00\ufffd\u202e[1]",
    ]
) | st.text(max_size=200)
BROKEN = st.sampled_from(
    ["{", "[]", "null", "7", '{"draft": null}', '{"route": 7, "tools": [{}]}', '{"ranked_indices":']
)
ERRORS = st.sampled_from(
    [
        ModelHTTPError(500, "m"),
        ModelHTTPError(400, "m"),
        ModelHTTPError(429, "m"),
        UnexpectedModelBehavior("odd"),
        TimeoutError(),
        ValueError("not of the shape"),
    ]
)
NAMES = (
    "search", "read", "recall", "remember", "forget", "undo", "dont_remember", "hand_off",
    "web_search", "get_weather", "delete_account", "",
)  # fmt: skip
VALUES = st.sampled_from(["1", "[1]", "M1", "EC2 비용", "2026-13-45"]) | st.text(max_size=20)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["query", "ref", "refs", "statement", "quote", "since", "place", "x"]),
    VALUES | st.integers() | st.none() | st.lists(VALUES, max_size=9),
    max_size=4,
)
CALLS = st.builds(
    lambda calls, text: Calls(tuple(calls), text),
    st.lists(st.tuples(st.sampled_from(NAMES), ARGUMENTS), min_size=1, max_size=12),
    st.text(max_size=20),
)
FORMS = st.one_of(
    st.builds(
        lambda ranked, confidence, **rest: reviewed(*ranked, confidence=confidence, **rest),
        ranked=st.lists(st.integers(-3, 30), max_size=50),
        confidence=st.floats(0, 1),
        is_sufficient=st.booleans(),
        missing=st.lists(st.sampled_from(["steps", "table", "없음"]), max_size=3),
        next_action=st.sampled_from(["get_section", "search_again", None]),
        refined_query=st.none() | SPOKEN.map(lambda text: text[:1_000]),
        refers_to_document=st.booleans(),
        route=st.sampled_from(["ts", "setup", "general", "chat", "없음"]),
        standalone=st.none() | SPOKEN.map(lambda text: text[:4_000]),
    ),
    st.builds(
        lambda text, overall, risk, **rest: drafted(text[:20_000], overall, risk, **rest),
        text=SPOKEN,
        overall=st.floats(0, 1),
        risk=st.floats(0, 1),
        needs_strong_model=st.booleans(),
    ),
)
DYING = st.builds(
    Pieces, st.lists(st.text(min_size=1, max_size=20), max_size=4).map(tuple), st.just(0.0), ERRORS
)
REPLIES = FORMS | SPOKEN | BROKEN | ERRORS | DYING
SLOW = st.sampled_from(
    [Pieces(("늦은 ", "말"), LONG_PAUSE), Pieces(tuple("천천히 말합니다" * 200), 0.15)]
)
ANSWERS = st.sampled_from(
    [
        CannedResponse(
            {"items": [{"title": "EC2 [1]", "snippet": "[F1] 안내", "link": "https://a.example"}]}
        ),
        CannedResponse({"items": [{"title": "t", "snippet": "가" * 200_000, "link": "x"}] * 50}),
        CannedResponse({"items": 7}),
        CannedResponse(b"\xff\x00{"),
        CannedResponse({}, status=500),
        CannedResponse({"items": []}),
        CannedResponse({"items": [{}]}, breaks_after=3),
    ]
)


# Enough that a second and a third search still find something new.
MANY = {
    f"bill-{n}.md": f"# 비용 안내 {n}\n\nEC2 비용 {n}번 항목의 요금은 월 {n}만 원입니다."
    for n in range(12)
}


@dataclass(frozen=True)
class Play:
    """Behaviour of all outside services in one turn."""

    message: str
    assessor: Sequence[Reply]
    lite: Sequence[Reply]
    strong: Sequence[Reply] | None
    web: CannedResponse
    embedder: str = "ok"
    history: tuple[HistoryEntry, ...] | None = None
    selected: tuple[str, ...] = ()


HISTORY = st.none() | st.lists(
    st.builds(
        HistoryEntry,
        message=SPOKEN.map(lambda text: text[:2_000]),
        summary=SPOKEN.map(lambda text: text[:2_000]),
        doc_ids=st.lists(st.sampled_from(["ts-501", "faq-1", "nope"]), max_size=3).map(tuple),
    ),
    max_size=7,
).map(tuple)


def plays(
    replies: st.SearchStrategy[Any], webs: st.SearchStrategy[CannedResponse], *embedders: str
) -> Any:
    some = st.lists(replies, min_size=1, max_size=4)
    answers = st.lists(replies | CALLS, min_size=1, max_size=4)
    return st.builds(
        Play,
        message=MESSAGE,
        assessor=some,
        lite=answers,
        strong=st.none() | answers,
        web=webs,
        embedder=st.sampled_from(["ok", "ok", "gone", *embedders]),
        history=HISTORY,
        selected=st.lists(st.sampled_from(["ts-501", "nope"]), max_size=2).map(tuple),
    )


class AnyEmbedder(HashEmbedder):
    """One that may not answer, or not in time."""

    mode = "ok"

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        if self.mode == "gone":
            raise ModelUnavailable("embedder")
        await asyncio.sleep(LONG_PAUSE if self.mode == "slow" else 0)
        return await super().embed(texts, kind)


@dataclass
class TurnHarness:
    """A tenant with a library, and a service that its tools ask."""

    stack: Stack
    service: LocalService

    async def run(self, play: Play, times: TurnTimes = USUAL_TIMES) -> "Seen":
        """Runs one turn with new services, which know no earlier failures."""
        roles = {ModelRole.ASSESSOR: play.assessor, ModelRole.LITE: play.lite}
        if play.strong is not None:
            roles[ModelRole.STRONG] = play.strong
        scripts = {role: _over(replies) for role, replies in roles.items()}
        models = ScriptedModels(scripts, timeout_seconds=LONG_PAUSE)
        embedder = AnyEmbedder()
        embedder.mode = play.embedder
        self.service.answer = lambda _: play.web
        fakes = Fakes(models=models, embedder=embedder, turn_times=times)
        services = build(self.stack.services.settings, patient(fakes))
        await services.open()
        try:
            caller = await self.stack.caller()
            request = ChatRequest(
                play.message, history=play.history, selected_doc_ids=play.selected
            )
            opened = await services.chat.turns.receive(caller, request)
            reply = await services.chat.turns.reply(caller.scope, opened.turn.id)
            trace = await services.conversations.turns.trace(caller.scope, opened.turn.id)
        finally:
            await services.close()
        return Seen(opened.turn.message, reply, dict(trace), models, times)


@dataclass(frozen=True)
class Seen:
    """A turn as it came out."""

    message: str
    reply: Any
    trace: dict[str, Any]
    models: ScriptedModels
    times: TurnTimes

    def hold(self) -> None:
        """Every bound of a turn."""
        assert self.reply.state in ("done", "incomplete"), self.reply.error
        assert self.reply.answer.strip()
        assert len(self.trace["searches"]) <= MOST_CALLS
        assert len([c for c in self.trace["calls"] if c["model"] != "fallback"]) <= MOST_MODEL_CALLS
        assert len(self.models.requests) <= MOST_MODEL_CALLS
        self._budget()
        self._citations()
        self._time()

    def _budget(self) -> None:
        use = self.trace["context"]
        assert use["tokens"] <= use["budget"] <= Budgets().most
        assert use["raised"] or use["budget"] == Budgets().total
        for shown in self.models.requests:
            # A model that may refuse tools is asked to make sure.
            if shown.role is not ModelRole.ASSESSOR and shown.system != TOOL_PROMPT.system:
                first = [each for each in shown.messages if each.role != "tool"]
                last = max(at for at, each in enumerate(first) if each.role == "user")
                texts = [shown.system, *(message.text for message in first[: last + 1])]
                assert sum(map(count, texts)) <= use["budget"] + AROUND_TOKENS
                assert texts[-1].endswith(self.message), "the message is never cut"

    def _citations(self) -> None:
        cited = {one["marker"]: one for one in self.reply.citations}
        shown = set(MARKER.findall(CODE.sub("", self.reply.answer)))
        assert shown <= set(cited), shown - set(cited)
        there = {(item["kind"], item["id"]) for item in self.trace["items"]
                 if item["fate"] in ("injected", "pinned")}  # fmt: skip
        for one in cited.values():
            assert one["kind"] == "turn" or (one["kind"], one["id"]) in there, one

    def _time(self) -> None:
        spans = {span["name"]: span for span in self.trace["spans"]}
        began, last = spans["route"]["began_ms"], spans["answer"]
        took = (last["began_ms"] + last["took_ms"] - began) / 1000
        assert took <= self.times.whole + LATE_SECONDS, self.trace["spans"]


def _over(replies: Sequence[Reply]) -> Any:
    """The replies over and over, whatever is asked."""
    following = cycle(replies)
    return lambda _: next(following)


@pytest.fixture(scope="module")
async def harness(databases: Databases) -> AsyncIterator[TurnHarness]:
    async with LocalService(lambda _: CannedResponse({})) as service:
        outside = {
            "tool_keys": {"google": SecretStr("k"), "google-engine": SecretStr("e")},
            "tool_urls": {"google": service.url},
        }
        async with library_stack(
            databases, files={**LIBRARY, **MANY}, settings=outside, careful=True
        ) as stack:
            yield TurnHarness(stack, service)


def acceptable(play: Play) -> bool:
    """Whether a message is taken at all; what is refused has no turn."""
    try:
        bounded(ChatRequest(play.message))
    except (Invalid, TooLarge):
        return False
    return True


FEW = settings(
    max_examples=sized(25, 60),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
USUAL = Play("EC2 예약 인스턴스 비용은?", [reviewed(0)], ["답 [1]"], None, CannedResponse({}))

INSATIABLE = replace(
    USUAL,
    message="myservice 11111 비용 설명해줘",
    assessor=[
        reviewed(
            0,
            confidence=0.6,
            is_sufficient=False,
            next_action="search_again",
            refined_query=query,
        )
        for query in ("SUPRA XP 펌프 교체", "센서 케이블 이상", "알림 이메일 예산")
    ],
)


LOOKS_UP_AGAIN = replace(
    USUAL,
    assessor=[
        reviewed(
            confidence=0.0, is_sufficient=False, next_action="get_section", refers_to_document=True
        )
    ],
    history=(
        HistoryEntry("EC2?", "네", doc_ids=("faq-1",)),
        HistoryEntry("센서?", "네", doc_ids=("ts-501",)),
        HistoryEntry("비용?", "네", doc_ids=("nope",)),
    ),
    selected=("nope",),
)
REFUSES_TOOLS = replace(USUAL, lite=[ModelHTTPError(400, "m")])
NEVER_CLOSED = replace(USUAL, lite=["```\n[1]\n``` `[2]` [3]"])


@pytest.mark.sized
@pytest.mark.requirement("TN3", "TN5", "TN7")
@FEW
@given(play=plays(REPLIES, ANSWERS))
@example(play=USUAL)
@example(play=INSATIABLE)
@example(play=LOOKS_UP_AGAIN)
@example(play=REFUSES_TOOLS)
@example(play=NEVER_CLOSED)
async def test_whatever_is_returned(harness: TurnHarness, play: Play) -> None:
    assume(acceptable(play))
    (await harness.run(play)).hold()


async def test_a_document_that_is_not_there_counts_as_a_call(harness: TurnHarness) -> None:
    seen = await harness.run(INSATIABLE)
    seen.hold()
    assert [search["tool"] for search in seen.trace["searches"]] == [
        "lookup", "search_all", "search_all"
    ]  # fmt: skip
    assert seen.trace["rejected_doc_ids"] == ["myservice-11111"]


@pytest.mark.sized
@settings(FEW, max_examples=sized(8, 15))
@given(
    play=plays(SLOW | REPLIES, ANSWERS.map(lambda one: replace(one, seconds=LONG_PAUSE)), "slow")
)
@example(
    play=replace(USUAL, assessor=[Pieces(("{",), LONG_PAUSE)], lite=[Pieces(("늦은",), LONG_PAUSE)])
)
@example(play=replace(USUAL, embedder="slow"))
async def test_however_long_it_takes(harness: TurnHarness, play: Play) -> None:
    assume(acceptable(play))
    (await harness.run(play, SHORT)).hold()


@pytest.mark.sized
@settings(FEW, max_examples=sized(8, 15))
@given(play=plays(REPLIES, ANSWERS))
async def test_in_strict_mode_too(harness: TurnHarness, play: Play) -> None:
    assume(acceptable(play))
    await configure(harness.stack, strict=True)
    try:
        (await harness.run(play)).hold()
    finally:
        await configure(harness.stack)
