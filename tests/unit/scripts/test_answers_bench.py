"""The scripted model of `make bench-answers`, its prefix cache, and the figures."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.answers.figures import Baseline, cached_share, figures
from benchmarks.answers.model import PrefixCache
from benchmarks.answers.questions import BenchQuestion, Half, gold_lines, spread
from benchmarks.answers.run import AnsweredQuestion, LoggedCall, read_answer, settings
from benchmarks.answers.script import (
    ABSTAINS,
    ChatCall,
    GoldQuestion,
    Served,
    answer_to,
    letters,
    minimal,
    search_again,
    served_by,
    structured,
)
from benchmarks.conversation.messages import read
from saegim.chat.escalation import DraftAnswer
from saegim.llm.metering import price
from saegim.memory.extraction.extractor import Extraction

GOLD = "부장의 숙박비는 하루 150,000원까지 지급합니다."
QUESTION = GoldQuestion("q1", "부장 숙박비는?", "ko", "하루 150,000원", (letters(GOLD),))
WITH = f"<evidence-1>\n[1] 안내\n다른 글\n\n[2] 출장 규정\n{GOLD}\n</evidence-1>\n\n부장 숙박비는?"
WITHOUT = "<evidence-1>\n[1] 안내\n다른 글\n</evidence-1>\n\n부장 숙박비는?"


def call(text: str, fields: dict[str, Any] | None = None, **body: Any) -> ChatCall:
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": text}]
    if fields is not None:
        schema = {"type": "object", "properties": fields, "required": list(fields)}
        body["response_format"] = {"json_schema": {"name": "x", "schema": schema}}
    return ChatCall.of({"model": "m", "messages": messages, **body})


def test_the_answer_quotes_and_cites_the_gold_passage_if_it_is_there() -> None:
    assert answer_to(call(WITH), QUESTION) == "하루 150,000원 [2]"
    assert answer_to(call(WITHOUT), QUESTION) == ABSTAINS["ko"]


def test_gold_in_an_earlier_answer_is_not_evidence() -> None:
    messages = [
        {"role": "user", "content": "안녕"},
        {"role": "assistant", "content": GOLD},
        {"role": "user", "content": WITHOUT},
    ]
    assert not QUESTION.is_in(ChatCall.of({"model": "m", "messages": messages}).newest)


def test_an_assessment_ranks_gold_first_and_asks_for_one_more_search_without_it() -> None:
    names = ("ranked_indices", "is_sufficient", "next_action", "refined_query")
    fields: dict[str, Any] = {name: {} for name in names}
    passages = "\n".join(
        f"<passage-ab12>\n{n}. (guide) 제목\n{text}\n</passage-ab12>"
        for n, text in enumerate(["글", "글", "글", GOLD])
    )
    served = Served(QUESTION)
    found = structured(call(f"부장 숙박비는?\n{passages}", fields), served)
    assert found["ranked_indices"] == [3, 0, 1]
    assert found["is_sufficient"] is True

    missing = call("부장 숙박비는?\n<passage-ab12>\n0. (guide) 제목\n글\n</passage-ab12>", fields)
    first, second = structured(missing, served), structured(missing, served)
    assert (first["next_action"], first["refined_query"]) == ("search_again", QUESTION.message)
    assert (second["next_action"], second["is_sufficient"]) == (None, False)


def test_a_follow_up_is_understood_with_the_message_before() -> None:
    question = GoldQuestion("q2", "임원은?", "ko", previous="부장 숙박비는?")
    found = structured(call("임원은?", {"standalone": {}, "variants": {}}), Served(question))
    assert found == {"standalone": "부장 숙박비는?\n임원은?", "variants": []}


def test_a_draft_without_gold_is_not_good_enough_to_show() -> None:
    schema = DraftAnswer.model_json_schema()
    for text, good in ((WITH, True), (WITHOUT, False)):
        asked = call(text, schema["properties"])
        draft = DraftAnswer.model_validate(structured(asked, Served(QUESTION)))
        assert asked.step == "draft"
        assert (draft.self_score.overall > 0.5) is good
        assert draft.needs_strong_model is not good


def test_steps_of_the_background_serve_no_question() -> None:
    active = {"q1": Served(QUESTION)}
    asked = call("부장 숙박비는?", Extraction.model_json_schema()["properties"])
    assert served_by(asked, active) is None
    assert structured(asked, None) == {"statements": []}


def test_a_call_serves_the_question_that_it_names_last() -> None:
    other = Served(GoldQuestion("q2", "임원 일비는?", "ko"))
    active = {"q1": Served(QUESTION), "q2": other}
    assert served_by(call("user: 부장 숙박비는?\n\n임원 일비는?"), active) is other
    assert served_by(call("전혀 다른 말"), active) is None


def test_search_is_called_once_and_only_without_gold() -> None:
    def offered(text: str) -> ChatCall:
        return call(text, stream=True, tools=[{"function": {"name": "search"}}])

    served = Served(QUESTION)
    assert search_again(offered(WITH), served) is None
    assert search_again(call(WITHOUT, stream=True), served) is None
    assert search_again(offered(WITHOUT), served) == '{"query": "부장 숙박비는?"}'
    assert search_again(offered(WITHOUT), served) is None


def test_the_smallest_value_of_a_schema_follows_references() -> None:
    shapes = {"A": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}
    assert minimal({"$ref": "#/$defs/A"}, shapes) == {"n": 0}
    assert minimal({"anyOf": [{"type": "string"}, {"type": "null"}]}, {}) is None


def test_prefixes_are_cached_in_whole_blocks_by_model() -> None:
    cache = PrefixCache()
    prompt = list(range(300))
    assert cache.read("a", prompt) == 0
    assert cache.read("b", prompt) == 0
    assert cache.read("a", [*prompt[:260], 7, 7]) == 256
    assert cache.read("a", [7, *prompt]) == 0


def logged(step: str, at: float, *, streamed: bool = False, gold: bool = True) -> LoggedCall:
    return LoggedCall("q1", step, "gpt-5-nano", at, 1_000, 10, 512, 640, gold, streamed)


def asked(half: Half = "held_out", *, answerable: bool = True) -> BenchQuestion:
    return BenchQuestion(QUESTION, "korquad", half, "korquad", answerable, "s")


def test_a_draft_counts_before_the_first_token_unless_it_is_shown() -> None:
    trace: dict[str, Any] = {"findings": {"confidence": 0.7}, "answer": {"choice": "strong"}}
    calls = [logged("assess", 1.0), logged("draft", 2.0), logged("answer", 3.0, streamed=True)]
    rejected = read_answer(asked(), trace, calls, (0.5, 4.0))
    assert (rejected.calls_before, len(rejected.calls)) == (2, 3)
    assert rejected.over_provider_ms == pytest.approx(2_900)
    assert rejected.own_ms == pytest.approx(3_500 - 800 - 800 - 600)

    shown = read_answer(asked(), trace | {"answer": {"choice": "draft"}}, calls[:2], (0.5, 3.0))
    assert shown.calls_before == 1
    searched = replace(logged("answer", 1.0, streamed=True), searches=True)
    assert read_answer(asked(), trace, [searched], (0.5, 2.0)).calls_before == 1
    again = [searched, logged("answer", 2.0, streamed=True)]
    assert read_answer(asked(), trace, again, (0.5, 3.0)).calls_before == 1
    fixed = read_answer(asked(), {"answer": {"choice": "none"}}, calls[:1], (0.5, 2.0))
    assert (fixed.calls_before, fixed.gold_in_context) == (1, False)


def test_the_price_is_that_of_the_list() -> None:
    answered = read_answer(asked(), {}, [logged("answer", 1.0, streamed=True)], (0.0, 2.0))
    listed = price("gpt-5-nano", 1_000, 10, "https://api.openai.com/v1")
    assert listed is not None
    assert answered.usd == pytest.approx(float(listed))
    named = settings("http://127.0.0.1:1")
    assert named["SAEGIM_MODEL_LITE"] == "gpt-5-mini"
    assert named["SAEGIM_MODEL_EXTRACTOR"] == "gpt-5-nano"


def answers(number: int, over: float, tokens: int, *, gold: bool, sure: float) -> AnsweredQuestion:
    answerable = number % 4 != 0
    return AnsweredQuestion(
        str(number), "korquad", "held_out", answerable, over + 600, over, over, number % 2,
        ("answer",), tokens, 10, 0, 0.001, gold, sure, "answered",
    )  # fmt: skip


def test_figures_have_the_names_of_the_goals_and_compare_pairs(tmp_path: Path) -> None:
    new = [answers(n, 100.0 if n < 12 else 900.0, 600, gold=True, sure=n % 4) for n in range(20)]
    old = [answers(n, 2_500.0, 1_000, gold=n % 2 == 0, sure=0.5) for n in range(20)]
    path = tmp_path / "baseline.json"
    Baseline("v0", "abc", tuple(old), 0.1).save(path)
    baseline = Baseline.load(path)
    assert baseline == Baseline("v0", "abc", tuple(old), 0.1)
    assert baseline is not None
    assert baseline.with_earlier(Baseline("v0", "abc", tuple(new), 0.2)) == baseline
    assert Baseline("v1", "abd", (), 0.0).with_earlier(baseline).answered == ()
    found = figures(new, "held_out", baseline)
    assert found["first_token.within_200ms_share"] == pytest.approx(9 / 15)
    assert found["first_token.within_one_call_share"] == 1
    assert found["calls_before_first_token.mean"] == 0.5
    assert found["input_tokens.ratio_to_0_6"] == pytest.approx(0.6)
    assert 0 < found["gold_in_context.delta_low"] < found["gold_in_context.delta"]
    assert found["abstention.auroc"] == 1
    assert found["baseline.abstention.auroc"] == 0.5
    assert figures(new, "dev", baseline) == {}


def test_the_cached_share_is_of_prompt_tokens() -> None:
    found = cached_share([logged("answer", 1.0), logged("answer", 2.0)])
    assert found["cached_share"] == pytest.approx(0.512)
    assert found["cached_share.any_length"] == pytest.approx(0.64)


def test_gold_lines_are_those_with_the_expected_values() -> None:
    [message] = [each for each in read("dev") if each.id == "dev-005"]
    [line] = gold_lines(message)
    assert "150,000원" in line
    assert spread(list(range(10)), 4) == [0, 2, 4, 6]
