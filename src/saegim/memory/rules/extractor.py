"""Rule-based fallback of the extractor."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.memory.candidate import CandidateMemory, StatementWeights
from saegim.memory.dates.expressions import Grain
from saegim.memory.dates.resolution import find_dates
from saegim.memory.proposals import asks_memory
from saegim.memory.rules import english, english_speech, korean
from saegim.memory.rules.attributes import ATTRIBUTES, Claim
from saegim.memory.rules.clauses import Clause, clauses
from saegim.memory.rules.loader import StatementPatterns, load
from saegim.memory.rules.meanings import Meanings, is_other, is_request, is_statement
from saegim.memory.rules.statement_model import (
    KEPT,
    SURE,
    ClauseReading,
    clause_inputs,
    statement_model,
)
from saegim.memory.types import CORE
from saegim.text.analysis import language, sentences
from saegim.text.intents import Scores
from saegim.text.questions import is_question
from saegim.text.quotations import own_words
from saegim.text.tokens import cut

MOST = 12
# What is to be done has the day of the clause before it: "She marries on the 4th, so I must go".
_DATED = ("todo", "plan")
# Attributes that passing remarks have too: "I'm going to grab a tea".
_FLEETING = ("plan", "goal", "event", "setting", "habit", "other", "project", "taste")
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_LONGEST_CLAUSE = 400
_POINTS_BACK = re.compile(
    r"(?i)^(?:그럼\s|네\s|응\s|좋아\s?)?(?:그걸로|그거로|그것으로|이걸로|그렇게|거기로|그\s?안으로|첫\s?번째|두\s?번째|마지막)"
    r"|\b(?:that one|the first|the second|the last one|go with it|go with that|let's do that)\b"
)
_NAMES_IT = re.compile(r"^이름은|^이름이|^(?:its|his|her|their) names? (?:is|are)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:아|음|참|어|응|네|예|오|그리고|근데|그런데|그래서|아니|아니다|사실|참고로"
    r"|wait|sorry|well|so|oh|hi|hello|hey|by the way|btw|fyi|also|and|ok|okay|yes|no|actually|um"
    r"|oops|since(?= i\b| we\b| i['’]| we['’])|because|although|though)"
    r"[,!.]?\s+)+",
    re.IGNORECASE,
)
# Clauses with secrets and ids, masked or named, are not remembered.
_MASKED = re.compile(
    r"\[(?:SECRET|NATIONAL_ID|CARD_NUMBER|ACCOUNT_NUMBER|PASSPORT|DRIVER_LICENSE)\]"
    r"|(?:주민(?:등록)?\s?번호|비번|비밀번호|패스워드|암호|카드\s?번호|인증\s?번호|여권\s?번호|시크릿\s?키|토큰)\S*\s.*\d"
    r"|\b(?:\d{4}[ -]){3}\d{4}\b"
    r"|(?i:\b(?:alarm|door|gate|lock|entry|garage|safe) (?:code|combo|combination)\b.*\d)"
    r"|(?i:\b(?:password|passcode|passwd|pw|pin|ssn|cvv|api key|secret key|access key|token)\b.*\d)"
)
_SHORTEST_NOTE = 4
# In a question, a clause of a condition or a wish tells nothing: 출장 가면 얼마 주고.
_CONDITION = re.compile(
    r"(?i)(?:으?면|려면|려고|싶은데|고)[,.\s]*$"
    r"|^(?!(?:and |so |but |since |because |as )?(?:i|im|we|my|our)\b)[a-z]"
)
_SHORTEST, _LONGEST = 6, 160
_REMEMBER = re.compile(
    r"(?i)(?:꼭\s|잘\s)?(?:기억해\s?(?:줘|둬|주세요|두세요|놔)?|메모해\s?(?:줘|둬|주세요)?|적어\s?(?:둬|놔|줘))[요.!]*"
    r"|\b(?:please )?(?:remember|note|keep in mind)(?: that| this)?\b(?! (?:when|how|what|who|me))"
)


def extract_statements(
    message: str, before: Sequence[Exchange] = (), meanings: Meanings | None = None
) -> list[CandidateMemory]:
    """Return the statements of a message, at most one per clause.

    `meanings` tells statements that no rule matches from questions and requests.
    None of a message that asks memory to forget: a proposal asks about that.
    """
    if asks_memory(message):
        return []
    candidates: list[CandidateMemory] = []
    owner = previous = date = ""
    last: tuple[Clause, Claim] | None = None
    for reading in _kept(message, read_clauses(message, meanings or {}), meanings or {}):
        clause, locale, claim = reading.clause, reading.locale, reading.claim
        if claim is None:
            continue
        if clause.sentence != previous:
            date = ""
        if last is not None and _completes(clause, claim, last[0], locale):
            last = (_joined(last[0], clause), last[1])
            candidates[-1] = _candidate(*last, locale, before)
            continue
        previous, date = clause.sentence, _date_words(clause.text) or date
        if claim.attribute.slug == "name" and _NAMES_IT.match(clause.text) and owner:
            claim = Claim(ATTRIBUTES[owner], claim.subject, claim.value)
        owner = claim.attribute.slug if claim.attribute.slug in ("pet", "child") else ""
        candidate = _candidate(clause, claim, locale, before)
        if claim.attribute.slug in _DATED and date and not _date_words(clause.text):
            candidate = replace(candidate, content=f"{candidate.content} ({date})")
        candidates.append(candidate)
        last = (clause, claim)
        if len(candidates) == MOST:
            break
    return candidates


def _own(message: str) -> str:
    """Return what the user says, without quoted text and the material of a task."""
    text = own_words(message)
    return english_speech.own_text(text) if language(text) == "en" else text


def _completes(clause: Clause, claim: Claim, before: Clause, locale: Locale) -> bool:
    """Return whether a clause only completes the statement before it: it has no date, number or
    name, and no rule matches it."""
    if locale != "en" or not claim.general or clause.sentence != before.sentence:
        return False
    if len(before.text) + len(clause.text) > _LONGEST_CLAUSE:
        return False
    plain = load(locale).stated
    if plain.exact.search(clause.text) or plain.when.search(clause.text):
        return False
    joint = _between(before, clause)
    return not english_speech.stands_alone(joint, clause.text)


def _between(one: Clause, other: Clause) -> str:
    begin = one.sentence.find(one.text) + len(one.text)
    return one.sentence[begin : one.sentence.find(other.text, begin)]


def _joined(one: Clause, other: Clause) -> Clause:
    begin = one.sentence.find(one.text)
    end = one.sentence.find(other.text, begin + len(one.text)) + len(other.text)
    return replace(one, text=one.sentence[begin:end], last=other.last)


def read_clauses(message: str, meanings: Meanings) -> list[ClauseReading]:
    """Return the clauses of a message with what the rules claim of them, without secrets."""
    readings: list[ClauseReading] = []
    previous, sentence = "", _Sentence.of("")
    for clause in clauses(_own(message)):
        if len(clause.text) > _LONGEST_CLAUSE or _MASKED.search(clause.text):
            continue
        locale, meaning = language(clause.text), meanings.get(clause.sentence)
        scores = None if meaning is None else meaning.scores
        if clause.sentence is not sentence.text:
            sentence = _Sentence.of(clause.sentence)
        claim = _claim(clause, sentence, locale, scores, continued=previous == clause.sentence)
        if claim is not None:
            previous = clause.sentence
        readings.append(ClauseReading(clause, locale, claim))
    return readings


def _kept(
    message: str, readings: list[ClauseReading], meanings: Meanings
) -> Iterator[ClauseReading]:
    """Yield the readings that the classifier keeps; all, if the message has no vector.

    A message in which no clause is surely a statement tells nothing.
    """
    scored: list[tuple[ClauseReading, float]] = []
    for at, reading in enumerate(readings):
        inputs = clause_inputs(message, readings, at, meanings)
        if inputs is None:
            yield from readings
            return
        noted = reading.claim is not None and reading.claim.attribute.slug == "note"
        scored.append((reading, SURE if noted else statement_model().score(inputs)))
    sure = any(score >= SURE for _, score in scored)
    for reading, score in scored:
        meaning = meanings.get(reading.clause.sentence)
        if not sure or score < KEPT or (meaning is not None and is_request(meaning.scores)):
            continue
        yield replace(reading, claim=reading.claim or _plain(reading.clause, reading.locale))


def _plain(clause: Clause, locale: Locale) -> Claim:
    text = clause.text.strip()
    return Claim(ATTRIBUTES[_kind(text, load(locale).stated)], "", text, general=True)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that clauses are part of: whether it is a question, or asks to remember."""

    text: str
    asks: bool
    notes: bool

    @classmethod
    def of(cls, text: str) -> "_Sentence":
        return cls(text, is_question(text), _REMEMBER.search(text) is not None)


def _claim(
    clause: Clause, sentence: _Sentence, locale: Locale, meaning: Scores | None, *, continued: bool
) -> Claim | None:
    if locale == "en" and english_speech.is_not_own(clause.text):
        return None
    claim = first_claim(clause.text, locale, last=clause.last) or _noted(clause, sentence)
    if meaning is not None and is_request(meaning):
        return None
    if locale == "en" and english_speech.is_passing(clause.text):
        return claim if claim is not None and claim.attribute.slug not in _FLEETING else None
    if claim is not None and not claim.general:
        return claim
    claim = claim or _stated(clause, sentence, locale, continued=continued)
    if meaning is None or (claim is not None and not is_other(meaning)):
        return claim
    # The meaning is that of the sentence, and says nothing of its clauses.
    whole = clause.text == clause.sentence
    return _meant(clause, sentence, locale) if whole and is_statement(meaning) else None


def first_claim(text: str, locale: Locale, *, last: bool) -> Claim | None:
    """Return the first statement of a clause."""
    claims: Iterator[Claim] = (korean if locale == "ko" else english).claims(text, last=last)
    return next(claims, None)


def _date_words(text: str) -> str:
    """Return the first words of a text that name a day."""
    found = find_dates(text, _ANY_DAY, "UTC")
    days = (text[each.start : each.end] for each in found if each.grain is Grain.DAY)
    return next(days, "")


def _noted(clause: Clause, sentence: _Sentence) -> Claim | None:
    """Return a note of the text beside "기억해줘"."""
    if sentence.asks or not sentence.notes:
        return None
    rest = _REMEMBER.sub("", clause.text).strip(" ,.:!~")
    if len(rest) < _SHORTEST_NOTE:
        return None
    return Claim(ATTRIBUTES["note"], "", rest)


def _stated(
    clause: Clause, sentence: _Sentence, locale: Locale, *, continued: bool
) -> Claim | None:
    """Return a statement that no rule matches: exact, dated, in the first person, or `continued`.

    A clause that continues a statement needs no sign of its own: its subject is that of the
    statement.
    """
    rules = load(locale)
    text, plain = clause.text.strip(), rules.stated
    if is_question(text) or (sentence.asks and _CONDITION.search(text)):
        return None
    if not _SHORTEST <= len(text) <= _LONGEST or any(no.search(text) for no in rules.not_said):
        return None
    if (clause.last and rules.question.search(text)) or plain.not_stated.search(text):
        return None
    if plain.for_all.search(text) or (plain.others.search(text) and not plain.when.search(text)):
        return None
    signs = (plain.own, plain.exact, plain.when, plain.must, plain.identity)
    if not continued and not any(sign.search(text) for sign in signs):
        return None
    return Claim(ATTRIBUTES[_kind(text, plain)], "", text, general=True)


def _meant(clause: Clause, sentence: _Sentence, locale: Locale) -> Claim | None:
    """Return a statement by its meaning alone, if it is neither a question nor reported."""
    text, rules = clause.text.strip(), load(locale)
    if sentence.asks or not _SHORTEST <= len(text) <= _LONGEST:
        return None
    if any(no.search(text) for no in (*rules.not_said, rules.stated.not_stated)):
        return None
    return _plain(clause, locale)


def _kind(text: str, plain: StatementPatterns) -> str:
    if plain.to_do.search(text):
        return "todo"
    if plain.must.search(text):
        return "limit"
    return "event" if plain.when.search(text) and not plain.often.search(text) else "other"


def _candidate(
    clause: Clause, claim: Claim, locale: Locale, before: Sequence[Exchange]
) -> CandidateMemory:
    attribute = claim.attribute
    name = attribute.names[locale]
    content = _complete(clause, locale)
    if _POINTS_BACK.search(content):
        content = _with_referent(content, before)
    elif _NAMES_IT.match(content) and attribute.slug in ("pet", "child"):
        content = f"{name} {content}" if locale == "ko" else f"My {name}: {content}"
    return CandidateMemory(
        type=attribute.type,
        content=content,
        quote=clause.text,
        topic=f"{claim.subject} {name}" if claim.subject and claim.subject not in name else name,
        weights=StatementWeights(attribute.salience, attribute.stability, attribute.future_use),
        tags=frozenset({CORE}) if attribute.core and not claim.negated else frozenset(),
    )


def _complete(clause: Clause, locale: Locale) -> str:
    """Return a clause without words that only lead to it."""
    content = _LEAD.sub("", clause.text).strip(" ,;")
    return content[:1].upper() + content[1:] if locale == "en" else content


def _with_referent(content: str, before: Sequence[Exchange]) -> str:
    """Append what "그걸로 할게" refers to: the first sentence of the last reply."""
    for turn in reversed(before):
        referents = sentences(turn.reply) or sentences(turn.message)
        if referents:
            return f"{content} ({cut(referents[0], 60)})"
    return content
