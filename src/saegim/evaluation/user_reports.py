"""Turns that people gave for evaluation become labelled questions and scenarios, masked."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from uuid import UUID

from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.types import SharedFeedback
from saegim.chat.types import EvidenceKind
from saegim.conversations.repository import PostgresTurns
from saegim.conversations.summary.exact_values import find_exact
from saegim.conversations.types import Turn, same_key
from saegim.domain.errors import NotFound
from saegim.domain.ids import Clock
from saegim.evaluation.data_files import WrittenFact
from saegim.evaluation.fact_matching import plain, states
from saegim.evaluation.scenario import Scenario, Step
from saegim.text.analysis import language
from saegim.text.masking import mask, mask_contacts

BEFORE = 12
LATER = "later"


@dataclass(frozen=True, slots=True)
class Report:
    """A turn, what was said before it, and what its person said of it; all of it masked.

    `passages` are the ids of those that the answer cited, `documents` the outside ids of those that
    it used."""

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
        """What people gave for evaluation in the last days and did not take back, oldest first."""
        since = self._clock.now() - timedelta(days=days)
        found: list[Report] = []
        for given in await self._feedback.for_evaluation(tenant, since, most):
            try:
                found.append(await self._report(given))
            except NotFound:  # deleted while this reads
                continue
        return found

    async def _report(self, given: SharedFeedback) -> Report:
        turn = await self._turns.find(given.scope, given.turn)
        first = max(0, turn.number - 1 - BEFORE)
        before = await self._turns.turns(given.scope, turn.session, first, BEFORE)
        trace = await self._turns.trace(given.scope, given.turn)
        said = given.feedback.correction
        return Report(
            given=given,
            question=hidden(turn.message),
            reply=hidden(turn.reply or ""),
            before=tuple(hidden(each.message) for each in _earlier(before, turn)),
            correction=None if said is None else hidden(said),
            passages=tuple(
                one["id"] for one in trace.get("citations", ()) if one["kind"] == _PASSAGE
            ),
            documents=tuple(trace.get("ref_doc_ids", ())),
        )


_PASSAGE = EvidenceKind.PASSAGE.value


def _earlier(turns: Iterable[Turn], turn: Turn) -> list[Turn]:
    return [each for each in turns if each.number < turn.number]


def hidden(text: str) -> str:
    """A text without ids, numbers of cards and accounts, secrets, phone numbers and addresses."""
    return mask_contacts(mask(text).text).text


def labelled(reports: Sequence[Report]) -> str:
    """Questions whose answer was called good, with what it cited, as `saegim tune` reads them."""
    text = StringIO()
    sheet = csv.writer(text, lineterminator="\n")
    sheet.writerow(("query", "passage_id", "document_id"))
    for each in reports:
        if each.given.feedback.thumb != "up":
            continue
        if each.passages:
            sheet.writerows((each.question, passage, "") for passage in each.passages)
        else:
            sheet.writerows((each.question, "", document) for document in each.documents)
    return text.getvalue()


def scenario(name: str, report: Report) -> Scenario | None:
    """A correction as a scenario; None where it states no value that a rule can look for.

    What the person had said before must suffice; where it did not hold the value, the correction
    is said too, and must be remembered in the next conversation."""
    facts = _facts(report)
    if not facts or report.correction is None:
        return None
    already_stated = all(
        any(states(plain(text), fact.fact(), fact.value, ()) for text in report.before)
        for fact in facts
    )
    said = report.before if already_stated else (*report.before, report.correction)
    asked = Step(ask=report.question, facts=facts, session="first" if already_stated else LATER)
    return Scenario(
        id=name,
        title=report.question,
        language=language(report.question),
        kind="reported",
        steps=(*(Step(say=text) for text in said), asked),
    )


def _facts(report: Report) -> tuple[WrittenFact, ...]:
    """What the correction states, and what the answer said of the same before."""
    wrong = list(find_exact(report.reply, report.question))
    return tuple(
        WrittenFact(
            about=found.key.split(),
            value=[found.value],
            stale=[
                each.value
                for each in wrong
                if same_key(each.key) == same_key(found.key) and each.value != found.value
            ],
        )
        for found in find_exact(report.correction or "", report.question)
    )


def written(scenario: Scenario) -> str:
    """A scenario as its file."""
    lines = [f"{name} = {_text(getattr(scenario, name))}" for name in ("title", "language", "kind")]
    steps = [f"  {{ {', '.join(_step(step))} }}," for step in scenario.steps]
    return "\n".join((*lines, "steps = [", *steps, "]")) + "\n"


def _step(step: Step) -> list[str]:
    parts = [
        f"{name} = {_text(said)}"
        for name, said in (("say", step.say), ("ask", step.ask))
        if said is not None
    ]
    if step.session != "first":
        parts.append(f"session = {_text(step.session)}")
    if step.facts:
        parts.append(f"facts = [{', '.join(_fact(fact) for fact in step.facts)}]")
    return parts


def _fact(fact: WrittenFact) -> str:
    lists = (("about", fact.about), ("value", fact.value), ("stale", fact.stale))
    parts = [f"{name} = [{', '.join(map(_text, words))}]" for name, words in lists if words]
    return f"{{ {', '.join(parts)} }}"


def _text(text: str) -> str:
    """A basic string of TOML, which escapes as JSON does, and the delete character as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
