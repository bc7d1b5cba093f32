"""The benchmark of a company's own files: its judge, its questions, and the kinds of messages."""

import json
import re
from collections import Counter

import pytest

from benchmarks import product_texts
from benchmarks.conversation.judge import VisibleAnswer, fold
from benchmarks.own_documents import (
    DATA,
    JudgedQuestion,
    Question,
    Verdict,
    documents,
    figures,
    judge,
    passages,
    questions,
)
from benchmarks.results import ROOT
from saegim.chat.answer import ABSTAINED
from saegim.chat.types import NOTHING_FOUND
from saegim.locales import translate
from saegim.offline.texts import CLOSEST, NEEDS_MODEL

CELL = Question(
    "t-1",
    "ko",
    "direct",
    "s",
    "부장은 숙박비가 얼마예요?",
    file="출장.md",
    answer=("140,000원", "14만"),
    rivals=("110,000원", "45,000원"),
)
NOTHING = Question("t-2", "ko", "unanswerable", "s", "몇 박까지 인정돼요?")
CLOSEST_KO = translate(CLOSEST, "ko")


def verdict(question: Question, text: str, *cited: str) -> Verdict:
    return judge(question, VisibleAnswer(text, frozenset(cited or ("출장.md",))))


@pytest.mark.parametrize(
    "text",
    [
        "숙박비 상한, 부장: **140,000원** [1]\n\n> | 과장 | 110,000원 |\n> | --- | --- |",
        "부장은 14만 원까지입니다. 과장은 110,000원입니다.",
        "> | 직급 | 숙박비 | 일비 |\n> | --- | --- | --- |\n> | 부장 | 140,000원 | 45,000원 |",
    ],
)
def test_the_value_said_first_or_in_the_only_row_is_right(text: str) -> None:
    assert verdict(CELL, text) == "right"


@pytest.mark.parametrize(
    "text",
    [
        "일비, 부장: **45,000원** [1]\n\n> | 부장 | 140,000원 | 45,000원 |",
        "과장은 110,000원, 부장은 140,000원입니다.",
        "> | 직급 | 숙박비 |\n> | --- | --- |\n> | 과장 | 110,000원 |\n> | 부장 | 140,000원 |",
        "기억해 두겠습니다.",
        "부장은 1,140,000원입니다.",
        "규정을 옮깁니다. " + "가나다라 " * 80 + "140,000원",
    ],
)
def test_a_plain_answer_without_the_value_in_front_is_confidently_wrong(text: str) -> None:
    assert verdict(CELL, text) == "confidently_wrong"


def test_the_right_value_of_another_file_is_wrong() -> None:
    assert verdict(CELL, "부장은 140,000원입니다.", "휴가.md") == "confidently_wrong"


@pytest.mark.parametrize("locale", ["ko", "en"])
@pytest.mark.parametrize(
    ("place", "expected"),
    [(1, "closest"), (3, "closest"), (4, "missed")],
)
def test_only_the_first_three_of_the_closest_count(
    locale: str, place: int, expected: Verdict
) -> None:
    lines = ["- 상한을 넘는 금액은 본인이 부담합니다. [1]"] * 5
    lines[place - 1] = "- 부장은 140,000원입니다. [2]"
    text = "\n".join([f"**{translate(CLOSEST, locale)}**", "", *lines])
    assert verdict(CELL, text) == expected


def test_rows_below_each_other_are_one_passage_with_their_head() -> None:
    table = "| 직급 | 원 |\n| --- | --- |\n| 부장 | 1 |"
    answer = f"가장 가까운 문서:\n\n- 첫째 [1]\n  이어짐\n\n{table}\n\n끝"
    shown = passages(answer)
    assert [each.split("\n")[0] for each in shown] == ["- 첫째 [1]", "| 직급 | 원 |", "끝"]
    assert "이어짐" in shown[0]
    assert "부장" in shown[1]


@pytest.mark.parametrize(
    "text",
    [
        translate(NOTHING_FOUND, "ko"),
        NOTHING_FOUND,
        translate(ABSTAINED, "ko"),
        "아직 말씀해 주신 적이 없습니다.",
        f"{CLOSEST_KO}\n\n- 상한을 넘는 금액은 본인이 부담합니다.",
    ],
)
def test_saying_that_there_is_no_answer_misses_one_and_refuses_rightly(text: str) -> None:
    assert verdict(CELL, text) == "missed"
    assert verdict(NOTHING, text) == "refused_right"


def test_a_plain_answer_to_what_nothing_answers_is_confidently_wrong() -> None:
    assert verdict(NOTHING, "숙박비 상한은 140,000원입니다.") == "confidently_wrong"
    # A document that speaks of finding nothing refuses nothing.
    text = "숙박비 상한은 140,000원입니다.\n영수증을 찾지 못하면 매출전표로 대신합니다."
    assert verdict(NOTHING, text) == "confidently_wrong"


def test_needing_a_model_answers_nothing() -> None:
    assert product_texts.hedge_of(f"**{NEEDS_MODEL}**") == "needs_model"
    assert verdict(CELL, NEEDS_MODEL) == "missed"
    assert verdict(NOTHING, NEEDS_MODEL) == "refused_right"


def test_good_answers_are_shared_over_all_and_by_kind() -> None:
    said: list[tuple[Question, Verdict]] = [
        (CELL, "right"),
        (CELL, "missed"),
        (CELL, "confidently_wrong"),
        (NOTHING, "refused_right"),
    ]
    found = figures([JudgedQuestion(each, VisibleAnswer(""), was) for each, was in said])
    assert (found["questions"], found["right"], found["missed"], found["closest"]) == (4, 1, 1, 0)
    assert found["right_or_closest"] == 0.5
    assert found["direct.right_or_closest"] == pytest.approx(1 / 3)
    assert found["unanswerable.right_or_closest"] == 1


def test_questions_are_as_many_as_documented() -> None:
    asked = questions()
    assert Counter(each.lang for each in asked) == {"ko": 28, "en": 12}
    kinds = Counter(each.kind for each in asked)
    assert kinds == {"direct": 24, "paraphrase": 6, "follow_up": 4, "unanswerable": 6}
    assert len({each.id for each in asked}) == len(asked)
    for each in asked:
        assert bool(each.file) == bool(each.answer) == (each.kind != "unanswerable"), each.id
    opened: set[str] = set()
    for each in asked:
        assert each.kind != "follow_up" or each.session in opened, each.id
        opened.add(each.session)


def test_every_answer_stands_in_its_file() -> None:
    files = documents()
    assert Counter(name.rpartition(".")[2] for name in files) == {
        "md": 10, "pdf": 3, "docx": 1, "xlsx": 1, "pptx": 1, "eml": 1
    }  # fmt: skip
    source = fold("\n".join([(DATA / "office.toml").read_text("utf-8"), *_wiki()]))
    for each in questions():
        assert each.file is None or each.file in files, each.id
        if each.file is None:
            continue
        assert any(re.search(_loose(text), source) for text in each.answer), each.id


def _wiki() -> list[str]:
    return [path.read_text("utf-8") for path in (DATA / "wiki").iterdir()]


def _loose(expression: str) -> str:
    return fold(expression).replace(" ?", " ").replace(" ", r"\s*")


def test_kinds_of_messages_are_as_documented() -> None:
    lines = (ROOT / "benchmarks" / "data" / "message_kinds.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert Counter(row["lang"] for row in rows) == {"ko": 216, "en": 144}
    assert len({row["message"] for row in rows}) == len(rows)
    assert all(set(row) == {"message", "lang", "kind"} for row in rows)
    kinds = Counter(row["kind"] for row in rows)
    assert len(kinds) == 15
    assert min(kinds.values()) >= 20
    readme = (ROOT / "benchmarks" / "data" / "README.md").read_text("utf-8")
    assert all(f"`{kind}`" in readme for kind in kinds)
