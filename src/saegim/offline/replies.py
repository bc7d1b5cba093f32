"""Write a reply from what was found, by the kind of the message."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.offline import documents, statements, texts
from saegim.offline.documents import Line, SourcePassage
from saegim.offline.heads import MessageKind, MessageReading
from saegim.offline.statements import SaidSentence
from saegim.text.analysis import language

_MOST_KNOWN, _MOST_ASKED = 15, 5
_LONGEST_QUOTE = 200
# From here on a passage is shown beside "for this I need a model".
_RELATED = 0.5
# From these chances on a question may be about its author, and surely is.
_MAY_BE_OWN, _IS_OWN = 0.2, 0.7
_FIXED = {
    MessageKind.THANKS: texts.THANKS,
    MessageKind.FAREWELL: texts.FAREWELL,
    MessageKind.REMARK: texts.REMARK,
    MessageKind.COMPLAINT: texts.COMPLAINT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineTask:
    """A message and what was found for it.

    `said` are sentences of the person, with the records about them; None if memory is off. `asked`
    are their earlier messages in the conversation, the oldest first. `may_be_sure`: the search is
    sure enough that a line may count as the answer. `failed`: a model should have answered.
    """

    reading: MessageReading
    message: str
    now: datetime
    name: str = ""
    said: tuple[SaidSentence, ...] | None = ()
    known: tuple[SaidSentence, ...] = ()
    passages: tuple[SourcePassage, ...] = ()
    facts: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    changed: tuple[str, ...] | None = None
    noted: tuple[str, ...] = ()
    may_be_sure: bool = True
    opened: bool = False
    failed: bool = False
    similar: Mapping[str, float] = field(default_factory=dict[str, float])

    @property
    def locale(self) -> Locale:
        return language(self.message)

    def say(self, text: str, **values: object) -> str:
        return translate(text, self.locale, **values)


def compared_texts(task: OfflineTask, most_said: int = 24) -> list[str]:
    """Return the texts whose similarity to the question decides the reply."""
    kind = task.reading.kind
    if not kind.searches and kind is not MessageKind.NEEDS_MODEL:
        return []
    lines = documents.lines_of(task.reading.question, task.passages)
    return [*statements.texts_of(task.said or (), most_said), *documents.texts_of(lines)]


def reply(task: OfflineTask) -> str | None:
    """Return the reply; None if nothing was found."""
    kind = task.reading.kind
    if kind in _FIXED:
        return task.say(_FIXED[kind])
    if kind.may_name_document and (named := _named(task)):
        return answered(documents.beginning(named))
    match kind:
        case MessageKind.GREETING:
            again = texts.HELLO_AGAIN if task.asked else texts.HELLO
            return _with_suggestions(task, task.say(again))
        case MessageKind.IDENTITY:
            return _with_suggestions(task, task.say(texts.IDENTITY, name=task.name or "Saegim"))
        case MessageKind.HISTORY:
            return _history(task)
        case MessageKind.PROFILE:
            return _profile(task)
        case MessageKind.FORGET | MessageKind.UNDO | MessageKind.LEAVE_OUT:
            return _change(task)
        case MessageKind.STATEMENT:
            return task.say(texts.NOT_READ_YET) if task.failed else acknowledged(task)
        case MessageKind.NEEDS_MODEL:
            return _needs_model(task)
        case _:
            return _found(task)


def _named(task: OfflineTask) -> SourcePassage | None:
    """Return the passage whose heading the message is or quotes; a model may be asked to work on
    what is quoted."""
    named = documents.titled(task.message, task.passages)
    if named is None and task.reading.kind is not MessageKind.NEEDS_MODEL:
        opened = task.passages[0] if task.opened and task.passages else None
        named = opened or documents.quoted(task.message, task.passages)
    return named


def listed(quotes: Sequence[str]) -> str:
    """Quote sentences in one line."""
    return " · ".join(f"“{each.strip(' .')}”" for each in quotes)


def _with_suggestions(task: OfflineTask, text: str) -> str:
    if not task.suggestions:
        return text
    lines = [f"- {each}" for each in task.suggestions]
    return "\n".join([text, "", task.say(texts.TRY), *lines])


# --- memory ---


def acknowledged(task: OfflineTask) -> str:
    if not task.noted:
        return task.say(texts.MEMORY_OFF)
    quoted = task.say(texts.REMEMBERED, statements=listed(task.noted))
    return f"{quoted}\n\n{task.say(texts.UNDO_HINT)}"


def _change(task: OfflineTask) -> str:
    """Say what a request changed; a proposal stands below the reply."""
    kind, changed = task.reading.kind, task.changed
    if kind is MessageKind.UNDO:
        if changed:
            return task.say(texts.RESTORED, statements=listed(changed))
        return task.say(texts.NOTHING_TO_RESTORE)
    if changed is not None:
        if kind is MessageKind.LEAVE_OUT:
            return task.say(texts.LEFT_OUT)
        return task.say(texts.FORGOTTEN, statements=listed(changed))
    return task.say(texts.NOT_NOTED if kind is MessageKind.LEAVE_OUT else texts.NOTHING_TO_FORGET)


def _profile(task: OfflineTask) -> str:
    if task.said is None:
        return task.say(texts.MEMORY_OFF)
    known = statements.distinct(task.known)[:_MOST_KNOWN]
    if not known:
        return task.say(texts.KNOWN_NOTHING)
    lines = [
        _bullet(task, each, is_earlier=statements.may_be_corrected(each, known)) for each in known
    ]
    return "\n".join([task.say(texts.KNOWN), "", *lines])


def _about_self(task: OfflineTask) -> str | None:
    """Quote what the person said on the question, the newest first, each with its day."""
    question = task.reading.question
    surely = task.reading.kind is MessageKind.ABOUT_SELF
    least = statements.ANSWERS if surely else statements.SURELY
    lead, said = texts.YOU_SAID, task.said or ()
    found = statements.answering(question, said, task.similar, least)
    if not found and surely:
        lead = texts.NEAREST_SAID
        found = statements.answering(question, said, task.similar, statements.NEAR)
    if not found:
        return None
    newest, *earlier = found
    lines = [_bullet(task, newest), *(_bullet(task, each, is_earlier=True) for each in earlier)]
    return "\n".join([task.say(lead), "", *lines])


def _bullet(task: OfflineTask, said: SaidSentence, *, is_earlier: bool = False) -> str:
    cited = f" [{said.marker}]" if said.marker else ""
    day = said.at.astimezone(task.now.tzinfo).date().isoformat()
    shown = task.say(texts.EARLIER, day=day) if is_earlier else day
    return f"- “{said.text.strip(' .')}” ({shown}){cited}"


def _history(task: OfflineTask) -> str:
    if not task.asked:
        return task.say(texts.NO_HISTORY)
    latest = [f"- “{_cut(each)}”" for each in reversed(task.asked[-_MOST_ASKED:])]
    lines = [task.say(texts.ASKED_HERE), "", *latest]
    if len(task.asked) > _MOST_ASKED:
        lines += ["", task.say(texts.FIRST_MESSAGE, message=_cut(task.asked[0]))]
    return "\n".join(lines)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_QUOTE else f"{line[:_LONGEST_QUOTE].rstrip()}…"


# --- documents ---


def _found(task: OfflineTask) -> str | None:
    """Answer from what the person said, from tools or from documents; None if nothing is close."""
    heads = [acknowledged(task)] if task.noted else []
    own = _about_self(task) if task.reading.about_self >= _MAY_BE_OWN else None
    if own is None and task.reading.about_self >= _IS_OWN:
        own = task.say(texts.UNKNOWN_FACT)
    body = [own] if own else [*(f"> {each}" for each in task.facts), *_from_documents(task)]
    if not body:
        return heads[0] if heads else None
    lead = [task.say(texts.MODEL_FAILED)] if task.failed else []
    return "\n\n".join([*heads, *lead, *body])


def _from_documents(task: OfflineTask) -> list[str]:
    """Return the line that answers with its quote, or the closest lines."""
    named = documents.titled(task.message, task.passages)
    if task.opened and task.passages:
        named = named or task.passages[0]
    if named:
        return [answered(documents.beginning(named))]
    question = task.reading.question
    lines = documents.lines_of(question, task.passages)
    may_be_sure = task.may_be_sure and not documents.names_unknown(question, task.passages)
    found = documents.find(lines, task.similar, may_be_sure=may_be_sure)
    if found.answer is not None:
        return [answered(found.answer)]
    if section := documents.quoted(task.message, task.passages):
        return [answered(documents.beginning(section))]
    return [_closest(task, found.closest, texts.CLOSEST)] if found.closest else []


def answered(line: Line) -> str:
    """Write a line with its source, and quote what it was taken from."""
    cited = f"{line.text} [{line.passage.marker}]"
    return cited if not line.quote or line.quote == line.text else f"{cited}\n\n{_quoted(line)}"


def _quoted(line: Line) -> str:
    body = "\n".join(f"> {each}" for each in line.quote.strip().splitlines())
    return f"**{_place(line)}** [{line.passage.marker}]\n{body}"


def _place(line: Line) -> str:
    passage = line.passage
    return f"{passage.title} › {passage.headings}" if passage.headings else passage.title


def _closest(task: OfflineTask, lines: Sequence[Line], lead: str) -> str:
    shown = [
        f"- {_cut(each.text)} ({each.passage.title}) [{each.passage.marker}]" for each in lines
    ]
    return "\n".join([task.say(lead), "", *dict.fromkeys(shown)])


def _needs_model(task: OfflineTask) -> str:
    """Say that it needs a model, with what the documents have on it."""
    said = task.say(texts.NEEDS_MODEL_NOW if task.failed else texts.NEEDS_MODEL)
    lines = documents.lines_of(task.reading.question, task.passages)
    found = documents.find(lines, task.similar, may_be_sure=False)
    near = [
        each
        for each in found.closest
        if each.covered >= _RELATED and each.similarity(task.similar) >= _RELATED
    ]
    heads = [acknowledged(task)] if task.noted else []
    return "\n\n".join([*heads, said, *([_closest(task, near, texts.RELATED)] if near else [])])
