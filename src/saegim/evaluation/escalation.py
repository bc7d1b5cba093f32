"""What drafts by the lite model save, and what they cost in right answers, by threshold (TN12).

Every question is drafted and answered by the strong model once; which of the two would have been
shown at another threshold is then arithmetic. Search is taken to be unsure, so that every question
that no rule sends to the strong model at once is drafted.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from uuid import UUID

from saegim.chat.answer import STEPS
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
from saegim.chat.understanding import NO_TOOLS
from saegim.domain.tenancy import Assistant
from saegim.evaluation.data_files import DataFileModel
from saegim.evaluation.fact_matching import holds, plain
from saegim.evaluation.results import Figure, ResultTable
from saegim.evaluation.retrieval import ALL, figure
from saegim.library.types import (
    Document,
    FoundPassage,
    Passage,
    PassageSignals as FoundSignals,
    Tags,
)
from saegim.llm.model_call import CallSource, ModelCall
from saegim.llm.steps import Steps, load
from saegim.llm.types import TextDelta
from saegim.research.types import Findings
from saegim.text import tokens
from saegim.text.analysis import language

THRESHOLDS = (0.5, 0.65, 0.75, 0.85, 0.95)
_NOBODY = UUID(int=0)
_WRITTEN = datetime(2026, 1, 5, tzinfo=UTC)


class EscalationSample(DataFileModel):
    """A question, what was found for it, and what a right answer has."""

    question: str
    passages: tuple[str, ...]
    wanted: tuple[tuple[str, ...], ...]
    wrong: tuple[str, ...] = ()

    def is_right(self, answer: str) -> bool:
        text = plain(answer)
        return all(holds(text, words) for words in self.wanted) and not holds(text, self.wrong)


@dataclass(frozen=True, slots=True)
class DraftResult:
    """The lite model's draft with what code says of it, and the call that it took."""

    draft: DraftAnswer
    checked: Check
    call: ModelCall


@dataclass(frozen=True, slots=True)
class EscalationTrial:
    """A question by both ways; nothing is drafted where a rule sends it to the strong model."""

    sample: EscalationSample
    drafted: DraftResult | None
    answer: str
    call: ModelCall

    def escalated(self, limits: Thresholds) -> bool:
        if self.drafted is None:
            return True
        return bool(rejection_reasons(self.drafted.draft, self.drafted.checked, limits))

    def is_right(self, limits: Thresholds) -> bool:
        shown = self.answer
        if self.drafted is not None and not self.escalated(limits):
            shown = self.drafted.draft.draft
        return self.sample.is_right(shown)

    def calls(self, limits: Thresholds) -> list[ModelCall]:
        """What was asked for what is shown."""
        first = [] if self.drafted is None else [self.drafted.call]
        return [*first, self.call] if self.escalated(limits) else first

    @property
    def readable(self) -> bool:
        """Whether the models filled in what they were asked for."""
        drafts = self.drafted is None or self.drafted.call.source is CallSource.MODEL
        return drafts and self.call.source is CallSource.MODEL


@cache
def samples() -> tuple[EscalationSample, ...]:
    text = (files("saegim.evaluation") / "data" / "escalation.toml").read_text("utf-8")
    return tuple(EscalationSample.model_validate(each) for each in tomllib.loads(text)["samples"])


async def tried(steps: Steps, sample: EscalationSample, config: AssistantConfig) -> EscalationTrial:
    """One question, drafted and answered."""
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
    prompt = load("saegim.chat", "draft").step(
        context.prompt.messages, answer=context.prompt.system, tools=NO_TOOLS
    )
    nothing = DraftAnswer(draft="", self_score=SelfScore())
    found = await steps.structured(DRAFT, prompt, lambda: nothing, None)
    checked = check(found.value.draft, context.evidence, context.message)
    return DraftResult(found.value, checked, found.call)


def figures(those: Sequence[EscalationTrial]) -> dict[str, Figure]:
    """At the default thresholds: how many are escalated, what is saved, what is right."""
    usual = Thresholds()
    found = {f"escalation.{name}": each for name, each in _at(those, usual).items()}
    readable = figure([float(each.readable) for each in those])
    alone = figure([float(each.sample.is_right(each.answer)) for each in those])
    return {**found, "escalation.right.strong_only": alone, "escalation.readable": readable}


def table(those: Sequence[EscalationTrial]) -> ResultTable:
    """The same by threshold of the draft's own score."""
    rows = {
        f"overall ≥ {limit:g}": {ALL: _at(those, Thresholds(overall=limit))} for limit in THRESHOLDS
    }
    return ResultTable(name="escalation", title="Escalation by threshold", rows=rows)


def _at(those: Sequence[EscalationTrial], limits: Thresholds) -> dict[str, Figure]:
    shown = [call for each in those for call in each.calls(limits)]
    strong_only, unit = [each.call for each in those], _dollars if priced(those) else _tokens
    saving = 1 - sum(map(unit, shown)) / (sum(map(unit, strong_only)) or 1.0)
    share = figure([float(each.escalated(limits)) for each in those])
    return {
        "share": share.model_copy(update={"better": "lower"}),
        "saving": Figure(value=saving, count=len(those)),
        "right": figure([float(each.is_right(limits)) for each in those]),
    }


def priced(those: Sequence[EscalationTrial]) -> bool:
    """Whether every call has a list price; else what is saved is in tokens."""
    calls = [each.call for each in those] + [e.drafted.call for e in those if e.drafted]
    return all(call.cost_usd is not None for call in calls)


def _dollars(call: ModelCall) -> float:
    return float(call.cost_usd or 0)


def _tokens(call: ModelCall) -> float:
    return float(call.input_tokens + call.output_tokens)


def _context(sample: EscalationSample) -> Context:
    spoken = language(sample.question)
    assistant = Assistant(_NOBODY, _NOBODY, "Saegim", "", "", spoken)
    found = tuple(_found(number, text) for number, text in enumerate(sample.passages, start=1))
    gathered = RetrievedContext(findings=Findings(ranked=found, considered=found, consulted=True))
    return assemble(assistant, Thread(), sample.question, Budgets(), gathered)


def _found(number: int, text: str) -> FoundPassage:
    own = UUID(int=number)
    spoken = language(text)
    return FoundPassage(
        passage=Passage(
            id=own,
            document=own,
            section=own,
            ordinal=0,
            text=text,
            tokens=tokens.count(text),
            tags=Tags(False, False, False, spoken),
        ),
        document=Document(
            id=own,
            tenant=_NOBODY,
            collection=_NOBODY,
            outside_id=f"document-{number}",
            type="guide",
            title=None,
            version="1",
            metadata={},
            updated_at=_WRITTEN,
        ),
        path=(),
        signals=FoundSignals(lexical=None, dense=None, score=1.0 / number),
    )
