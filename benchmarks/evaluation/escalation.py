"""Measure what drafts by the lite model save, and what they cost in right answers, by threshold.

The lite model drafts each question and the strong model answers it, once; which of the two a
threshold would show is then computed. Search counts as not confident, so every question is drafted
unless a rule sends it to the strong model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

from benchmarks.evaluation.samples import DataFileModel, read_samples
from saegim.chat.answer import STEPS, draft_prompt
from saegim.chat.context.assembly import Budgets, Context, Thread, assemble
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.escalation import (
    DRAFT,
    Check,
    DraftAnswer,
    EscalationSignals,
    ModelChoice,
    SelfScore,
    check,
    conflicts,
    decide,
    rejection_reasons,
)
from saegim.chat.types import AssistantConfig, Thresholds
from saegim.domain.tenancy import Assistant
from saegim.evaluation.fact_matching import holds, plain
from saegim.evaluation.results import Figure, ResultTable
from saegim.evaluation.retrieval import ALL, figure
from saegim.library.types import Document, FoundPassage, Passage, PassageSignals, Tags
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.steps import Steps
from saegim.llm.types import TextDelta
from saegim.research.types import Findings
from saegim.text import tokens
from saegim.text.analysis import language

THRESHOLDS = (0.5, 0.65, 0.75, 0.85, 0.95)
_NIL = UUID(int=0)
_UPDATED_AT = datetime(2026, 1, 5, tzinfo=UTC)


class EscalationSample(DataFileModel):
    """A question, its passages, and the words of a right and of a wrong answer."""

    question: str
    passages: tuple[str, ...]
    wanted: tuple[tuple[str, ...], ...]
    wrong: tuple[str, ...] = ()

    def is_right(self, answer: str) -> bool:
        text = plain(answer)
        return all(holds(text, words) for words in self.wanted) and not holds(text, self.wrong)


@dataclass(frozen=True, slots=True)
class DraftResult:
    """The lite model's draft, its check and its call."""

    draft: DraftAnswer
    checked: Check
    call: ModelCall


@dataclass(frozen=True, slots=True)
class EscalationTrial:
    """A question answered by both models; without a draft if a rule chose the strong model."""

    sample: EscalationSample
    drafted: DraftResult | None
    answer: str
    call: ModelCall

    def escalated(self, limits: Thresholds) -> bool:
        if self.drafted is None:
            return True
        return bool(rejection_reasons(self.drafted.draft, self.drafted.checked, limits))

    def is_right(self, limits: Thresholds) -> bool:
        if self.drafted is None or self.escalated(limits):
            return self.sample.is_right(self.answer)
        return self.sample.is_right(self.drafted.draft.draft)

    def calls(self, limits: Thresholds) -> list[ModelCall]:
        """Return the calls behind the shown answer."""
        first = [] if self.drafted is None else [self.drafted.call]
        return [*first, self.call] if self.escalated(limits) else first

    @property
    def readable(self) -> bool:
        """Whether the models returned valid answers."""
        drafts = self.drafted is None or self.drafted.call.source is CallSource.MODEL
        return drafts and self.call.source is CallSource.MODEL


@cache
def samples() -> tuple[EscalationSample, ...]:
    return read_samples("escalation", EscalationSample)


async def tried(steps: Steps, sample: EscalationSample, config: AssistantConfig) -> EscalationTrial:
    """Draft and answer one question."""
    context = _context(sample)
    passages = list(context.evidence.values())
    signals = EscalationSignals(
        message=sample.question,
        confidence=0.0,
        is_sufficient=False,
        has_evidence=bool(passages),
        conflict=conflicts(passages, sample.question),
    )
    drafted = None
    if decide(signals, config, has_strong=True).choice is not ModelChoice.STRONG:
        drafted = await _draft(steps, context)
    text: list[str] = []
    call: ModelCall | None = None
    async for piece in steps.stream(STEPS[ModelChoice.STRONG], context.prompt, str, None):
        if isinstance(piece, TextDelta):
            text.append(piece.text)
        else:
            call = piece.call
    assert call is not None, "a step's stream ends with its StepEnd"
    return EscalationTrial(sample, drafted, "".join(text), call)


async def _draft(steps: Steps, context: Context) -> DraftResult:
    empty = DraftAnswer(draft="", self_score=SelfScore())
    result = await steps.structured(DRAFT, draft_prompt(context.prompt), lambda: empty, None)
    checked = check(result.value.draft, context.evidence, context.message)
    return DraftResult(result.value, checked, result.call)


def figures(trials: Sequence[EscalationTrial]) -> dict[str, Figure]:
    """Return escalated share, saving and right answers at the default thresholds."""
    shares = {f"escalation.{name}": each for name, each in _at(trials, Thresholds()).items()}
    readable = figure([float(each.readable) for each in trials])
    alone = figure([float(each.sample.is_right(each.answer)) for each in trials])
    return {**shares, "escalation.right.strong_only": alone, "escalation.readable": readable}


def verdict(measured: Mapping[str, Figure]) -> str:
    """Return the figures at the default thresholds as a sentence."""
    names = ("share", "saving", "right", "right.strong_only")
    share, saving, right, alone = (measured[f"escalation.{name}"].value for name in names)
    return (
        f"At the default thresholds, {share:.0%} are escalated and {saving:.0%} is saved; "
        f"{right:.0%} of the answers are correct, {alone:.0%} with the strong model only"
    )


def table(trials: Sequence[EscalationTrial]) -> ResultTable:
    """Return the figures by threshold of the draft's own score."""
    rows = {
        f"overall ≥ {limit:g}": {ALL: _at(trials, Thresholds(overall=limit))}
        for limit in THRESHOLDS
    }
    return ResultTable(name="escalation", title="Escalation by threshold", rows=rows)


def _at(trials: Sequence[EscalationTrial], limits: Thresholds) -> dict[str, Figure]:
    calls = [call for each in trials for call in each.calls(limits)]
    strong_only, unit = [each.call for each in trials], _dollars if priced(trials) else _tokens
    saving = 1 - sum(map(unit, calls)) / (sum(map(unit, strong_only)) or 1.0)
    share = figure([float(each.escalated(limits)) for each in trials])
    return {
        "share": share.model_copy(update={"better": "lower"}),
        "saving": Figure(value=saving, count=len(trials)),
        "right": figure([float(each.is_right(limits)) for each in trials]),
    }


def priced(trials: Sequence[EscalationTrial]) -> bool:
    """Whether every call has a list price; otherwise savings are in tokens."""
    calls = [each.call for each in trials] + [e.drafted.call for e in trials if e.drafted]
    return all(call.cost_usd is not None for call in calls)


def _dollars(call: ModelCall) -> float:
    return float(call.cost_usd or 0)


def _tokens(call: ModelCall) -> float:
    return float(call.input_tokens + call.output_tokens)


def _context(sample: EscalationSample) -> Context:
    assistant = Assistant(_NIL, _NIL, "Saegim", "", "", language(sample.question))
    passages = tuple(_passage(number, text) for number, text in enumerate(sample.passages, start=1))
    findings = Findings(ranked=passages, considered=passages, consulted=True)
    retrieved = RetrievedContext(findings=findings)
    return assemble(assistant, Thread(), sample.question, Budgets(), retrieved)


def _passage(number: int, text: str) -> FoundPassage:
    own_id = UUID(int=number)
    return FoundPassage(
        passage=Passage(
            id=own_id,
            document=own_id,
            section=own_id,
            ordinal=0,
            text=text,
            tokens=tokens.count(text),
            tags=Tags(False, False, False, language(text)),
        ),
        document=Document(
            id=own_id,
            tenant=_NIL,
            collection=_NIL,
            outside_id=f"document-{number}",
            type="guide",
            title=None,
            version="1",
            metadata={},
            updated_at=_UPDATED_AT,
        ),
        path=(),
        signals=PassageSignals(lexical=None, dense=None, score=1.0 / number),
    )
