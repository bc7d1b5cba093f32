"""Write the reply to a message by rules, from what was gathered for it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from saegim.chat.context.evidence import unmarked
from saegim.chat.rules import document_answer
from saegim.chat.rules.about_user import (
    LIKELY,
    SAID_BEFORE,
    SURE,
    UserStatement,
    answering,
    asked_attributes,
    claim_of,
    current,
    in_order,
    slug_of,
    statements_in,
    without_rejected,
)
from saegim.chat.rules.calculator import calculate, on_calendar
from saegim.chat.rules.document_replies import (
    document_lines,
    is_near,
    nothing_found,
    passage_meanings,
)
from saegim.chat.rules.history_replies import about_history
from saegim.chat.rules.intents import Interpretation, read
from saegim.chat.rules.quotes import find_quotes
from saegim.chat.rules.types import RuleReply, RuleTask
from saegim.chat.types import EvidenceKind, marker
from saegim.chat.understanding import depends_on_thread
from saegim.locales import N_
from saegim.text.intents import Intent
from saegim.text.questions import is_question

HELLO = N_("Hello! I answer questions from your documents and remember what you tell me.")
HELLO_AGAIN = N_("Hello! What would you like to know?")
THANKS = N_("You're welcome! Ask me anything else.")
FAREWELL = N_("Goodbye! Come back any time.")
REMARK = N_("I see. Let me know if you have a question.")
COMPLAINT = N_(
    "I'm sorry that I wasn't helpful. Tell me in a sentence what you are looking for, "
    "and I'll search the documents again."
)
IDENTITY = N_(
    "I'm {name}, an assistant for your documents. I answer questions with their sources, remember "
    "what you tell me about yourself, and forget it when you ask me to."
)
TRY = N_("You could ask:")
REMEMBERED = N_("I'll remember: {statements}")
UPDATED = N_("I've updated that: {statements}")
UNDO_HINT = N_("To undo, say “forget that”.")
MEMORY_OFF = N_("Got it. Memory is off for this conversation, so I won't keep it.")
HEARD = N_("Got it.")
FORGOTTEN = N_("I've forgotten: {statements}. To bring it back, say “undo”.")
PROPOSE_TO_FORGET = N_("Forget {statements}? Reply “yes” to forget it.")
PROPOSE_TO_LEAVE_OUT = N_("Leave {message} out of memory? Reply “yes” to do it.")
NOTHING_TO_FORGET = N_("I found nothing like that in what I remember about you.")
RESTORED = N_("I've restored: {statements}.")
NOTHING_TO_RESTORE = N_("There is nothing to restore.")
KNOWN = N_("Here is what I remember about you:")
KNOWN_NOTHING = N_("I don't know anything about you yet. Tell me, and I'll remember it.")
YOU_SAID = N_("You told me: {statements}")
BEFORE = N_("Before: {statement}")
UNKNOWN_FACT = N_("You haven't told me that yet. Tell me, and I'll remember it.")
STILL_TRUE = N_("By the way, does this still hold? “{statement}”")

# A question about what is remembered fits what the user tells or asks about themselves.
_FITTING = (Intent.STATEMENT, Intent.ABOUT_SELF, Intent.PROFILE)
# Messages that conclusions answer first; a question without "I" is one to the documents first.
_SUMMED_UP = (Intent.ABOUT_SELF, Intent.STATEMENT, Intent.HISTORY, Intent.PROFILE)
_MOST_KNOWN = 15
MOST_STATEMENTS = 24
# Earlier ones were recorded by the background job.
_UNRECORDED_TURNS = 2
_LEAST_QUOTE_SHARE, _SURE_QUOTE_SHARE = 0.25, 0.6


def reply(task: RuleTask) -> RuleReply:
    """Write the reply for the intent of the message; it may end with a question."""
    intent = task.inputs.reading.intent
    writer = _WRITERS.get(intent)
    if task.inputs.concluded and intent in _SUMMED_UP:
        writer = _in_sum
    written = RuleReply(writer(task)) if writer is not None else _answer(task)
    asked = still_true(task)
    if asked is None or intent not in _FITTING or written.outcome != "answered":
        return written
    return replace(written, text=f"{written.text}\n\n{asked}")


def still_true(task: RuleTask) -> str | None:
    """Return the question whether an unsure memory still holds."""
    if task.unsure is None:
        return None
    return task.say(STILL_TRUE, statement=unmarked(task.unsure.strip(" .")))


# --- small talk ---


def _hello(task: RuleTask) -> str:
    if task.context.thread.recent:
        return task.say(HELLO_AGAIN)
    return _with_suggestions(task, task.say(HELLO))


def _identity(task: RuleTask) -> str:
    return _with_suggestions(task, task.say(IDENTITY, name=task.inputs.name or "Saegim"))


def _with_suggestions(task: RuleTask, text: str) -> str:
    if not task.inputs.suggestions:
        return text
    lines = [f"- {unmarked(each)}" for each in task.inputs.suggestions]
    return "\n".join([text, "", task.say(TRY), *lines])


def _fixed(text: str) -> Callable[[RuleTask], str]:
    return lambda task: task.say(text)


def _calculation(task: RuleTask) -> str:
    return calculate(task.context.message) or task.say(REMARK)


def _calendar(task: RuleTask) -> str:
    return on_calendar(task.context.message, task.inputs.now) or task.say(REMARK)


# --- memory ---


def listed(statements: Sequence[str]) -> str:
    """Quote statements in one line."""
    return " · ".join(f"“{unmarked(each.strip(' .'))}”" for each in statements)


def _acknowledged(task: RuleTask) -> str:
    statements = task.inputs.reading.statements
    if task.inputs.known is None:
        return task.say(MEMORY_OFF)
    if not statements:
        return task.say(HEARD)
    quoted = listed(statements)
    head = UPDATED if _replaces(statements, task.inputs.known) else REMEMBERED
    return f"{task.say(head, statements=quoted)}\n\n{task.say(UNDO_HINT)}"


def _replaces(statements: Sequence[str], known: Sequence[UserStatement]) -> bool:
    """Return whether a statement has another value of an attribute that is known."""
    slugs = {slug_of(each) for each in known}
    claims = [claim for text in statements if (claim := claim_of(text)) is not None]
    return any(
        claim.corrects or (claim.attribute.hold == "one" and claim.attribute.slug in slugs)
        for claim in claims
    )


def _forgotten(task: RuleTask) -> str:
    if task.inputs.changed:
        return task.say(FORGOTTEN, statements=listed(task.inputs.changed))
    if task.inputs.proposal is not None:
        return task.inputs.proposal.text
    return task.say(NOTHING_TO_FORGET)


def _restored(task: RuleTask) -> str:
    if task.inputs.changed:
        return task.say(RESTORED, statements=listed(task.inputs.changed))
    return task.say(NOTHING_TO_RESTORE)


def _profile(task: RuleTask) -> str:
    known = current(_statements(task))
    if not known:
        return task.say(KNOWN_NOTHING if task.inputs.known is not None else MEMORY_OFF)
    known = in_order(known, task.inputs.known or ())
    return "\n".join([task.say(KNOWN), "", *map(_bullet, known[:_MOST_KNOWN])])


def _in_sum(task: RuleTask) -> str:
    """List what was concluded of the user, with what it replaced."""
    cited = {each.id: each for each in _statements(task) if each.id is not None}
    lines: list[str] = []
    for each in task.inputs.concluded:
        lines.append(_bullet(cited.get(each.statement.id or "", each.statement)))
        if each.before:
            lines.append(f"  - {task.say(BEFORE, statement=f'“{unmarked(each.before)}”')}")
    return "\n".join([task.say(YOU_SAID, statements="").rstrip(), "", *lines])


def _bullet(statement: UserStatement) -> str:
    return f"- {_quoted(statement)}"


def _quoted(statement: UserStatement, around: str = "{}") -> str:
    cited = f" [{statement.marker}]" if statement.marker else ""
    return f"{around.format(unmarked(without_rejected(statement.text)))}{cited}"


def _statements(task: RuleTask) -> list[UserStatement]:
    """Return the records, and the statements of this conversation that are not recorded yet."""
    markers = {memory.id: memory.marker for memory in task.context.memories}
    if task.inputs.known is None:
        records = []
    else:
        records = [
            UserStatement(each.text, each.at, each.topic, each.id, markers.get(each.id or ""))
            for each in task.inputs.known
        ]
    said = [
        statement
        for turn in task.context.thread.recent[-_UNRECORDED_TURNS:]
        if read(turn.message).intent is not Intent.FORGET
        for statement in statements_in(
            turn.message, turn.at, marker(EvidenceKind.TURN, turn.number)
        )
    ]
    return [*records, *said]


def _about_self(task: RuleTask, least: float) -> str | None:
    """Answer a question about the user from their statements; None if none fits well enough."""
    question = task.inputs.reading.question or task.context.message
    found = answering(question, _statements(task), task.inputs.similar, least)
    if not found:
        return None
    if len(found) == 1:
        return task.say(YOU_SAID, statements=_quoted(found[0], "“{}”"))
    return "\n".join([task.say(YOU_SAID, statements=""), "", *map(_bullet, found)])


def meanings(task: RuleTask) -> list[str]:
    """Return the texts whose similarity to the question decides the answer."""
    reading = task.inputs.reading
    if not reading.intent.searches:
        return []
    said = [each.text for each in current(_statements(task))[:MOST_STATEMENTS]]
    remembered = reading.asks_memory and not reading.by_tense
    return said if remembered else [*said, *passage_meanings(task)]


# --- documents ---


def _answer(task: RuleTask) -> RuleReply:
    """Answer a question: from what the user said, from tools, or from the documents."""
    reading = task.inputs.reading
    earlier = _continued(task)
    if earlier.asks_memory:
        tense = earlier.by_tense
        reading = replace(reading, intent=Intent.ABOUT_SELF, asks_memory=True, by_tense=tense)
        task = replace(task, inputs=replace(task.inputs, interpretation=reading))
    heads = [_acknowledged(task)] if reading.statements and task.inputs.known is not None else []
    # Something that was said has most of the words of the question.
    quoted = any(each.share >= _SURE_QUOTE_SHARE for each in find_quotes(task.context))
    remembered = reading.asks_memory and (quoted or not reading.by_tense)
    least = SAID_BEFORE if remembered and not quoted else SURE
    own = _about_self(task, least) if reading.intent is Intent.ABOUT_SELF else None
    if own is not None:
        return RuleReply("\n\n".join([*heads, own]))
    facts = [
        f"> {unmarked(piece.evidence.text)} [{piece.evidence.marker}]"
        for piece in task.context.found.evidence
        if piece.evidence.kind is EvidenceKind.TOOL
    ]
    lines = [] if remembered else document_lines(task)
    if lines or facts:
        body = [document_answer.compose(lines)] if lines else []
        return RuleReply("\n\n".join([*heads, *facts, *body]))
    if task.inputs.concluded:
        return RuleReply(_in_sum(task))
    likely = SAID_BEFORE if reading.by_tense and not quoted else LIKELY
    own = _about_self(task, likely if reading.intent is Intent.ABOUT_SELF else SURE)
    quotes = [own] if own else _quotes(task)
    if heads or quotes:
        return RuleReply("\n\n".join([*heads, *quotes]))
    about_user = reading.intent is Intent.ABOUT_SELF and asked_attributes(reading.question)
    if reading.asks_memory or (about_user and not is_near(task)):
        return RuleReply(task.say(UNKNOWN_FACT))
    if not is_question(task.context.message) and not is_near(task):
        return RuleReply(task.say(REMARK))
    return nothing_found(task)


def _continued(task: RuleTask) -> Interpretation:
    """Return what a follow-up goes on with, such as a question about what was said: 1월은?"""
    recent = task.context.thread.recent
    if not recent or not depends_on_thread(task.context.message):
        return Interpretation(Intent.QUESTION)
    return read(recent[-1].message)


def _quotes(task: RuleTask) -> list[str]:
    """Quote what was said before, for a question about it or one that has its words."""
    weak = task.inputs.reading.asks_memory and not task.nothing_known
    least = _LEAST_QUOTE_SHARE if weak else _SURE_QUOTE_SHARE
    return [
        f"> {unmarked(each.sentence)} [{each.marker}]"
        for each in find_quotes(task.context)
        if each.share >= least
    ]


_WRITERS: dict[Intent, Callable[[RuleTask], str]] = {
    Intent.GREETING: _hello,
    Intent.THANKS: _fixed(THANKS),
    Intent.FAREWELL: _fixed(FAREWELL),
    Intent.IDENTITY: _identity,
    Intent.REMARK: _fixed(REMARK),
    Intent.COMPLAINT: _fixed(COMPLAINT),
    Intent.CALCULATION: _calculation,
    Intent.CALENDAR: _calendar,
    Intent.HISTORY: about_history,
    Intent.PROFILE: _profile,
    Intent.FORGET: _forgotten,
    Intent.UNDO: _restored,
    Intent.STATEMENT: _acknowledged,
}
