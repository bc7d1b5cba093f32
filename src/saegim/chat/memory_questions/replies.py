"""Write the answer to a question to memory by rules, from what the looks found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from saegim.chat.context.evidence import unmarked
from saegim.chat.memory_questions.matching import (
    AnsweringSource,
    best_sources,
    coverage,
    decides,
    gives_reason,
)
from saegim.chat.memory_questions.types import (
    Markers,
    MemoryFindings,
    MemoryQuestion,
    MemorySource,
    QuestionKind,
    SourceChange,
    day_of,
)
from saegim.chat.rules.about_user import UserStatement, slug_of
from saegim.chat.rules.replies import KNOWN, YOU_SAID
from saegim.locales import N_, translate
from saegim.memory.rules.attributes import ATTRIBUTES

MEMORY_IS_OFF = N_("Memory is off, so I can't look into it. You can turn it on on the memory page.")
NOTHING_KNOWN = N_("I don't know anything about you yet. Tell me, and I'll remember it.")
NOT_REMEMBERED = N_("I found nothing about that in your memory.")
NO_CHANGES = N_("I know of no change in that time.")
MORE = N_("{count} more are on the memory page.")
DECIDED = N_("You decided:")
BECAUSE = N_("Why: {reason}")
NO_REASON = N_("You didn't say why.")
BEFORE = N_("Before: {statement}")
CHANGED = N_("What changed since {first}:")
CHANGED_WITHIN = N_("What changed from {first} to {last}:")
CHANGED_EVER = N_("What changed:")
ADDED = N_("New:")
UNSURE = N_("unsure since {day}")
WITHHELD = N_(
    "What your memory has on that may not be given to the model, and I found no answer in it"
    " without one."
)

_MOST_GROUPS = 15
_MOST_LISTED = 24
_MOST_ADDED = 10
_LISTED_CONFIDENCE = 1.0
_MOST_CHARACTERS = 300
# The end of a span is not in it.
_MOMENT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """An answer by rules, and how sure it is, from 0 to 1."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Writer:
    question: MemoryQuestion
    findings: MemoryFindings
    markers: Markers

    def say(self, text: str, **values: object) -> str:
        return translate(text, self.question.locale, **values)

    def day(self, source: MemorySource) -> str:
        return day_of(source.said_at, self.question.time_zone)

    def cited(self, source: MemorySource, sentence: str = "", around: str = "“{}”") -> str:
        """Return a sentence of a source in quotation marks, with its marker."""
        line = " ".join((sentence or source.text).split())
        if len(line) > _MOST_CHARACTERS:
            line = line[:_MOST_CHARACTERS].rstrip() + "…"
        cited = f"{around.format(unmarked(line))} [{self.markers.of(source)}]"
        if source.unsure_since is None:
            return cited
        day = day_of(source.unsure_since, self.question.time_zone)
        return f"{cited} ({self.say(UNSURE, day=day)})"

    def chance(self, found: Sequence[AnsweringSource]) -> float:
        """Return the chance that one of the sources answers the question."""
        return max(self.findings.chance(each.fit, each.source) for each in found)


def reply(
    question: MemoryQuestion, findings: MemoryFindings, markers: Markers
) -> RuleAnswer | None:
    """Write the answer; None if nothing found answers the question."""
    writer = _Writer(question, findings, markers)
    return _WRITERS[question.kind](writer)


def nothing_known(question: MemoryQuestion) -> str:
    """Return the text that says that memory has no answer."""
    text = {QuestionKind.PROFILE: NOTHING_KNOWN, QuestionKind.CHANGES: NO_CHANGES}
    return translate(text.get(question.kind, NOT_REMEMBERED), question.locale)


def only_withheld(question: MemoryQuestion) -> str:
    """Return the text that says that the model may not read what was found."""
    return translate(WITHHELD, question.locale)


def memory_is_off(question: MemoryQuestion) -> str:
    return translate(MEMORY_IS_OFF, question.locale)


def _profile(writer: _Writer) -> RuleAnswer | None:
    """List the records by topic, the most important first."""
    sources = writer.findings.sources
    if not sources:
        return None
    groups: dict[str, list[MemorySource]] = {}
    for source in sources[:_MOST_LISTED]:
        groups.setdefault(_topic(writer, source), []).append(source)
    lines = [
        f"- **{unmarked(topic)}**: {' · '.join(writer.cited(each, around='{}') for each in group)}"
        for topic, group in list(groups.items())[:_MOST_GROUPS]
    ]
    shown = sum(len(group) for group in list(groups.values())[:_MOST_GROUPS])
    left = len(sources) - shown
    more = ["", writer.say(MORE, count=left)] if left else []
    return RuleAnswer("\n".join([writer.say(KNOWN), "", *lines, *more]), _LISTED_CONFIDENCE)


def _topic(writer: _Writer, source: MemorySource) -> str:
    """Return the name of the attribute that a record is about, else its own topic."""
    slug = slug_of(UserStatement(source.text, source.said_at, source.topic))
    if slug in ("other", "note") and source.topic:
        return source.topic
    return ATTRIBUTES[slug].names[writer.question.locale]


def _decisions(writer: _Writer) -> RuleAnswer | None:
    """List the decisions with why they were made, and what they replaced."""
    findings, question = writer.findings, writer.question
    decisions = [each for each in findings.sources if each.kind == "record" and decides(each)]
    decisions = [each for each in decisions if coverage(question.topic, each)]
    if not decisions:
        return _open(writer)
    replaced = {change.new.id: change.old for change in findings.changes}
    lines: list[str] = []
    for each in decisions:
        lines.append(f"- {writer.day(each)}: {writer.cited(each, _wording(each))}")
        reason = findings.reasons.get(each.id)
        if reason is not None:
            lines.append(f"  - {writer.say(BECAUSE, reason=writer.cited(reason))}")
        elif question.asks_why and not gives_reason(_wording(each)):
            lines.append(f"  - {writer.say(NO_REASON)}")
        if each.id in replaced:
            old = replaced[each.id]
            lines.append(f"  - {writer.say(BEFORE, statement=writer.cited(old))}")
    best = max(findings.chance(coverage(question.topic, each), each) for each in decisions)
    text = "\n".join([writer.say(DECIDED), "", *lines])
    return RuleAnswer(text, best)


def _wording(decision: MemorySource) -> str:
    """Return what was said, if it says more than the record: the reason."""
    if decision.quote and gives_reason(decision.quote) and not gives_reason(decision.text):
        return decision.quote
    return decision.text


def _changes(writer: _Writer) -> RuleAnswer | None:
    """List what was replaced, old and new with dates, and what is new."""
    findings = writer.findings
    if not findings.changes and not findings.sources:
        return None
    lines = [_change(writer, each) for each in findings.changes]
    added = [
        f"- {writer.day(each)}: {writer.cited(each)}" for each in findings.sources[:_MOST_ADDED]
    ]
    left = len(findings.sources) - len(added)
    blocks = [_heading(writer), ""]
    blocks += lines
    if added:
        blocks += ["", writer.say(ADDED), "", *added] if lines else added
    if left:
        blocks += ["", writer.say(MORE, count=left)]
    return RuleAnswer("\n".join(blocks), _LISTED_CONFIDENCE)


def _heading(writer: _Writer) -> str:
    span = writer.question.span
    if span is None:
        return writer.say(CHANGED_EVER)
    zone = writer.question.time_zone
    first, past = day_of(span.first, zone), span.past
    if past > writer.question.now:
        return writer.say(CHANGED, first=first)
    return writer.say(CHANGED_WITHIN, first=first, last=day_of(past - _MOMENT, zone))


def _change(writer: _Writer, change: SourceChange) -> str:
    day = day_of(change.at, writer.question.time_zone)
    return f"- {day}: {writer.cited(change.old)} → {writer.cited(change.new)}"


def _open(writer: _Writer) -> RuleAnswer | None:
    """Quote what answers the question; None if nothing does."""
    found = best_sources(writer.question, writer.findings)
    if not found:
        return _history(writer)
    confidence = writer.chance(found)
    if len(found) == 1:
        quoted = writer.cited(found[0].source, found[0].sentence)
        return RuleAnswer(writer.say(YOU_SAID, statements=quoted), confidence)
    lines = [f"- {writer.cited(each.source, each.sentence)}" for each in found]
    text = "\n".join([writer.say(YOU_SAID, statements="").rstrip(), "", *lines])
    return RuleAnswer(text, confidence)


def _history(writer: _Writer) -> RuleAnswer | None:
    """Quote a change on the topic, if only an earlier statement has its words."""
    changes = writer.findings.changes
    if not changes:
        return None
    best = coverage(writer.question.topic, changes[0].old)
    return RuleAnswer(_change(writer, changes[0]), writer.findings.chance(best))


def _when(writer: _Writer) -> RuleAnswer | None:
    """Quote what answers the question with the days on which it was said."""
    found = best_sources(writer.question, writer.findings)
    if not found:
        return _history(writer)
    lines: Sequence[str] = [
        f"{writer.day(each.source)}: {writer.cited(each.source, each.sentence)}" for each in found
    ]
    confidence = writer.chance(found)
    if len(lines) == 1:
        return RuleAnswer(writer.say(YOU_SAID, statements=lines[0]), confidence)
    listed = [f"- {line}" for line in lines]
    text = "\n".join([writer.say(YOU_SAID, statements="").rstrip(), "", *listed])
    return RuleAnswer(text, confidence)


_WRITERS: dict[QuestionKind, Callable[[_Writer], RuleAnswer | None]] = {
    QuestionKind.PROFILE: _profile,
    QuestionKind.DECISION: _decisions,
    QuestionKind.CHANGES: _changes,
    QuestionKind.WHEN: _when,
    QuestionKind.OPEN: _open,
}
