"""Write the reply to a message by rules, from what was gathered for it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import unmarked
from saegim.chat.rules import document_answer
from saegim.chat.rules.about_user import (
    UserStatement,
    answering,
    claim_of,
    current,
    statements_in,
)
from saegim.chat.rules.calculator import calculate, on_calendar
from saegim.chat.rules.document_answer import AnswerLine, SourcePassage
from saegim.chat.rules.intents import Intent, Reading, read
from saegim.chat.rules.quotes import find_quotes
from saegim.chat.types import (
    CLOSEST,
    NOTHING_FOUND,
    NOTHING_READY,
    AssistantConfig,
    EvidenceKind,
    marker,
)
from saegim.chat.understanding import depends_on_thread
from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.library.types import FoundPassage
from saegim.locales import N_, translate
from saegim.memory.opt_out import may_remember, refusal_of
from saegim.research.types import Findings
from saegim.text.analysis import fold, language, sentences, word_keys
from saegim.text.questions import is_question

Outcome = Literal["answered", "nothing_ready", "nothing_found"]

HELLO = N_("Hello! I answer questions from your documents and remember what you tell me.")
HELLO_AGAIN = N_("Hello! What would you like to know?")
THANKS = N_("You're welcome! Ask me anything else.")
FAREWELL = N_("Goodbye! I'll remember our conversation.")
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
ABOUT_DOCUMENT = N_("Tell me about “{title}”")
REMEMBERED = N_("I'll remember: {statements}")
UPDATED = N_("I've updated that: {statements}")
UNDO_HINT = N_("To undo, say “forget that”.")
MEMORY_OFF = N_("Got it. Memory is off for this conversation, so I won't keep it.")
HEARD = N_("Got it.")
NOT_KEPT = N_("Understood. I won't remember that.")
FORGOTTEN = N_("I've forgotten that ({count}). To bring it back, say “undo”.")
FORGOTTEN_LAST = N_("I've forgotten what you just said.")
NOTHING_TO_FORGET = N_("I found nothing like that in what I remember about you.")
RESTORED = N_("I've restored what you asked me to forget ({count}).")
NOTHING_TO_RESTORE = N_("There is nothing to restore.")
KNOWN = N_("Here is what I remember about you:")
KNOWN_NOTHING = N_("I don't know anything about you yet. Tell me, and I'll remember it.")
YOU_SAID = N_("You told me: {statements}")
NOT_TOLD = N_("You haven't told me that yet. Tell me, and I'll remember it.")
LAST_MESSAGE = N_("Your last message was: “{message}”")
FIRST_MESSAGE = N_("Your first message in this conversation was: “{message}”")
EARLIER_MESSAGE = N_("You asked: “{message}”")
EARLIER_MESSAGES = N_("You wrote:")
NO_HISTORY = N_("I found no earlier messages from then.")
ASKED_TO_FORGET = N_("You asked me to forget something.")
MENU = N_("These pages may help:")

_MOST_KNOWN = 15
_MOST_HISTORY = 5
_MOST_CLOSEST = 3
# Below this share of the threshold a document is unrelated rather than close.
_CLOSE_SHARE = 0.35
# A follow-up takes its subject from the question before it.
_EARLIER_SHARE = 0.6
_PART_SHARE = 0.35
_MOST_QUESTIONS = 2
_FEW_WORDS = 2
_MOST_MEANINGS = 40
_QUOTED_CHARACTERS = 200
_LEAST_QUOTE_SHARE, _SURE_QUOTE_SHARE = 0.25, 0.6


@dataclass(frozen=True, slots=True)
class RuleInputs:
    """What rules need besides the context: the intent, the time, and what is known of the user.

    `known` is None if memory is off. `changed` is the number of records that the message made
    the memory forget or restore. `similar` has the similarity of texts of the passages to the
    message.
    """

    reading: Reading
    now: datetime
    known: tuple[UserStatement, ...] | None = ()
    suggestions: tuple[str, ...] = ()
    changed: int = 0
    name: str = ""
    similar: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class RuleReply:
    text: str
    outcome: Outcome = "answered"


@dataclass(frozen=True, slots=True)
class RuleTask:
    """A message with its context and inputs; `searched`: the documents were searched."""

    inputs: RuleInputs
    context: Context
    findings: Findings
    config: AssistantConfig
    searched: bool

    @property
    def locale(self) -> Locale:
        return language(self.context.message)

    @property
    def is_confident(self) -> bool:
        return self.findings.confidence >= self.config.thresholds.confidence

    def say(self, text: str, **values: object) -> str:
        return translate(text, self.locale, **values)


def reply(task: RuleTask) -> RuleReply:
    """Write the reply for the intent of the message."""
    intent = task.inputs.reading.intent
    writer = _WRITERS.get(intent)
    if writer is not None:
        return RuleReply(writer(task))
    return _answer(task)


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


def _acknowledged(task: RuleTask) -> str:
    statements = task.inputs.reading.statements
    if task.inputs.known is None:
        return task.say(MEMORY_OFF)
    if not statements:
        return task.say(HEARD)
    quoted = _listed(statements)
    head = UPDATED if _replaces(statements, task.inputs.known) else REMEMBERED
    return f"{task.say(head, statements=quoted)} {task.say(UNDO_HINT)}"


def _replaces(statements: Sequence[str], known: Sequence[UserStatement]) -> bool:
    """Return whether a statement has another value of an attribute that is known."""
    slugs = {claim.attribute.slug for each in known if (claim := claim_of(each.text)) is not None}
    claims = [claim for text in statements if (claim := claim_of(text)) is not None]
    return any(
        claim.corrects or (claim.attribute.hold == "one" and claim.attribute.slug in slugs)
        for claim in claims
    )


def _listed(statements: Sequence[str]) -> str:
    return " · ".join(f"“{unmarked(each.strip(' .'))}”" for each in statements)


def _forgotten(task: RuleTask) -> str:
    if task.inputs.changed:
        return task.say(FORGOTTEN, count=task.inputs.changed)
    if refusal_of(task.context.message) == "before" and task.context.thread.recent:
        return task.say(FORGOTTEN_LAST)
    return task.say(NOTHING_TO_FORGET)


def _restored(task: RuleTask) -> str:
    if task.inputs.changed:
        return task.say(RESTORED, count=task.inputs.changed)
    return task.say(NOTHING_TO_RESTORE)


def _profile(task: RuleTask) -> str:
    known = current(_statements(task))
    if not known:
        return task.say(KNOWN_NOTHING if task.inputs.known is not None else MEMORY_OFF)
    return "\n".join([task.say(KNOWN), "", *map(_bullet, known[:_MOST_KNOWN])])


def _bullet(statement: UserStatement) -> str:
    cited = f" [{statement.marker}]" if statement.marker else ""
    return f"- {unmarked(statement.text)}{cited}"


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
    said: list[UserStatement] = []
    for turn in may_remember(task.context.thread.recent):
        if read(turn.message).intent is not Intent.FORGET:
            said += statements_in(turn.message, turn.at, marker(EvidenceKind.TURN, turn.number))
    return [*records, *said]


def _about_self(task: RuleTask) -> str | None:
    """Answer a question about the user from their statements; None if none answers it."""
    question = task.inputs.reading.question or task.context.message
    found = answering(question, _statements(task), task.inputs.similar)
    if not found:
        return None
    if len(found) == 1:
        cited = f" [{found[0].marker}]" if found[0].marker else ""
        return task.say(YOU_SAID, statements=f"“{unmarked(found[0].text)}”{cited}")
    return "\n".join([task.say(YOU_SAID, statements=""), "", *map(_bullet, found)])


# --- history ---

_FIRST = re.compile(r"처음|첫|\bfirst\b")
_LAST = re.compile(
    r"방금|아까|직전|마지막|바로 전|조금 전|좀 전|이전|\blast\b|\bprevious\b|\bjust\b|\bearlier\b"
)
_QUESTIONS = re.compile(r"물어|물었|여쭤|질문|\bask|\bquestion")
_SPAN = re.compile(r"지난|어제|그제|저번|\byesterday\b|\blast (?:week|month|year|time|session)\b")


def _history(task: RuleTask) -> str:
    folded = fold(task.context.message)
    recent = task.context.thread.recent
    if _SPAN.search(folded):
        texts = [_said(memory.text) for memory in task.context.memories if memory.turn is not None]
        return _earlier(task, [each for each in texts if each])
    about = _about_topic(task)
    if about is not None:
        return _repeated(
            task, LAST_MESSAGE if about == recent[-1] else EARLIER_MESSAGE, about.message
        )
    if _FIRST.search(folded) and recent and recent[0].number == 1:
        return _repeated(task, FIRST_MESSAGE, recent[0].message)
    if recent and (_LAST.search(folded) or len(recent) == 1):
        asks = _QUESTIONS.search(folded) is not None
        asked = [turn for turn in recent if not asks or is_question(turn.message)] or recent
        return _repeated(task, LAST_MESSAGE, asked[-1].message)
    return _earlier(task, [turn.message for turn in recent])


_ASKING = re.compile(r"관련|대해|에 관한|\babout\b")


def _about_topic(task: RuleTask) -> Exchange | None:
    """Return the last question on a topic: "what did I ask about travel?"."""
    if not _ASKING.search(fold(task.context.message)):
        return None
    wanted = word_keys(task.context.message)
    for turn in reversed(task.context.thread.recent):
        if wanted & word_keys(turn.message) and is_question(turn.message):
            return turn
    return None


def _said(text: str) -> str:
    """Return what the user said in an episode: its first line."""
    return text.strip().split("\n", 1)[0]


def _repeated(task: RuleTask, text: str, message: str) -> str:
    if read(message).intent in (Intent.FORGET, Intent.LEAVE_OUT):
        return task.say(ASKED_TO_FORGET)
    return task.say(text, message=unmarked(_cut(message)))


def _earlier(task: RuleTask, messages: Sequence[str]) -> str:
    shown = [
        f"- {unmarked(_cut(message))}"
        for message in messages[-_MOST_HISTORY:]
        if read(message).intent not in (Intent.FORGET, Intent.LEAVE_OUT)
    ]
    return "\n".join([task.say(EARLIER_MESSAGES), "", *shown]) if shown else task.say(NO_HISTORY)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_CHARACTERS else line[:_QUOTED_CHARACTERS].rstrip() + "…"


# --- documents ---


def _answer(task: RuleTask) -> RuleReply:
    """Answer a question: from what the user said, from tools, or from the documents."""
    reading = task.inputs.reading
    heads = [_acknowledged(task)] if reading.statements and task.inputs.known else []
    own = _about_self(task) if reading.intent is Intent.ABOUT_SELF else None
    if own is not None:
        return RuleReply("\n\n".join([*heads, own]))
    facts = [
        f"> {unmarked(piece.evidence.text)} [{piece.evidence.marker}]"
        for piece in task.context.found.evidence
        if piece.evidence.kind is EvidenceKind.TOOL
    ]
    lines = [] if reading.told else _document_lines(task)
    if lines or facts:
        body = [document_answer.compose(lines)] if lines else []
        return RuleReply("\n\n".join([*heads, *facts, *body]))
    quotes = _quotes(task)
    if heads or quotes:
        return RuleReply("\n\n".join([*heads, *quotes]))
    if reading.told:
        return RuleReply(task.say(NOT_TOLD))
    if not is_question(task.context.message) and not task.is_confident:
        return RuleReply(task.say(REMARK))
    return _nothing(task)


def _quotes(task: RuleTask) -> list[str]:
    """Quote what was said before, for a question about it or one that has its words."""
    least = _LEAST_QUOTE_SHARE if task.inputs.reading.told else _SURE_QUOTE_SHARE
    return [
        f"> {unmarked(each.sentence)} [{each.marker}]"
        for each in find_quotes(task.context)
        if each.share >= least
    ]


def _nothing(task: RuleTask) -> RuleReply:
    if task.searched and task.findings.consulted and not task.findings.ranked:
        return RuleReply(task.say(NOTHING_READY), "nothing_ready")
    closest = _closest(task)
    if closest is not None:
        return RuleReply(closest, "nothing_found")
    text = task.say(NOTHING_FOUND)
    if task.config.menu_links:
        links = "\n".join(f"- [{link.label}]({link.url})" for link in task.config.menu_links)
        text = f"{text} {task.say(MENU)}\n\n{links}"
    return RuleReply(text, "nothing_found")


def _closest(task: RuleTask) -> str | None:
    """List the documents close to the question with citations; None if none is close."""
    if task.findings.confidence < _CLOSE_SHARE * task.config.thresholds.confidence:
        return None
    cited: dict[str, str] = {}
    for passage in task.context.passages:
        if passage.document is not None:
            cited.setdefault(passage.document, f"- {unmarked(passage.title)} [{passage.marker}]")
    if not cited:
        return None
    return "\n".join([task.say(CLOSEST), "", *list(cited.values())[:_MOST_CLOSEST]])


def questions_of(task: RuleTask) -> list[document_answer.Question]:
    """Return the questions of the message, each with the words that it takes from the one before."""
    passages = _sources(task)
    message = task.inputs.reading.question or task.context.message
    asked = [part for each in sentences(message) for part in _parts(each)]
    asked = [each for each in asked if is_question(each)] or [message]
    earlier = _earlier_question(task)
    questions: list[document_answer.Question] = []
    for text in asked[:_MOST_QUESTIONS]:
        share = _EARLIER_SHARE if earlier and follows(task, text) else 0.0
        if questions:
            earlier, share = asked[0], _PART_SHARE
        questions.append(document_answer.understand(text, earlier, passages, share))
    return questions


_PART = re.compile(
    r"(?<=[가-힣])(?:고|며|는데|구)\s+(?=\S{0,8}\s?\S{0,6}\s?(?:언제|얼마|어디|몇|누가|누구|뭐|무엇|어떻게|왜|무슨))"
    r"|(?<=언제고)\s+|\s+and\s+(?=(?:how|when|what|where|who|which|why)\b)|\s*그리고\s+"
)


def _parts(sentence: str) -> list[str]:
    """Split a question with two parts: 언제고 얼마예요, how hot and how long."""
    parts = [part.strip(" ,") for part in _PART.split(sentence)]
    return parts if len(parts) > 1 and all(len(part) > 2 for part in parts) else [sentence]


def _document_lines(task: RuleTask) -> list[AnswerLine]:
    """Return the line that answers each question of the message; none below the threshold."""
    passages = _sources(task)
    if not passages:
        return []
    lines: list[AnswerLine] = []
    for question in questions_of(task):
        found = document_answer.candidates(question, passages)
        line = document_answer.best_line(found, task.inputs.similar)
        if line is not None:
            lines.append(line)
    return list({(line.passage.marker, line.text): line for line in lines}.values())


def meanings(task: RuleTask) -> list[str]:
    """Return the texts whose similarity to the question the answer depends on, the likeliest."""
    reading = task.inputs.reading
    if not reading.intent.searches:
        return []
    if reading.told:
        return [each.text for each in current(_statements(task))[:_MOST_MEANINGS]]
    passages = _sources(task)
    texts: dict[str, None] = {}
    for question in questions_of(task):
        found = document_answer.candidates(question, passages)
        texts |= dict.fromkeys(each.meaning for each in found[:_MOST_MEANINGS])
    return list(texts)


def _sources(task: RuleTask) -> list[SourcePassage]:
    """Return the passages of the context with their ranks; those of the last answer count more."""
    found: dict[str, FoundPassage] = {str(each.passage.id): each for each in task.findings.ranked}
    best = max((each.signals.score for each in found.values()), default=0.0) or 1.0
    recent = task.context.thread.recent
    last = set(recent[-1].doc_ids) if recent else set[str]()
    follow_up = follows(task, task.context.message)
    sources: list[SourcePassage] = []
    for evidence in task.context.passages:
        each = found.get(evidence.id)
        rank = max(0.0, each.signals.score / best) if each else 0.5
        if follow_up and evidence.document in last:
            rank += 0.3
        path = [heading for heading in (each.path if each else ()) if heading != evidence.title]
        headings = " › ".join(path)
        sources.append(
            SourcePassage(evidence.marker, evidence.title, headings, evidence.text, rank)
        )
    return sources


def asked_text(task: RuleTask) -> str:
    """Return the question to compare by meaning, with the one before it if it depends on it."""
    message = task.inputs.reading.question or task.context.message
    earlier = _earlier_question(task) if follows(task, message) else ""
    return f"{earlier}\n{message}".strip()


def follows(task: RuleTask, text: str) -> bool:
    """Return whether a question leaves its subject to the one before: 가입비는요?"""
    recent = task.context.thread.recent
    if not recent or not recent[-1].doc_ids:
        return depends_on_thread(text)
    return depends_on_thread(text) or len(word_keys(text)) <= _FEW_WORDS


def _earlier_question(task: RuleTask) -> str:
    """Return the last question of the conversation that stands alone, with those after it."""
    messages: list[str] = []
    for turn in reversed(task.context.thread.recent[-4:]):
        messages.append(turn.message)
        if not depends_on_thread(turn.message):
            break
    return "\n".join(reversed(messages))


_WRITERS: dict[Intent, Callable[[RuleTask], str]] = {
    Intent.GREETING: _hello,
    Intent.THANKS: _fixed(THANKS),
    Intent.FAREWELL: _fixed(FAREWELL),
    Intent.IDENTITY: _identity,
    Intent.REMARK: _fixed(REMARK),
    Intent.COMPLAINT: _fixed(COMPLAINT),
    Intent.CALCULATION: _calculation,
    Intent.CALENDAR: _calendar,
    Intent.HISTORY: _history,
    Intent.PROFILE: _profile,
    Intent.FORGET: _forgotten,
    Intent.UNDO: _restored,
    Intent.LEAVE_OUT: _fixed(NOT_KEPT),
    Intent.STATEMENT: _acknowledged,
}
