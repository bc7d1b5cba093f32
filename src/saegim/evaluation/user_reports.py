"""Turn shared feedback into labelled questions and scenarios, masked."""

import csv
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from uuid import UUID

from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.types import SharedFeedback
from saegim.chat.types import EvidenceKind
from saegim.conversations.repository import PostgresTurns
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock
from saegim.evaluation.fact_matching import numbers_in, plain, states
from saegim.evaluation.scenario import Scenario, Step
from saegim.evaluation.types import ExpectedFact
from saegim.text.analysis import language, word_keys
from saegim.text.masking import mask, mask_contacts

EARLIER_TURNS = 12
LATER = "later"


@dataclass(frozen=True, slots=True)
class Report:
    """A turn with feedback and the messages before it, all masked.

    `passages` are the ids of cited passages, `documents` the external ids of used documents."""

    given: SharedFeedback
    question: str
    reply: str
    before: tuple[str, ...]
    correction: str | None
    passages: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class Reports:
    def __init__(self, feedback: PostgresFeedback, turns: PostgresTurns, clock: Clock) -> None:
        self._feedback = feedback
        self._turns = turns
        self._clock = clock

    async def collect(self, tenant: UUID, days: int, most: int) -> list[Report]:
        """Return the feedback shared in the last days and not withdrawn, oldest first."""
        since = self._clock.now() - timedelta(days=days)
        reports: list[Report] = []
        for feedback in await self._feedback.for_evaluation(tenant, since, most):
            with suppress(NotFound):  # deleted in the meantime
                reports.append(await self._report(feedback))
        return reports

    async def _report(self, shared: SharedFeedback) -> Report:
        turn = await self._turns.find(shared.scope, shared.turn)
        first = max(0, turn.number - 1 - EARLIER_TURNS)
        turns = await self._turns.turns(shared.scope, turn.session, first, EARLIER_TURNS)
        trace = await self._turns.trace(shared.scope, shared.turn)
        correction = shared.feedback.correction
        return Report(
            given=shared,
            question=hidden(turn.message),
            reply=hidden(turn.reply or ""),
            before=tuple(hidden(each.message) for each in turns if each.number < turn.number),
            correction=None if correction is None else hidden(correction),
            passages=tuple(
                citation["id"]
                for citation in trace.get("citations", ())
                if citation["kind"] == EvidenceKind.PASSAGE.value
            ),
            documents=tuple(trace.get("ref_doc_ids", ())),
        )


def hidden(text: str) -> str:
    """Mask ids, card and account numbers, secrets, phone numbers and addresses."""
    return mask_contacts(mask(text).text).text


def labelled(reports: Sequence[Report]) -> str:
    """Return well-rated questions with their citations as CSV for `saegim tune`."""
    text = StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(("query", "passage_id", "document_id"))
    for each in reports:
        if each.given.feedback.thumb != "up":
            continue
        sheet.writerows((each.question, passage, "") for passage in each.passages)
        if not each.passages:
            sheet.writerows((each.question, "", document) for document in each.documents)
    return text.getvalue()


def scenario(name: str, report: Report) -> Scenario | None:
    """Return a correction as a scenario, or None if a rule finds no value in it.

    If the messages before already stated the value, memory must have it from them. Otherwise the
    correction is sent too, and must be remembered in the next session."""
    facts = _facts(report)
    if not facts or report.correction is None:
        return None
    already_stated = all(
        any(states(plain(text), fact, fact.value, ()) for text in report.before) for fact in facts
    )
    messages = report.before if already_stated else (*report.before, report.correction)
    query = Step(ask=report.question, facts=facts, session="first" if already_stated else LATER)
    return Scenario(
        id=name,
        title=report.question,
        language=language(report.question),
        kind="reported",
        steps=(*(Step(say=text) for text in messages), query),
    )


def _facts(report: Report) -> tuple[ExpectedFact, ...]:
    """Return the values of the correction, and those of the answer that they correct."""
    correction = report.correction or ""
    right, wrong = numbers_in(correction), numbers_in(report.reply)
    # The correction says what it is about in words of the question.
    shared = word_keys(report.question) & word_keys(correction)
    about = tuple((word,) for word in sorted(shared))
    stale = tuple(value for value in wrong if value not in right)
    return tuple(ExpectedFact(about=about, value=(value,), stale=stale) for value in right)


def written(scenario: Scenario) -> str:
    lines = [f"{name} = {_text(getattr(scenario, name))}" for name in ("title", "language", "kind")]
    steps = [f"  {{ {', '.join(_step(step))} }}," for step in scenario.steps]
    return "\n".join((*lines, "steps = [", *steps, "]")) + "\n"


def _step(step: Step) -> list[str]:
    parts = [
        f"{name} = {_text(message)}"
        for name, message in (("say", step.say), ("ask", step.ask))
        if message is not None
    ]
    if step.session != "first":
        parts.append(f"session = {_text(step.session)}")
    if step.facts:
        parts.append(f"facts = [{', '.join(_fact(fact) for fact in step.facts)}]")
    return parts


def _fact(fact: ExpectedFact) -> str:
    about = ["|".join(spellings) for spellings in fact.about]
    lists = (("about", about), ("value", fact.value), ("stale", fact.stale))
    parts = [f"{name} = [{', '.join(map(_text, words))}]" for name, words in lists if words]
    return f"{{ {', '.join(parts)} }}"


def _text(text: str) -> str:
    """Return a TOML basic string: JSON escapes, and the delete character as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
