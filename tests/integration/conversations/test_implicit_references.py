"""Follow-ups without a subject, answered from the assembled context only."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from saegim.app.infrastructure import Fakes
from saegim.llm.ports import ModelRole
from saegim.testing.models import RecordedRequest, ScriptedModels
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
    expected: str
    resolve: Callable[[str, str], str]


def korean(context: str, message: str) -> str:
    """A model that answers `1월은?` from the context: the same analysis as for 11월."""
    wanted = re.search(r"(\d+월)은\?", message)
    done = re.search(r"11월 (분석)해줘", context)
    subject = re.search(r"11월 (AWS 총 비용)은", context)
    if wanted and done and subject:
        return f"{wanted[1]} {subject[1]} {done[1]} 결과입니다."
    return "무엇을 말씀하시는지 모르겠습니다."


def english(context: str, message: str) -> str:
    wanted = re.search(r"[Aa]nd (\w+)\?", message)
    done = re.search(r"(Analyze) November", context)
    subject = re.search(r"(AWS spend) in November", context)
    if wanted and done and subject:
        return f"{done[1]}d {subject[1]} in {wanted[1]}."
    return "I do not know what you mean."


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
        "1월 AWS 총 비용 분석 결과입니다.",
        korean,
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
        "Analyzed AWS spend in January.",
        english,
    ),
}


def bare(answer: str) -> str:
    """The answer without the citations that code adds."""
    return re.sub(r" (?:\[\w+\])+", "", answer)


def reader(scenario: Scenario) -> Callable[[RecordedRequest], str]:
    """A model that knows nothing but what it is shown."""

    def answer(shown: RecordedRequest) -> str:
        *before, last = [message.text for message in shown.messages]
        if last.endswith(scenario.analysis):
            return scenario.result
        if last.endswith(scenario.follow_up):
            known = [shown.system, *before, last.rpartition("\n\n")[0]]
            return scenario.resolve("\n".join(known), last)
        return "네, 알겠습니다." if scenario is SCENARIOS["ko"] else "Sure."

    return answer


@pytest.mark.parametrize("language", SCENARIOS)
@pytest.mark.parametrize("turns_between", [1, 16])
async def test_the_follow_up_means_the_same_analysis(
    databases: Databases, language: str, turns_between: int
) -> None:
    """One turn later the subject is in the recent turns; sixteen turns later in the summary."""
    scenario = SCENARIOS[language]
    models = ScriptedModels({ModelRole.LITE: reader(scenario)})
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working():
        reply = await stack.say(scenario.analysis, **SESSION)
        for message in (scenario.between * 3)[:turns_between]:
            await stack.say(message, **SESSION)
        if turns_between > 4:
            await stack.folded(reply["session_id"], 15)
        answer = await stack.say(scenario.follow_up, **SESSION)

    assert bare(answer["answer"]) == scenario.expected
    recent = [message.text for message in models.requests[-1].messages]
    assert (scenario.analysis in recent) is (turns_between == 1)


@pytest.mark.parametrize("language", SCENARIOS)
async def test_without_the_conversation_it_means_nothing(
    databases: Databases, language: str
) -> None:
    scenario = SCENARIOS[language]
    models = ScriptedModels({ModelRole.LITE: reader(scenario)})
    async with new_stack(databases, Fakes(models=models)) as stack:
        answer = await stack.say(scenario.follow_up, **SESSION)
    assert answer["answer"] == scenario.resolve("", scenario.follow_up) != scenario.expected


async def test_a_clients_own_history_explains_it_too(databases: Databases) -> None:
    scenario = SCENARIOS["ko"]
    models = ScriptedModels({ModelRole.LITE: reader(scenario)})
    history = [
        {"role": "user", "content": scenario.analysis},
        {"role": "assistant", "summary": scenario.result, "entities": {"provider": "aws"}},
    ]
    async with new_stack(databases, Fakes(models=models)) as stack:
        response = await stack.http.post(
            "/v1/chat",
            json={"message": scenario.follow_up, "chat_history": history},
            headers=stack.headers(),
        )
    assert bare(response.json()["answer"]) == scenario.expected
    assert models.requests[-1].blocks("entities") == ["provider: aws"]


UPDATED = {
    "예산이 1억이에요": "예산",
    "AWS 비용이 1.2억이에요": "AWS 비용",
    "RI 커버리지는 60%예요": "RI 커버리지",
    "예산이 1.5억으로 늘었어요": "예산",
}


@pytest.mark.requirement("WM4")
async def test_updated_information_is_what_is_remembered(databases: Databases) -> None:
    """Updated information: ten turns later it is 1.5억, and 1억 is nowhere."""
    models = ScriptedModels({ModelRole.LITE: lambda _: "네, 알겠습니다."})
    filler = [f"거버넌스 정책 {n}번을 설명해줘" for n in range(8)]
    async with new_stack(databases, Fakes(models=models)) as stack, stack.working():
        replies = [await stack.say(message, **SESSION) for message in (*UPDATED, *filler)]
        context = await stack.folded(replies[-1]["session_id"], 10)

    entities = {entity["key"]: entity["value"] for entity in context["entities"]}
    assert entities == {"AWS 비용": "1.2억", "RI 커버리지": "60%", "예산": "1.5억"}
    assert "예산이 1억이에요" not in context["summary"]
