"""Whether a memory helps with a query: judged by a model, or by rule where there is none (EV1)."""

from collections.abc import Callable

from saegim.evaluation import rule_judge
from saegim.evaluation.types import (
    CriterionScore,
    JudgedMemory,
    JudgeForm,
    Judgement,
    MemoryStatement,
    Scores,
)
from saegim.llm.model_call import ModelCall
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps, ignore, load
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.text import analysis
from saegim.text.tokens import cut, delimited

MEMORY_TOKENS = 8_000

# In the background: a judge that fails must not be replaced by another one unnoticed.
JUDGE = StructuredStep(
    "judge", ModelRole.JUDGE, StepPath.BACKGROUND, JudgeForm, max_output_tokens=2_000
)


async def judge(
    steps: Steps, subject: JudgedMemory, unfinished: Callable[[ModelCall], None] = ignore
) -> tuple[Judgement, ModelCall | None]:
    """The judgement, and the call that made it. Raises ModelUnavailable where a model is set and
    fails; `unfinished` hears of that call. An empty memory needs no judge."""
    if subject.empty:
        return nothing_remembered(subject), None
    result = await steps.structured(
        JUDGE, judge_prompt(subject), lambda: rule_judge.judged(subject), None, unfinished
    )
    return Judgement.of(result.value), result.call


def nothing_remembered(subject: JudgedMemory) -> Judgement:
    """0, 0, 0 and no noise."""
    korean = analysis.language(subject.query) == "ko"
    none = CriterionScore(reason="메모리 없음" if korean else "nothing is remembered", score=0)
    return Judgement(
        scores=Scores(relevance=none, completeness=none, accuracy=none, noise=none),
        missing_info=[fact.written() for fact in subject.facts],
        summary=none.reason,
    )


def judge_prompt(subject: JudgedMemory) -> StepPrompt:
    """What the judge is shown."""
    memory = "\n".join(map(_dated, subject.memory))
    entities = "\n".join(f"{key}: {value}" for key, value in subject.entities)
    parts = [
        delimited("query", subject.query),
        delimited("memory", cut(memory, MEMORY_TOKENS)),
        delimited("entities", cut(entities, MEMORY_TOKENS)),
    ]
    if subject.facts:
        parts.append(delimited("facts", "\n".join(fact.written() for fact in subject.facts)))
    return load("saegim.evaluation", "judge").step((Message("user", "\n\n".join(parts)),))


def _dated(said: MemoryStatement) -> str:
    return said.text if said.at is None else f"[{said.at:%Y-%m-%d %H:%M}] {said.text}"
