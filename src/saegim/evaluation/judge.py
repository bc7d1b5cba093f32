"""Judge whether a memory helps with a query, by a model or by rules."""

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
from saegim.llm.prompts import load
from saegim.llm.steps import Steps, ignore
from saegim.llm.types import Message, StepPath, StepPrompt, StructuredStep
from saegim.locales import translate
from saegim.text import analysis
from saegim.text.tokens import cut, delimited

MEMORY_TOKENS = 8_000

# In the background, so that no fallback silently replaces a judge that fails.
JUDGE = StructuredStep(
    "judge", ModelRole.JUDGE, StepPath.BACKGROUND, JudgeForm, max_output_tokens=2_000
)


async def judge(
    steps: Steps, subject: JudgedMemory, unfinished: Callable[[ModelCall], None] = ignore
) -> tuple[Judgement, ModelCall | None]:
    """Return the judgement and its model call; an empty memory takes none.

    Raises ModelUnavailable when a configured model fails, and passes that call to `unfinished`."""
    if subject.empty:
        return nothing_remembered(subject), None
    result = await steps.structured(
        JUDGE, judge_prompt(subject), lambda: rule_judge.judged(subject), None, unfinished
    )
    return Judgement.of(result.value), result.call


def nothing_remembered(subject: JudgedMemory) -> Judgement:
    """Score an empty memory: 0 for every criterion, noise included."""
    reason = translate("no memory", analysis.language(subject.query))
    none = CriterionScore(reason=reason, score=0)
    return Judgement(
        scores=Scores(relevance=none, completeness=none, accuracy=none, noise=none),
        missing_info=[fact.written() for fact in subject.facts],
        summary=none.reason,
    )


def judge_prompt(subject: JudgedMemory) -> StepPrompt:
    memory = "\n".join(map(_render, subject.memory))
    entities = "\n".join(f"{key}: {value}" for key, value in subject.entities)
    parts = [
        delimited("query", subject.query),
        delimited("memory", cut(memory, MEMORY_TOKENS)),
        delimited("entities", cut(entities, MEMORY_TOKENS)),
    ]
    if subject.facts:
        parts.append(delimited("facts", "\n".join(fact.written() for fact in subject.facts)))
    return load("saegim.evaluation", "judge").step((Message("user", "\n\n".join(parts)),))


def _render(statement: MemoryStatement) -> str:
    date = "" if statement.at is None else f"[{statement.at:%Y-%m-%d %H:%M}] "
    return date + statement.text
