"""Savings and cost of drafts by threshold, with scripted models."""

from dataclasses import replace
from decimal import Decimal

import pytest

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from benchmarks.evaluation import escalation
from benchmarks.evaluation.escalation import EscalationSample, EscalationTrial, tried
from saegim.chat.escalation import DraftAnswer, SelfScore
from saegim.chat.types import AssistantConfig, Thresholds
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps
from saegim.text.analysis import language

PLAIN = EscalationSample(
    question="환불은 언제 들어오나요?",
    passages=("환불 금액은 사흘 뒤에 들어옵니다.",),
    wanted=(("사흘", "3일"),),
)
CONFLICT = EscalationSample(
    question="점검 주기가 며칠이야?",
    passages=("설비 점검 주기는 30일입니다.", "설비 점검 주기는 45일입니다."),
    wanted=(("30",), ("45",)),
)


def drafted(text: str, overall: float) -> DraftAnswer:
    score = SelfScore(accuracy=overall, completeness=overall, risk=0.1, overall=overall)
    return DraftAnswer(draft=text, self_score=score)


async def run(
    sample: EscalationSample, lite: Reply, strong: Reply
) -> tuple[EscalationTrial, list[RecordedRequest]]:
    models = ScriptedModels({ModelRole.LITE: [lite], ModelRole.STRONG: [strong]})
    return await tried(Steps(models), sample, AssistantConfig()), models.requests


@pytest.mark.requirement("TN12")
async def test_the_threshold_decides_which_answer_counts() -> None:
    found, shown = await run(
        PLAIN, drafted("내일 들어옵니다 [1].", 0.7), "사흘 뒤에 들어옵니다 [1]."
    )
    assert "사흘 뒤에" in shown[0].messages[-1].text, "the models see the passages"
    low, high = Thresholds(overall=0.5), Thresholds(overall=0.75)
    assert (found.escalated(low), found.is_right(low)) == (False, False)
    assert (found.escalated(high), found.is_right(high)) == (True, True)
    assert [call.role for call in found.calls(low)] == ["lite"]
    assert [call.role for call in found.calls(high)] == ["lite", "strong"]


@pytest.mark.requirement("TN12")
async def test_what_a_rule_escalates_is_not_drafted() -> None:
    found, shown = await run(CONFLICT, drafted("30일", 0.9), "30일과 45일로 서로 다릅니다 [1][2].")
    assert [one.role for one in shown] == [ModelRole.STRONG]
    assert found.drafted is None
    assert found.is_right(Thresholds(overall=0.0))


async def test_a_draft_that_cannot_be_read_is_escalated_and_told() -> None:
    found, _ = await run(PLAIN, "no form at all", "사흘 뒤입니다 [1].")
    assert found.escalated(Thresholds(overall=0.0))
    assert not found.readable


@pytest.mark.requirement("TN12")
async def test_figures_tell_share_saving_and_right_answers() -> None:
    good, _ = await run(PLAIN, drafted("사흘 뒤에 들어옵니다 [1].", 0.9), "사흘 [1].")
    bad, _ = await run(PLAIN, drafted("내일 [1].", 0.2), "모릅니다.")
    found = escalation.figures([good, bad])
    assert found["escalation.share"].value == 0.5
    assert found["escalation.right"].value == 0.5
    assert found["escalation.right.strong_only"].value == 0.5
    assert found["escalation.readable"].value == 1.0
    assert found["escalation.share"].better == "lower"
    assert "50% are escalated" in escalation.verdict(found)

    spent = [call.input_tokens + call.output_tokens for call in good.calls(Thresholds())]
    spent += [call.input_tokens + call.output_tokens for call in bad.calls(Thresholds())]
    alone = [each.call.input_tokens + each.call.output_tokens for each in (good, bad)]
    assert not escalation.priced([good, bad])
    assert found["escalation.saving"].value == pytest.approx(1 - sum(spent) / sum(alone))


async def test_where_every_call_has_a_price_the_saving_is_money() -> None:
    found, _ = await run(PLAIN, drafted("사흘 뒤에 들어옵니다 [1].", 0.9), "사흘 [1].")
    assert found.drafted is not None
    cheap = replace(found.drafted, call=replace(found.drafted.call, cost_usd=Decimal("0.1")))
    dear = replace(found.call, cost_usd=Decimal("0.4"))
    both = replace(found, drafted=cheap, call=dear)
    assert escalation.priced([both])
    assert escalation.figures([both])["escalation.saving"].value == pytest.approx(0.75)


def test_the_set_is_in_both_languages_and_the_default_is_among_the_thresholds() -> None:
    assert {language(each.question) for each in escalation.samples()} == {"ko", "en"}
    assert len(escalation.samples()) >= 20
    assert list(escalation.THRESHOLDS) == sorted(escalation.THRESHOLDS)
    assert Thresholds().overall in escalation.THRESHOLDS
