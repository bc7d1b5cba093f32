"""What tells a fact by its meaning is remembered beside what rules recognise."""

from collections.abc import Set

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.rules.extractor import extract_statements
from saegim.memory.rules.facts import facts_in, units

EMBEDDER = BundledEmbedder()

# In words of which no pattern knows.
TOLD = (
    ("저는 도자기 공방을 8년째 하고 있어요.", "도자기"),
    ("우리 팀은 배포를 아르고로 하는데 롤백은 어떻게 해?", "아르고"),
    ("큰애가 올해 고3이라 주말엔 학원 앞에서 기다려요", "고3"),
    ("I restore old harmoniums for a living.", "harmonium"),
    ("My knees are bone on bone, so what exercise could I do at home?", "bone on bone"),
    ("we keep bees behind the barn, does clover honey set quickly?", "bees"),
)
NOT_TOLD = (
    "이 문서 저장은 어떻게 해요?",
    "오늘 진짜 너무 졸리다",
    "만약 내가 제주도에 산다면 어떤 차가 좋을까?",
    "What happens when the disk is full?",
    "Write a story about a widow who keeps bees.",
    "Thanks, that did the trick!",
)


async def statements(message: str) -> list[str]:
    facts = await facts_in(EMBEDDER, message)
    return [each.content for each in extract_statements(message, facts=facts)]


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize(("message", "word"), TOLD)
async def test_facts_in_any_words_are_remembered_in_the_words_of_the_user(
    message: str, word: str
) -> None:
    [kept] = await statements(message)
    assert word in kept
    assert kept.strip(" .") in message or kept[1:].strip(" .") in message
    assert "?" not in kept


@pytest.mark.requirement("LM2")
@pytest.mark.parametrize("message", NOT_TOLD)
async def test_questions_tasks_moods_and_thanks_tell_nothing(message: str) -> None:
    assert await statements(message) == []


@pytest.mark.parametrize(
    "message", ["I'm allergic to peanuts.", "제 이름은 이서준이에요", "I live in Berlin."]
)
@pytest.mark.parametrize("facts", [frozenset[str](), None])
def test_nothing_that_a_rule_recognises_is_taken_away(message: str, facts: Set[str] | None) -> None:
    assert len(extract_statements(message, facts=facts)) == 1


def test_no_secret_is_kept_because_it_is_a_fact() -> None:
    message = "The alarm code of our shop is 4471"
    assert extract_statements(message, facts={message}) == []


async def test_other_embedders_have_no_classifier_and_long_messages_no_units() -> None:
    assert await facts_in(HashEmbedder(), "I restore old harmoniums.") is None
    assert units("저는 공방을 해요. " * 500) == []
    assert await facts_in(EMBEDDER, "저는 공방을 해요. " * 500) == frozenset()
