"""Follow-ups without a subject: the state alone carries what they refer to, without a search."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from benchmarks.doubles.summarizer import naming
from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from tests.stack import Databases, new_stack

pytestmark = pytest.mark.requirement("WM6")

SESSION = {"Saegim-Session": "s"}


@dataclass(frozen=True)
class Scenario:
    """An analysis, talk about something else, and a question that only the first explains."""

    analysis: str
    result: str
    between: tuple[str, ...]
    follow_up: str


SCENARIOS = {
    "ko": Scenario(
        "11월 분석해줘",
        "11월 AWS 총 비용은 $12,500이고 EC2가 65%를 차지합니다.",
        (
            "EC2가 왜 늘었어?",
            "안 쓰는 볼륨은 몇 개야?",
            "그럼 RI를 사면 얼마나 줄어?",
            "예산은 월 1만 달러로 하기로 했어",
            "담당자는 김민수야",
            "알림은 어떻게 켜?",
            "고마워",
        ),
        "1월은?",
    ),
    "en": Scenario(
        "Analyze November",
        "AWS spend in November was $12,500, and EC2 accounts for 65% of it.",
        (
            "Why did EC2 grow?",
            "How many volumes are unused?",
            "What would reserved instances save?",
            "We decided the monthly budget is $10,000",
            "The owner is Minsu Kim",
            "How do I turn on alerts?",
            "Thanks",
        ),
        "And January?",
    ),
}


def analyst(scenario: Scenario) -> Callable[[RecordedRequest], str]:
    """A model that gives the analysis when it is asked for, and otherwise knows nothing."""

    def answer(shown: RecordedRequest) -> str:
        return scenario.result if shown.messages[-1].text.endswith(scenario.analysis) else "…"

    return answer


def state_of(shown: RecordedRequest) -> tuple[list[str], str]:
    """The recent turns of a prompt, and its summary: nothing that was searched for."""
    recent = [message.text for message in shown.messages[:-1]]
    return recent, "\n".join(shown.blocks("summary"))


@pytest.mark.parametrize("language", SCENARIOS)
@pytest.mark.parametrize("turns_between", [1, 16])
async def test_the_prompt_of_a_follow_up_carries_the_analysis(
    databases: Databases, language: str, turns_between: int
) -> None:
    """One turn later the recent turns have it word for word; sixteen turns later the summary has
    what was asked for."""
    scenario = SCENARIOS[language]
    models = ScriptedModels({ModelRole.LITE: analyst(scenario)})
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working():
        reply = await stack.say(scenario.analysis, **SESSION)
        for message in (scenario.between * 3)[:turns_between]:
            await stack.say(message, **SESSION)
        if turns_between > 4:
            await stack.folded(reply["session_id"], 15)
        await stack.say(scenario.follow_up, **SESSION)

    shown = models.requests[-1]
    recent, summary = state_of(shown)
    assert shown.messages[-1].text.endswith(scenario.follow_up)
    if turns_between == 1:
        assert recent[:2] == [scenario.analysis, scenario.result]
    else:
        assert scenario.analysis not in recent
        assert scenario.analysis in summary


@pytest.mark.parametrize("language", SCENARIOS)
async def test_without_the_conversation_the_prompt_has_nothing_of_it(
    databases: Databases, language: str
) -> None:
    scenario = SCENARIOS[language]
    models = ScriptedModels({ModelRole.LITE: analyst(scenario)})
    async with new_stack(databases, Fakes(models=models)) as stack:
        await stack.say(scenario.analysis, **SESSION)
        await stack.say(scenario.follow_up, **{"Saegim-Session": "another"})
    assert state_of(models.requests[-1]) == ([], "")


async def test_a_clients_own_history_explains_it_too(databases: Databases) -> None:
    scenario = SCENARIOS["ko"]
    models = ScriptedModels({ModelRole.LITE: analyst(scenario)})
    history = [
        {"role": "user", "content": scenario.analysis},
        {"role": "assistant", "summary": scenario.result, "entities": {"provider": "aws"}},
    ]
    async with new_stack(databases, Fakes(models=models)) as stack:
        await stack.http.post(
            "/v1/chat",
            json={"message": scenario.follow_up, "chat_history": history},
            headers=stack.headers(),
        )
    recent, _ = state_of(models.requests[-1])
    assert recent == [scenario.analysis, scenario.result]
    assert models.requests[-1].blocks("entities") == ["provider: aws"]


UPDATED = {
    "예산이 1억이에요": ("예산", "1억"),
    "AWS 비용이 1.2억이에요": ("AWS 비용", "1.2억"),
    "RI 커버리지는 60%예요": ("RI 커버리지", "60%"),
    "예산이 1.5억으로 늘었어요": ("예산", "1.5억"),
}


@pytest.mark.requirement("WM4")
async def test_updated_information_is_what_is_remembered(databases: Databases) -> None:
    """Updated information: the prompt says 1.5억 ten turns later, and 1억 nowhere."""
    models = ScriptedModels(
        {ModelRole.LITE: lambda _: "네, 알겠습니다.", ModelRole.SUMMARIZER: naming(UPDATED)}
    )
    filler = [f"거버넌스 정책 {n}번을 설명해줘" for n in range(15)]
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working():
        replies = [await stack.say(message, **SESSION) for message in (*UPDATED, *filler)]
        await stack.folded(replies[-1]["session_id"], 15)
        await stack.say("예산이 얼마지?", **SESSION)

    shown = models.requests[-1]
    [entities] = shown.blocks("entities")
    assert entities.splitlines() == ["AWS 비용: 1.2억", "RI 커버리지: 60%", "예산: 1.5억"]
    assert "1억" not in f"{shown.messages}"
