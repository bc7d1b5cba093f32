from collections.abc import AsyncIterator

import numpy as np
import pytest

from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.rules.extractor import extract_statements, read_clauses
from saegim.memory.rules.meanings import TextMeaning, meanings_of
from saegim.memory.rules.statement_model import clause_inputs, dump, statement_model, train
from saegim.text.intents import Intent, intent_model
from scripts.statement_weights import digest, marked


@pytest.fixture(scope="module")
async def embedder() -> AsyncIterator[BundledEmbedder]:
    bundled = BundledEmbedder()
    yield bundled
    await bundled.close()


async def told(embedder: BundledEmbedder, message: str) -> list[str]:
    meanings = await meanings_of(embedder, message, 120)
    assert message in meanings
    return [each.quote for each in extract_statements(message, (), meanings)]


@pytest.mark.parametrize(
    "message",
    [
        "사촌 말로는 거기 사장이 곧 가게를 접는다네",
        "강을 건너는 다리는 모두 몇 개일까",
        "돈이 아주 많으면 섬을 하나 사고 싶다",
        "아래 문장을 영어로 옮겨줘: 저는 다음 달에 회사를 옮깁니다",
    ],
)
async def test_hearsay_questions_wishes_and_requests_are_not_told(
    embedder: BundledEmbedder, message: str
) -> None:
    assert await told(embedder, message) == []


async def test_what_no_rule_names_is_told(embedder: BundledEmbedder) -> None:
    message = "고등학생 때부터 하모니카를 불었어요"
    assert not extract_statements(message)
    assert await told(embedder, message) == [message]


async def test_a_request_to_remember_is_followed_whatever_it_says(
    embedder: BundledEmbedder,
) -> None:
    assert await told(embedder, "기억해줘 창고 열쇠는 화분 밑에 있어") != []


def test_without_vectors_the_rules_decide_alone() -> None:
    message = "저는 판교에 살아요"
    scores = dict.fromkeys(Intent, 0.0)
    readings = read_clauses(message, {})
    assert clause_inputs(message, readings, 0, {message: TextMeaning(scores)}) is None
    assert len(extract_statements(message, meanings={message: TextMeaning(scores)})) == 1


def test_training_separates_and_is_deterministic() -> None:
    rows = [np.array(row, np.float32) for row in ([3, 0, 1], [2, 0, 0], [0, 2, 1], [0, 3, 0])]
    examples = list(zip(rows, (True, True, False, False), (1.0,) * 4, strict=True))
    model = train("embedder", "data", examples)
    assert [model.score(row) > 0 for row in rows] == [True, True, False, False]
    assert dump(model) == dump(train("embedder", "data", examples))


def test_the_weights_are_of_the_present_data_and_embedder() -> None:
    assert statement_model().data == digest()
    assert statement_model().embedder == intent_model().embedder


def test_marks_of_an_example_are_its_statements() -> None:
    example = marked("{profile:저 수의사예요} 그런데 {fact:병원은 평택에 있고요}")
    assert example.text == "저 수의사예요 그런데 병원은 평택에 있고요"
    assert example.told == ("저 수의사예요", "병원은 평택에 있고요")
