"""A conversation without a model: it quotes, keeps notes, and says what it needs a model for."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.app.infrastructure import Fakes
from saegim.chat.types import NOTHING_FOUND
from saegim.domain.scope import Locale
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import ModelRole
from saegim.locales import translate
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.types import MemoryType, Origin, Record, RecordQuery
from saegim.offline import texts
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack

# Loaded once for all tests.
EMBEDDER = BundledEmbedder()
PLANS = """# 요금제와 한도

| 요금제 | 월 요금 | 사용자 |
| --- | --- | --- |
| 무료 | 0원 | 2명 |
| 팀 | 290,000원 | 10명 |
| 비즈니스 | 1,200,000원 | 50명 |
"""
HANDBOOK = """# Office handbook

## Parking

Visitors park on level B2. Ask the front desk for a ticket.

## Expenses

Hand in receipts by the fifth of the next month.
"""
SUPPORT = """# 프린터 문제 해결

## 오류 코드 E17

오류 코드 E17은 토너가 부족하다는 뜻입니다. 토너를 교체하면 사라집니다.
"""
FILES = {"plans.md": PLANS, "handbook.md": HANDBOOK, "support.md": SUPPORT}
REPORT = """3분기 매출은 120억 원으로 전 분기보다 8% 늘었습니다. 저는 영업팀의 실적을 정리했습니다.
신규 고객은 42곳이고 해지는 5곳입니다. 저희 팀은 부산에 새 사무실을 열었습니다.
4분기에는 해외 매출을 두 배로 늘릴 계획입니다.

세 줄로 요약해 주세요"""


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as running:
        await running.services.warm_up()
        yield running


@pytest.fixture
async def library(stack: Stack) -> Stack:
    await bring_in(stack, FILES)
    return stack


async def say(stack: Stack, message: str, session: str = "s") -> dict[str, Any]:
    """Send a message, and extract its turn as the worker does."""
    reply = await stack.say(message, **{"Saegim-Session": session})
    await extract(stack, reply)
    return reply


async def extract(stack: Stack, reply: dict[str, Any]) -> None:
    extraction, tenant = stack.services.memory.extraction, stack.tenant.tenant.id
    await extraction.extract(tenant, UUID(reply["turn_id"]), at_once=True)


async def known(stack: Stack) -> list[Record]:
    scope = (await stack.caller()).scope
    return list(await stack.services.memory.records.browse(scope, RecordQuery(count=100)))


async def contents(stack: Stack) -> list[str]:
    return sorted(each.content for each in await known(stack))


async def get(stack: Stack, path: str) -> dict[str, Any]:
    response = await stack.http.get(path, headers=stack.headers())
    assert response.status_code == 200, response.text
    return response.json()


def in_korean(text: str, **values: object) -> str:
    return translate(text, "ko", **values)


# --- notes ---


async def test_note_and_its_undo_button_stay_with_the_stored_turn(stack: Stack) -> None:
    reply = await say(stack, "저는 땅콩 알레르기가 있어요.")
    assert reply["answer"].startswith("기억해 둘게요: “저는 땅콩 알레르기가 있어요”")
    assert in_korean(texts.UNDO_HINT) in reply["answer"]
    [note] = await known(stack)
    assert (note.type, note.origin) == (MemoryType.NOTE, Origin.FALLBACK)
    [effect] = reply["effects"]
    assert (effect["kind"], effect["id"]) == ("remembered", str(note.id))

    turn, session = reply["turn_id"], reply["session_id"]
    [stored] = (await get(stack, f"/v1/sessions/{session}/turns"))["turns"]
    for view in (stored, await get(stack, f"/v1/turns/{turn}")):
        [shown] = view["effects"]
        assert (shown["kind"], shown["id"], shown["undone"]) == ("remembered", str(note.id), False)
        assert shown["text"] == note.content

    undone = await stack.http.delete(f"/v1/turns/{turn}/memories", headers=stack.headers())
    assert undone.json() == {"forgotten": 1}
    assert await contents(stack) == []
    [shown] = (await get(stack, f"/v1/turns/{turn}"))["effects"]
    assert (shown["undone"], shown["text"]) == (True, "")


@pytest.mark.parametrize(
    ("fact", "undo", "done"),
    [
        (
            "저는 땅콩 알레르기가 있어요",
            "방금 건 되돌려 줘",
            "되돌렸어요: “저는 땅콩 알레르기가 있어요”",
        ),
        ("I'm allergic to peanuts", "undo that", "I've undone that: “I'm allergic to peanuts”"),
    ],
)
async def test_note_is_undone_by_message(stack: Stack, fact: str, undo: str, done: str) -> None:
    told = await say(stack, fact)
    assert len(await known(stack)) == 1
    reply = await say(stack, undo)
    assert reply["answer"].startswith(done)
    assert [(each["kind"], each["id"]) for each in reply["effects"]] == [
        ("undone", told["turn_id"])
    ]
    assert await contents(stack) == []
    again = await say(stack, undo)
    locale: Locale = "ko" if fact.startswith("저") else "en"
    assert again["answer"] == translate(texts.NOTHING_TO_RESTORE, locale)


@pytest.mark.parametrize(
    ("before", "after", "question"),
    [
        ("I live in Rotterdam", "Actually I moved, I live in Utrecht now", "where do I live?"),
        ("저는 대전에 살아요", "저는 이제 판교에 살아요", "저는 어디에 살죠?"),
    ],
)
async def test_correction_keeps_both_notes_and_quotes_the_newest_first(
    stack: Stack, before: str, after: str, question: str
) -> None:
    await say(stack, before)
    await say(stack, after)
    assert len(await known(stack)) == 2
    reply = await say(stack, question, "later")
    newest, earlier = [line for line in reply["answer"].splitlines() if line.startswith("- ")]
    assert after.rpartition(", ")[2] in newest
    assert before in earlier
    assert ("이전, " if question.endswith("살죠?") else "earlier, ") in earlier
    assert [each["kind"] for each in reply["citations"]] == ["memory", "memory"]


async def test_profile_lists_what_is_known_and_says_if_it_is_nothing(stack: Stack) -> None:
    asked = "나에 대해 아는 거 다 말해줘"
    assert (await say(stack, asked))["answer"] == in_korean(texts.KNOWN_NOTHING)
    await say(stack, "저는 땅콩 알레르기가 있어요")
    await say(stack, "우리 집 강아지 이름은 콩이에요")
    listed = await say(stack, asked, "later")
    assert listed["answer"].startswith(in_korean(texts.KNOWN))
    assert "땅콩" in listed["answer"]
    assert "강아지" in listed["answer"]


async def test_another_embedder_only_searches(databases: Databases) -> None:
    async with new_stack(databases) as stack:
        await stack.services.warm_up()
        await bring_in(stack, FILES)
        for message in (
            "저는 땅콩 알레르기가 있어요.",
            "I live in Rotterdam",
            "forget where I live",
        ):
            reply = await say(stack, message)
            assert (reply["effects"], await contents(stack)) == ([], []), message
        reply = await say(stack, "오류 코드 E17은 무슨 뜻인가요?")
    assert "토너가 부족하다는 뜻" in reply["answer"]
    assert reply["citations"]


# --- requests ---


async def test_forgetting_is_proposed_and_done_after_yes(stack: Stack) -> None:
    await say(stack, "저는 땅콩 알레르기가 있어요")
    proposed = await say(stack, "땅콩 알레르기 얘기는 잊어줘", "later")
    assert proposed["answer"] == in_korean(
        texts.PROPOSE_TO_FORGET, statements="“저는 땅콩 알레르기가 있어요”"
    )
    assert proposed["effects"] == []
    assert len(await known(stack)) == 1
    done = await say(stack, "네", "later")
    assert done["answer"].startswith("잊었어요: “저는 땅콩 알레르기가 있어요”")
    assert [each["kind"] for each in done["effects"]] == ["forgotten"]
    assert await contents(stack) == []
    for question in ("나 뭐 못 먹지?", "방금 내가 뭐라고 했지?"):
        reply = await say(stack, question, "later")
        assert "땅콩" not in reply["answer"], question
    back = await say(stack, "되돌려 줘", "later")
    assert await contents(stack) == ["저는 땅콩 알레르기가 있어요"], back["answer"]


@pytest.mark.parametrize("answer", ["아니요", "잠깐, 그건 놔둬", "음"])
async def test_forgetting_is_not_done_without_yes(stack: Stack, answer: str) -> None:
    await say(stack, "저는 땅콩 알레르기가 있어요")
    await say(stack, "땅콩 알레르기 얘기는 잊어줘")
    await say(stack, answer)
    assert "저는 땅콩 알레르기가 있어요" in await contents(stack)


async def test_forgetting_a_new_value_does_not_bring_back_the_old_one(stack: Stack) -> None:
    await say(stack, "I live in Rotterdam")
    await say(stack, "I live in Utrecht now")
    proposed = await say(stack, "please forget where I live", "later")
    await say(stack, "yes", "later")
    left = await contents(stack)
    for each in ("Rotterdam", "Utrecht"):
        assert (each in proposed["answer"]) is not (each in "".join(left))
    asked = await say(stack, "where do I live?", "last")
    assert all(
        each in "".join(left) or each not in asked["answer"] for each in ("Rotterdam", "Utrecht")
    )


async def test_leaving_out_is_proposed_and_done_after_yes(stack: Stack) -> None:
    message = "이건 기억하지 마. 저는 다음 달에 이직해요."
    proposed = await say(stack, message)
    assert proposed["effects"] == []
    assert "기억하지 말까요?" in proposed["answer"]
    assert await contents(stack) == []
    done = await say(stack, "네")
    assert done["answer"] == in_korean(texts.LEFT_OUT)
    assert [each["kind"] for each in done["effects"]] == ["left_out"]
    shown = await get(stack, f"/v1/turns/{proposed['turn_id']}/memories")
    assert shown["reading"] == "left_out"


async def test_what_was_just_said_is_left_out_after_yes(stack: Stack) -> None:
    told = await say(stack, "저는 땅콩 알레르기가 있어요.")
    proposed = await say(stack, "방금 말한 건 기억하지 마")
    assert "“저는 땅콩 알레르기가 있어요”" in proposed["answer"]
    assert await contents(stack) == ["저는 땅콩 알레르기가 있어요."]
    await say(stack, "네")
    assert await contents(stack) == []
    shown = await get(stack, f"/v1/turns/{told['turn_id']}/memories")
    assert shown["reading"] == "left_out"


# --- the conversation ---


async def test_history_quotes_what_was_asked(stack: Stack) -> None:
    for message in ("연차는 며칠이야?", "회의실은 어디야?", "고마워!"):
        await say(stack, message)
    reply = await say(stack, "방금 내가 뭐 물어봤지?")
    lines = [line for line in reply["answer"].splitlines() if line.startswith("- ")]
    assert lines == ["- “고마워!”", "- “회의실은 어디야?”", "- “연차는 며칠이야?”"]
    elsewhere = await say(stack, "방금 내가 뭐 물어봤지?", "other")
    assert elsewhere["answer"] == in_korean(texts.NO_HISTORY)


async def test_small_talk_suggests_questions_and_quotes_nothing(library: Stack) -> None:
    hello = await say(library, "안녕하세요")
    thanks = await say(library, "고마워요!")
    assert "요금제와 한도" in hello["answer"]
    assert hello["citations"] == thanks["citations"] == []
    assert thanks["answer"] == in_korean(texts.THANKS)
    assert await contents(library) == []


@pytest.mark.parametrize(
    "message",
    [
        "이 문서들을 한 문단으로 요약해 줘",
        "Translate “Where is the station?” into Korean.",
        "37 곱하기 48은 얼마야?",
    ],
)
async def test_summary_translation_and_sum_need_a_model(library: Stack, message: str) -> None:
    reply = await say(library, message)
    locale: Locale = "en" if message.startswith("T") else "ko"
    assert reply["answer"].startswith(translate(texts.NEEDS_MODEL, locale))
    assert await contents(library) == []


async def test_pasted_report_is_not_kept(library: Stack) -> None:
    reply = await say(library, REPORT)
    assert reply["effects"] == []
    assert await contents(library) == []


# --- documents ---


async def test_row_of_a_table_is_quoted_with_its_source(library: Stack) -> None:
    reply = await say(library, "팀 요금제는 한 달에 얼마예요?")
    assert "290,000원" in reply["answer"].splitlines()[0]
    assert "1,200,000원" not in reply["answer"].splitlines()[0]
    [cited] = reply["citations"]
    assert cited["title"] == "요금제와 한도"


@pytest.mark.parametrize(
    "question", ["비즈니스 사용자는 몇 명이에요?", "비즈니스 요금제 사용자 수"]
)
async def test_named_cell_is_the_answer(library: Stack, question: str) -> None:
    reply = await say(library, question)
    first = reply["answer"].splitlines()[0]
    assert "50명" in first
    assert first.endswith("[1]")
    assert in_korean(texts.CLOSEST) not in reply["answer"]


@pytest.mark.parametrize(
    ("question", "locale"),
    [
        ("회사 대표 전화번호가 뭐예요?", "ko"),
        ("사용자 초대는 어떻게 취소하나요?", "ko"),
        ("Can visitors charge an electric car?", "en"),
    ],
)
async def test_unsure_lines_are_only_shown_as_the_closest(
    library: Stack, question: str, locale: Locale
) -> None:
    reply = await say(library, question)
    assert reply["outcome"] == "nothing_found"
    assert reply["answer"].startswith(
        (translate(texts.CLOSEST, locale), translate(NOTHING_FOUND, locale))
    )


async def test_statement_before_a_question_is_kept_and_the_question_answered(
    library: Stack,
) -> None:
    reply = await say(library, "저는 판교에서 일해요. 팀 요금제의 월 요금은 얼마예요?")
    lines = [line for line in reply["answer"].splitlines() if line]
    assert lines[0] == "기억해 둘게요: “저는 판교에서 일해요”"
    assert "290,000원" in reply["answer"]
    assert await contents(library) == ["저는 판교에서 일해요."]


async def test_unanswerable_question_finds_nothing(library: Stack) -> None:
    reply = await say(library, "화성까지 로켓으로 며칠 걸리나요?")
    assert reply["answer"] == in_korean(NOTHING_FOUND)
    assert reply["citations"] == []


async def test_symptom_with_a_question_is_searched_and_not_kept(library: Stack) -> None:
    reply = await say(library, "프린터에 오류 코드 E17이 떠요. 어떻게 해야 하나요?")
    assert "토너를 교체" in reply["answer"]
    assert [each["title"] for each in reply["citations"]] == ["프린터 문제 해결"]
    assert await contents(library) == []


# --- a model that fails, and one that comes later ---


@dataclass
class FailingModel:
    """An answering model that fails while it is `down`, and an extractor that finds `found`."""

    down: bool = False
    found: list[StatementForm] = field(default_factory=list[StatementForm])
    read: list[str] = field(default_factory=list[str])

    def answer(self, _: RecordedRequest) -> Reply:
        return ModelHTTPError(502, "scripted") if self.down else "네, 알겠습니다."

    def extract(self, shown: RecordedRequest) -> Reply:
        if self.down:
            return ModelHTTPError(502, "scripted")
        self.read.append("\n".join(shown.blocks("turns")))
        return Extraction(statements=self.found)

    def models(self) -> ScriptedModels:
        roles = {ModelRole.LITE: self.answer, ModelRole.EXTRACTOR: self.extract}
        return ScriptedModels(roles)


def statement(content: str, quote: str) -> StatementForm:
    return StatementForm(type=MemoryType.FACT, content=content, quote=quote)


async def test_failed_model_is_named_and_nothing_is_stored(databases: Databases) -> None:
    model = FailingModel()
    async with new_stack(databases, Fakes(models=model.models(), embedder=EMBEDDER)) as stack:
        await stack.services.warm_up()
        await bring_in(stack, FILES)
        before = await stack.say("안녕하세요", **{"Saegim-Session": "s"})
        assert before["answer"] == "네, 알겠습니다."
        model.down = True
        asked = await stack.say("오류 코드 E17은 무슨 뜻인가요?", **{"Saegim-Session": "s"})
        assert asked["answer"].startswith(in_korean(texts.MODEL_FAILED))
        assert "토너가 부족하다는 뜻" in asked["answer"]
        assert "model" in asked["degraded"]
        assert asked["citations"]
        told = await stack.say("저는 땅콩 알레르기가 있어요.", **{"Saegim-Session": "s"})
        assert told["answer"] == in_korean(texts.NOT_READ_YET)
        history = await stack.say("방금 내가 뭐라고 했지?", **{"Saegim-Session": "s"})
        assert "“저는 땅콩 알레르기가 있어요" in history["answer"]
        profile = await stack.say("나에 대해 아는 거 다 말해줘", **{"Saegim-Session": "s"})
        assert profile["answer"] == in_korean(texts.NEEDS_MODEL_NOW)
        for message in ("땅콩 알레르기 얘기는 잊어줘", "방금 건 되돌려 줘"):
            reply = await stack.say(message, **{"Saegim-Session": "s"})
            assert reply["effects"] == [], message
        assert told["effects"] == asked["effects"] == []
        assert await contents(stack) == []

        model.down = False
        model.found = [statement("땅콩 알레르기가 있다", "저는 땅콩 알레르기가 있어요")]
        await extract(stack, told)
        [record] = await known(stack)
    assert "저는 땅콩 알레르기가 있어요" in "".join(model.read)
    assert (record.content, record.origin) == ("땅콩 알레르기가 있다", Origin.MODEL)
    assert record.sources == (UUID(told["turn_id"]),)


async def test_model_replaces_notes_of_turns_that_it_reads_again(databases: Databases) -> None:
    async with new_stack(databases, Fakes(embedder=EMBEDDER)) as stack:
        kept = await say(stack, "저는 땅콩 알레르기가 있어요.")
        undone = await say(stack, "저는 판교에서 일해요.")
        await say(stack, "방금 건 되돌려 줘")
        assert await contents(stack) == ["저는 땅콩 알레르기가 있어요."]
        model = FailingModel(
            found=[statement("땅콩 알레르기가 있다", "저는 땅콩 알레르기가 있어요")]
        )
        fakes = Fakes(models=model.models(), embedder=EMBEDDER)
        async with new_stack(databases, fakes, tenant=stack.tenant) as later:
            queued = await later.services.memory.turn_memories.extract_again(stack.tenant.tenant.id)
            assert queued >= 1
            for each in (undone, kept):
                await extract(later, each)
            [record] = await known(later)
            assert (record.content, record.origin) == ("땅콩 알레르기가 있다", Origin.MODEL)
            # What was taken back is not read again.
            assert all("판교" not in each for each in model.read)
