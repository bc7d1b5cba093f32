"""What a message plainly asks to forget, as the classifier judges."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import EmbedKind
from saegim.memory import request_head
from saegim.memory.request_head import judged_texts, plainly_asks_to_forget, request_model

EXAMPLES = Path(__file__).parents[3] / "benchmarks/data/request_examples.jsonl"
EMBEDDER = BundledEmbedder()
MOST_PASSING, LEAST_RECALL = 0.01, 0.5

REQUESTS = (
    "Please forget my home address.",
    "Erase everything you remember about me",
    "내 생일은 기억에서 지워 주세요",
    "아까 말한 건강 정보는 잊어 주세요",
)
OTHERS = (
    "Don't let me forget the dentist appointment on Friday.",
    "I forgot my password",
    "never mind, forget it, next question",
    "내 생일 절대 잊지 마",
    "문서 삭제 방법 알려줘",
)
ASKS = REQUESTS[0]


async def passing(label: bool) -> tuple[list[str], int]:
    examples = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    tests = [
        each["text"] for each in examples if each["split"] == "test" and each["label"] is label
    ]
    return [text for text in tests if await plainly_asks_to_forget(EMBEDDER, text)], len(tests)


async def test_at_most_one_percent_of_other_messages_pass() -> None:
    passed, count = await passing(False)
    assert len(passed) <= MOST_PASSING * count, passed


async def test_most_requests_pass() -> None:
    passed, count = await passing(True)
    assert len(passed) >= LEAST_RECALL * count


@pytest.mark.parametrize("message", REQUESTS)
async def test_plain_request_passes(message: str) -> None:
    assert await plainly_asks_to_forget(EMBEDDER, message)


@pytest.mark.parametrize("message", OTHERS)
async def test_other_message_does_not_pass(message: str) -> None:
    assert not await plainly_asks_to_forget(EMBEDDER, message)


@pytest.mark.parametrize(
    "message",
    [
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
async def test_quoted_pasted_and_long_messages_do_not_pass(message: str) -> None:
    assert not await plainly_asks_to_forget(EMBEDDER, message)


def test_only_own_words_are_judged() -> None:
    message = "Forget “the old dashboard”. I live in Daejeon now."
    assert judged_texts(message) == [
        "Forget …. I live in Daejeon now.",
        "Forget ….",
        "I live in Daejeon now.",
    ]


class Slow(BundledEmbedder):
    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        await asyncio.sleep(60)
        return await super().embed(texts, kind)


class Failing(BundledEmbedder):
    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        raise RuntimeError("no model")


async def test_embedder_that_is_unknown_or_fails_judges_nothing() -> None:
    assert request_model().embedder == EMBEDDER.name
    assert not await plainly_asks_to_forget(HashEmbedder(), ASKS)
    assert not await plainly_asks_to_forget(Failing(), ASKS)


async def test_slow_embedder_judges_nothing() -> None:
    assert not await plainly_asks_to_forget(Slow(), ASKS, seconds=0.05)


def test_threshold_is_above_even_odds() -> None:
    model = request_model()
    assert model.threshold > 0
    assert model.weights.shape == request_head.inputs("a", [0.0] * EMBEDDER.dimensions).shape
