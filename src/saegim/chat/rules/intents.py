"""Recognise what a message wants: small talk, memory, arithmetic, history, or the documents."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from saegim.chat.rules.about_user import claim_of
from saegim.chat.rules.calculator import calculate, on_calendar
from saegim.chat.rules.patterns import pattern
from saegim.chat.understanding import refers_back
from saegim.memory.proposals import asks_to_forget, asks_to_undo
from saegim.memory.rules.extractor import extract_statements
from saegim.text.analysis import fold, language, sentences
from saegim.text.intents import Intent
from saegim.text.questions import LONGEST_QUESTION, is_question

# Small talk: the whole message, in parts, is made of these.
_FILLER = pattern("small_talk", "filler")
_SMALL_TALK = tuple(
    (intent, pattern("small_talk", intent.value))
    for intent in (Intent.GREETING, Intent.THANKS, Intent.FAREWELL, Intent.REMARK)
)
_MOST_WORDS = 5
# Patterns take time that grows with the text, and run on the event loop.
LONGEST = 600
_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
_PARTS = re.compile(r"[,.!?~;…\n]+|(?<=[ㅋㅎㅠㅜ])\s+|(?<=[가-힣a-z])(?=[ㅋㅎㅠㅜ]{2,})")
# Remarks about the day, mood or weather that ask nothing.
_MUSING = pattern("intents", "musing")
_COMPLAINT = pattern("intents", "complaint")
_IDENTITY = pattern("intents", "identity")

# --- memory ---

_PROFILE = pattern("intents", "profile")
_HISTORY = pattern("intents", "history")
_TROUBLE = pattern("intents", "trouble")
_PREDICATE = pattern("intents", "predicate")
_SELF_KO = pattern("intents", "self_ko")
_SELF_EN = pattern("intents", "self_en")
_ASKS_MEMORY = pattern("intents", "asks_memory")
_ASKS_PAST = pattern("intents", "asks_past")


# "Our company" is no one's own matter.
_OFFICE = re.compile(r"(?:우리|저희)\s?(?:회사|팀|부서|지점|본부|공장|매장|가게|사업부|그룹)")
_OWN_MATTER = re.compile(rf"{_SELF_KO.pattern}|말한|말했|얘기한|얘기했|알려 ?준|적어 ?둔")
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The intent of a message, its statements about the user, and what remains to be answered.

    `asks_memory`: the question is about what the user said before. `by_tense`: only its past tense
    says so, and documents may answer it as well.
    """

    intent: Intent
    statements: tuple[str, ...] = ()
    question: str = ""
    asks_memory: bool = False
    by_tense: bool = False

    @property
    def reads_memory(self) -> bool:
        """Whether the reply depends on what is known of the user."""
        return self.intent in (Intent.PROFILE, Intent.STATEMENT) or self.intent.searches


def read(message: str) -> Interpretation:
    """Recognise the intent of a message; a long one is a question to the documents."""
    if len(message) > LONGEST:
        return Interpretation(Intent.QUESTION, (), message[:LONGEST_QUESTION])
    folded = " ".join(fold(message).split())
    fixed = _fixed_intent(message, folded)
    return Interpretation(fixed) if fixed else _statement_or_question(message, folded)


def tells_something(sentence: str) -> bool:
    """Return whether a sentence is no question, request or small talk, which answer nothing.

    Extracts statements only where the answer depends on them: that takes most of the time.
    """
    if is_question(sentence) or is_phrase(sentence):
        return False
    folded = " ".join(fold(sentence).split())
    if len(sentence) <= LONGEST:
        if _fixed_intent(sentence, folded) or _short_politeness(folded):
            return False
        if not _MUSING.search(folded) and not _COMPLAINT.search(folded):
            return True
    return read(sentence).intent in (Intent.STATEMENT, Intent.QUESTION, Intent.ABOUT_SELF)


def _fixed_intent(message: str, folded: str) -> Intent | None:
    """Return the intent that the words alone show; None for statements and questions."""
    if asks_to_undo(message):
        return Intent.UNDO
    if asks_to_forget(message):
        return Intent.FORGET
    if calculate(message) is not None:
        return Intent.CALCULATION
    if on_calendar(message, _ANY_DAY) is not None:
        return Intent.CALENDAR
    talk = _small_talk(folded)
    if talk is not None:
        return talk
    for intent, words in (
        (Intent.HISTORY, _HISTORY),
        (Intent.PROFILE, _PROFILE),
        (Intent.IDENTITY, _IDENTITY),
    ):
        if words.search(folded):
            return intent
    return None


def _small_talk(folded: str) -> Intent | None:
    """Return the kind of small talk that the whole message is; None if it is anything else."""
    bare = _EDGES.sub("", folded)
    if not bare:
        return Intent.REMARK
    kinds: list[Intent] = []
    for part in filter(None, (_EDGES.sub("", part) for part in _PARTS.split(bare))):
        kind = _kind(part)
        if kind is None:
            return None
        kinds.append(kind)
    # A greeting in front of thanks is politeness; the last kind but a remark is what is meant.
    return next((kind for kind in reversed(kinds) if kind is not Intent.REMARK), Intent.REMARK)


def _kind(part: str) -> Intent | None:
    """Return the last kind of small talk in a part that is made of nothing else."""
    words = part.split()
    kind, at = Intent.REMARK, 0
    while at < len(words):
        for taken in range(min(_MOST_WORDS, len(words) - at), 0, -1):
            found = _phrase_kind(" ".join(words[at : at + taken]))
            if found is not None:
                kind, at = (found if found is not Intent.REMARK else kind), at + taken
                break
        else:
            return None
    return kind


def _phrase_kind(phrase: str) -> Intent | None:
    for intent, words in _SMALL_TALK:
        if words.fullmatch(phrase):
            return intent
    return Intent.REMARK if _FILLER.fullmatch(phrase) else None


def _statement_or_question(message: str, folded: str) -> Interpretation:
    asked = [sentence for sentence in sentences(message) if is_question(sentence)]
    statements = tuple(each.content for each in extract_statements(message))
    claims = map(claim_of, statements)
    if not asked and all(each is None or each.general for each in claims):
        statements = () if _is_look_up(message, folded) else statements
    if refers_back(message):
        statements = ()
    if not asked:
        polite = _short_politeness(folded)
        if polite is not None:
            return Interpretation(polite)
        if statements and not _MUSING.search(folded):
            return Interpretation(Intent.STATEMENT, statements)
        if _COMPLAINT.search(folded) and not _TROUBLE.search(folded):
            return Interpretation(Intent.COMPLAINT)
        if _MUSING.search(folded) and len(folded) < 60:
            return Interpretation(Intent.REMARK)
        return Interpretation(Intent.QUESTION)
    question = " ".join(asked)
    if _COMPLAINT.search(folded) and not _has_subject(folded):
        return Interpretation(Intent.COMPLAINT)
    own = fold(question)
    first_person = _SELF_KO.search(own) or _SELF_EN.search(own)
    spoken, past = (each.search(own) is not None for each in (_ASKS_MEMORY, _ASKS_PAST))
    intent = Intent.ABOUT_SELF if first_person or spoken or past else Intent.QUESTION
    by_tense = past and not spoken and not _OWN_MATTER.search(_OFFICE.sub("", own))
    return Interpretation(intent, statements, question, spoken or past, by_tense)


def _is_look_up(message: str, folded: str) -> bool:
    """Return whether a statement names a thing to look up: trouble, or a phrase without a verb."""
    if _TROUBLE.search(folded):
        return True
    first_person = _SELF_KO.search(folded) or _SELF_EN.search(folded)
    return not first_person and is_phrase(message)


def is_phrase(text: str) -> bool:
    """Return whether a Korean text has no verb at its end, so that it tells nothing."""
    return language(text) == "ko" and _PREDICATE.search(_EDGES.sub("", fold(text))) is None


def _short_politeness(folded: str) -> Intent | None:
    """Return thanks or a greeting in a short message that tells nothing of its author."""
    words = _EDGES.sub("", folded).split()
    if len(words) > _MOST_WORDS or _SELF_KO.search(folded) or _SELF_EN.search(folded):
        return None
    kinds = [_phrase_kind(_EDGES.sub("", word)) for word in words]
    for kind in (Intent.THANKS, Intent.GREETING):
        if kind in kinds:
            return kind
    return None


def _has_subject(folded: str) -> bool:
    """Return whether an angry question still names a matter: it has more than five other words."""
    rest = _COMPLAINT.sub(" ", folded)
    return len([word for word in re.findall(r"[\w가-힣]+", rest) if len(word) > 1]) > 5
