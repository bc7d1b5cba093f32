"""Judge the answer that the user sees to a query of a scenario, by rules."""

from collections.abc import Iterator

from saegim.evaluation.fact_matching import holds, plain, states
from saegim.evaluation.results import AnswerVerdict
from saegim.evaluation.scenario import Step
from saegim.memory.redaction import is_outdated


def judge_answer(step: Step, answer: str) -> AnswerVerdict:
    """Return which expected values an answer lacks and which forbidden ones it has."""
    whole = plain(answer)
    missing = [fact.written() for fact in step.facts if not holds(whole, fact.value)]
    return AnswerVerdict(
        text=answer, missing=tuple(missing), forbidden=tuple(_forbidden(step, answer))
    )


def _forbidden(step: Step, answer: str) -> Iterator[str]:
    """Yield the absent words, and the lines that state a stale or disbelieved value as current."""
    whole = plain(answer)
    yield from (word for word in step.absent if holds(whole, [word]))
    for line in filter(str.strip, answer.splitlines()):
        if not is_outdated(line) and _states_wrong_value(step, plain(line)):
            yield line.strip()


def _states_wrong_value(step: Step, line: str) -> bool:
    stale = any(
        states(line, fact, fact.stale, [other for other in step.facts if other is not fact])
        for fact in step.facts
    )
    return stale or any(states(line, fact, fact.value, ()) for fact in step.not_believed)
