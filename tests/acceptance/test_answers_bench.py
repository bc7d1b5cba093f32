"""A small `make bench-answers`: a few questions to a live stack with a quick scripted model."""

from benchmarks.answers.__main__ import measured
from benchmarks.answers.questions import BenchQuestion, QuestionSet
from benchmarks.answers.run import run
from benchmarks.answers.script import GoldQuestion, letters

SPEED = 10.0
DOCUMENT = "# 출장 규정\n\n부장의 부산 숙박비는 하루 150,000원까지 지급합니다.\n"
GOLD = "부장의 부산 숙박비는 하루 150,000원까지 지급합니다."


def question(ident: str, message: str, *, answerable: bool, session: str) -> BenchQuestion:
    snippets = (letters(GOLD),) if answerable else ()
    gold = GoldQuestion(ident, message, "ko", "하루 150,000원입니다.", snippets)
    return BenchQuestion(gold, "korquad", "dev", "office", answerable, session)


async def test_answers_are_measured_over_http_with_a_scripted_model() -> None:
    asked = QuestionSet(
        conversations=[
            (
                question(
                    "q1", "부장 부산 숙박비는 얼마까지 지급하나요?", answerable=True, session="a"
                ),
                question("q2", "구내식당 저녁 메뉴는 무엇인가요?", answerable=False, session="a"),
            )
        ],
        libraries={"office": {"출장-규정.md": DOCUMENT.encode()}},
        long=(question("long", "부장의 부산 숙박비 한도는?", answerable=True, session="long"),),
    )
    made = await run(asked, ["dev"], speed=SPEED)
    first, second = made.answered
    assert first.gold_in_context
    assert first.outcome == "answered"
    assert first.faults == second.faults == 0
    assert not second.gold_in_context
    assert first.calls[-1] == "answer"
    assert first.calls_before == len(first.calls) - 1
    # The model's own time is part of every measure.
    assert first.first_token_ms >= 600 / SPEED
    assert first.input_tokens > 200
    assert first.usd > 0
    figures = measured(made, ["dev"], None)
    assert figures["dev.questions"] == 2
    assert figures["dev.gold_in_context"] == 1
    assert figures["dev.abstention.auroc"] == 1
    assert made.long
    assert "cached_share" in figures
