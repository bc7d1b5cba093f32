"""What kind of message it is, what is noted of it, and what it plainly asks for."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.domain.errors import ModelUnavailable
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import EmbedKind
from saegim.offline import heads
from saegim.offline.heads import (
    LONGEST,
    MOST_SENTENCES,
    MessageKind,
    MessageReading,
    judged_texts,
    plain_texts,
    reading_of,
)

EXAMPLES = Path(__file__).parents[3] / "benchmarks/data/request_examples.jsonl"
EMBEDDER = BundledEmbedder()
# A busy machine decides nothing.
PATIENT = 120.0
MOST_PASSING, LEAST_RECALL = 0.03, 0.7
ASKS = "Please forget my home address."


async def read(message: str) -> MessageReading:
    return await heads.read(EMBEDDER, message, seconds=PATIENT)


async def plainly_asks(message: str) -> bool:
    return await heads.plainly_asks(EMBEDDER, message, MessageKind.FORGET, seconds=PATIENT)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("안녕하세요", MessageKind.GREETING),
        ("Hello!", MessageKind.GREETING),
        ("고마워요", MessageKind.THANKS),
        ("Thank you!", MessageKind.THANKS),
        ("너는 누구야?", MessageKind.IDENTITY),
        ("Who are you?", MessageKind.IDENTITY),
        ("나는 땅콩 알레르기가 있어", MessageKind.STATEMENT),
        ("I'm allergic to peanuts.", MessageKind.STATEMENT),
        ("내 집 주소는 잊어 줘", MessageKind.FORGET),
        (ASKS, MessageKind.FORGET),
        ("실행 취소해 줘", MessageKind.UNDO),
        ("Undo that.", MessageKind.UNDO),
        ("나에 대해 뭘 알고 있어?", MessageKind.PROFILE),
        ("What do you know about me?", MessageKind.PROFILE),
        ("내 알레르기가 뭐였지?", MessageKind.ABOUT_SELF),
        ("What am I allergic to?", MessageKind.ABOUT_SELF),
        ("이 문단을 영어로 번역해 줘", MessageKind.NEEDS_MODEL),
        ("Write me a poem about autumn.", MessageKind.NEEDS_MODEL),
        ("환불은 며칠 안에 되나요?", MessageKind.QUESTION),
        ("How long does a refund take?", MessageKind.QUESTION),
    ],
)
async def test_kind_of_plain_message(message: str, kind: MessageKind) -> None:
    assert (await read(message)).kind is kind


async def test_only_the_sentence_that_tells_something_is_noted() -> None:
    reading = await read("나는 땅콩 알레르기가 있어. 환불은 며칠 안에 되나요?")
    assert reading.notes == ("나는 땅콩 알레르기가 있어.",)
    assert reading.question == "환불은 며칠 안에 되나요?"

    reading = await read("I'm allergic to peanuts. How long does a refund take?")
    assert reading.notes == ("I'm allergic to peanuts.",)
    assert reading.question == "How long does a refund take?"


@pytest.mark.parametrize(
    "message",
    [
        "How long does a refund take?",
        "환불은 며칠 안에 되나요?",
        "What am I allergic to?",
        "> I'm allergic to peanuts.\n\nWhat does this mean?",
        "```\nI'm allergic to peanuts.\n```",
        "I'm allergic to peanuts. " * 30,
        "I'm allergic to peanuts.\n" * (MOST_SENTENCES + 1),
    ],
)
async def test_questions_quoted_pasted_and_long_texts_leave_no_notes(message: str) -> None:
    assert (await read(message)).notes == ()


@pytest.mark.parametrize(
    "message",
    [
        "Don't remember this: I'm allergic to peanuts.",
        "이건 기억하지 마. 나는 땅콩 알레르기가 있어.",
        "I'm allergic to peanuts. Please don't keep that in memory.",
    ],
)
async def test_request_to_leave_out_leaves_no_notes(message: str) -> None:
    assert (await read(message)).notes == ()


@pytest.mark.parametrize("message", ["", " \n ", "…", "!!!"])
async def test_message_without_words_is_a_question(message: str) -> None:
    assert (await read(message)).kind is MessageKind.QUESTION


# --- what is not judged ---


class Slow(BundledEmbedder):
    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        await asyncio.sleep(60)
        return await super().embed(texts, kind)


class Failing(BundledEmbedder):
    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        raise ModelUnavailable("no model")


@pytest.mark.parametrize("embedder", [HashEmbedder(), Failing(), Slow()])
@pytest.mark.parametrize("message", ["Hello!", "I'm allergic to peanuts.", ASKS, "Undo that."])
async def test_without_the_default_embedder_every_message_is_a_question(
    embedder: HashEmbedder | BundledEmbedder, message: str
) -> None:
    reading = await heads.read(embedder, message, seconds=0.05)
    assert reading == MessageReading(MessageKind.QUESTION, message)
    asked = [
        await heads.plainly_asks(embedder, message, kind, seconds=0.05) for kind in heads.REQUESTS
    ]
    assert not any(asked)


async def test_other_embedder_may_quote_every_sentence_and_skips_none() -> None:
    said = ["I live in Daejeon.", "Hello!"]
    assert await heads.telling_sentences(HashEmbedder(), said) == said
    assert not await heads.tells_nothing(HashEmbedder(), "Hello!")
    assert await heads.tells_nothing(HashEmbedder(), "!!!")


def test_doubt_is_a_question() -> None:
    model = heads.heads()
    forget, undo = MessageKind.FORGET, MessageKind.UNDO
    chances = dict.fromkeys(MessageKind, 0.0) | {forget: model.sure[forget] - 0.01, undo: 0.3}
    unsure = heads.TextJudgement(chances, 0.0)
    reading = reading_of(["Forget it", "Forget it"], [unsure, unsure], model)
    assert reading == MessageReading(MessageKind.QUESTION, "Forget it")


def test_statement_without_a_sentence_to_keep_is_a_question() -> None:
    model = heads.heads()
    chances = dict.fromkeys(MessageKind, 0.0) | {MessageKind.STATEMENT: 0.9}
    judged = heads.TextJudgement(chances, model.note - 0.01)
    reading = reading_of(["I moved", "I moved"], [judged, judged], model)
    assert (reading.kind, reading.notes) == (MessageKind.QUESTION, ())


async def test_only_small_talk_and_requests_tell_nothing() -> None:
    assert await heads.tells_nothing(EMBEDDER, "안녕하세요")
    assert await heads.tells_nothing(EMBEDDER, "Thank you!")
    assert not await heads.tells_nothing(EMBEDDER, "Hello! I'm allergic to peanuts.")


# --- plain requests ---


async def passing(*, label: bool) -> tuple[list[str], int]:
    examples = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    tests = [
        each["text"] for each in examples if each["split"] == "test" and each["label"] is label
    ]
    return [text for text in tests if await plainly_asks(text)], len(tests)


async def test_few_other_messages_pass_for_plain_requests() -> None:
    passed, count = await passing(label=False)
    assert len(passed) <= MOST_PASSING * count, passed


async def test_most_plain_requests_pass() -> None:
    passed, count = await passing(label=True)
    assert len(passed) >= LEAST_RECALL * count


@pytest.mark.parametrize(
    "message",
    [ASKS, "Please delete my phone number from your memory", "내 생일은 기억에서 지워 주세요"],
)
async def test_plain_request_passes(message: str) -> None:
    assert await plainly_asks(message)


@pytest.mark.parametrize(
    "message",
    [
        "Don't let me forget the dentist appointment on Friday.",
        "I forgot my password",
        "내 생일 절대 잊지 마",
        "문서 삭제 방법 알려줘",
        f'Translate "{ASKS}"',
        f"Translate this: {ASKS}",
        f"Translate this: I moved. {ASKS}",
        f"Translate this mail\n\nDear Bob,\n{ASKS}",
        f"Reply\n> {ASKS}",
        f"What does `{ASKS}` print?",
        f"{'I moved. ' * 60}{ASKS}",
        "",
        " \n ",
        "“",
    ],
)
async def test_other_quoted_pasted_and_long_messages_do_not_pass(message: str) -> None:
    assert not await plainly_asks(message)


# --- texts and weights ---


def test_only_own_words_are_judged() -> None:
    message = "Forget “the old dashboard”. I live in Daejeon now."
    assert judged_texts(message) == [
        "Forget …. I live in Daejeon now.",
        "Forget ….",
        "I live in Daejeon now.",
    ]


def test_long_messages_have_no_texts_to_judge() -> None:
    message = "a b " * LONGEST
    assert judged_texts(message) == plain_texts(message) == []


def test_weights_fit_the_examples_and_the_embedder() -> None:
    model = heads.heads()
    assert model.examples == heads.digest()
    assert model.embedder == EMBEDDER.name
    assert set(model.kinds) == set(MessageKind)
    inputs = heads.inputs("a", model.centre)
    assert model.weights.shape == (*inputs.shape, len(model.kinds))
    assert model.plain is not None
    assert all(model.plain[kind] >= 0 for kind in heads.REQUESTS)
