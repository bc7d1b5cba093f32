from copy import deepcopy
from typing import Any

import pytest

from scripts.check_memory_data import (
    DATA,
    FILES,
    SECOND_FILES,
    line_problems,
    main,
    problems,
    read,
    set_problems,
    split_of,
)

FACT = {
    "type": "constraint",
    "content": "땅콩 알레르기가 있다.",
    "attribute": "allergy",
    "value": "땅콩",
    "quote": "땅콩 알레르기",
    "core": True,
}
GOOD: dict[str, Any] = {
    "id": "ko-001",
    "split": split_of("ko", 1),
    "kind": "statement",
    "said_at": "2026-01-05T09:00:00+09:00",
    "previous": [{"role": "assistant", "content": "무엇을 도와드릴까요?"}],
    "message": "저 땅콩 알레르기 있어요",
    "reply": "네.",
    "facts": [FACT],
}


@pytest.mark.parametrize("name", [name for name in FILES + SECOND_FILES if (DATA / name).exists()])
def test_the_labels_of_the_utterances_hold(name: str) -> None:
    assert [str(problem) for problem in problems(DATA / name)] == []


def test_the_script_says_that_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.endswith(" files, 0 problems\n")


def test_every_third_of_the_second_set_is_for_checking() -> None:
    assert [split_of("ko", number) for number in (501, 502, 503)] == ["check", "dev_two", "dev_two"]


def test_a_good_line_has_no_problem() -> None:
    assert list(line_problems(GOOD)) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "1"}, "the id is not like ko-001"),
        ({"split": "train"}, "the split does not follow the id"),
        ({"kind": "poem"}, "unknown kind 'poem'"),
        ({"kind": "joke"}, "joke yields no fact"),
        ({"kind": "secret"}, "secret yields no fact"),
        ({"said_at": "2026-01-05T09:00:00"}, "said_at has no time zone"),
        ({"reply": " "}, "message or reply is empty"),
        ({"previous": [{"role": "bot", "content": "a"}]}, "an earlier turn needs a role"),
        ({"facts": [FACT] * 4}, "more than 3 facts"),
        ({"extra": 1}, "fields differ: ['extra']"),
    ],
)
def test_a_wrong_line_is_found(change: dict[str, Any], problem: str) -> None:
    (found,) = line_problems(deepcopy(GOOD) | change)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"quote": "땅콩알레르기"}, "not a span of the message"),
        ({"type": "wish"}, "unknown type 'wish'"),
        ({"attribute": "Pet Name"}, "attribute 'Pet Name'"),
        ({"content": "땅콩 알레르기"}, "content is no sentence"),
        ({"content": "내일 검사를 받는다."}, "relative date '내일'"),
        ({"content": "The user moved last week."}, "relative date 'last week'"),
        ({"core": "yes"}, "core is not true or false"),
    ],
)
def test_a_wrong_fact_is_found(change: dict[str, Any], problem: str) -> None:
    (found,) = line_problems(GOOD | {"facts": [FACT | change]})
    assert found.startswith(problem)


def test_a_set_that_is_small_repeats_itself_or_leans_is_found() -> None:
    whole = read(DATA / FILES[0])
    assert list(set_problems(whole)) == []
    assert any("fewer than" in problem for problem in set_problems(whole[:300]))
    assert any("id repeats" in problem for problem in set_problems([*whole, whole[0]]))
    remembered = [utterance for utterance in whole if utterance["facts"]]
    assert "0% of the utterances yield no fact" in list(set_problems(remembered))
    held = [utterance for utterance in whole if utterance["split"] == "held_out"]
    assert any("are held out, not half" in problem for problem in set_problems(held))
