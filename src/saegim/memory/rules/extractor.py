"""Rule-based fallback of the extractor."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby, islice

from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.memory.candidate import CandidateMemory, StatementWeights
from saegim.memory.dates.expressions import Grain
from saegim.memory.dates.resolution import find_dates
from saegim.memory.proposals import asks_memory, besides_request
from saegim.memory.rules import english, english_speech, korean
from saegim.memory.rules.attributes import ATTRIBUTES, Claim
from saegim.memory.rules.clauses import Clause, clauses
from saegim.memory.rules.loader import StatementPatterns, load
from saegim.memory.types import CORE
from saegim.text.analysis import language, sentences
from saegim.text.questions import is_question
from saegim.text.quotations import is_standing, own_prose, prose
from saegim.text.tokens import cut

MOST = 12
# What is to be done has the day of the clause before it: "She marries on the 4th, so I must go".
_DATED = ("todo", "plan")
# Attributes that passing remarks have too: "I'm going to grab a tea".
_FLEETING = ("plan", "goal", "event", "setting", "habit", "other", "project", "taste")
# Attributes that the occasion of a question has too: "I paid on March 2, can I get a refund?".
_PASSING = (*_FLEETING[:-1], "limit", "decision", "milestone", "schedule")
# Longer messages are pasted texts.
_MOST_SENTENCES, _MOST_CLAUSES = 8, 50
_ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_LONGEST_CLAUSE = 400
# A clause that says nothing without the reply before it.
_POINTS_BACK = re.compile(
    r"(?i)(?:그럼\s|네\s|응\s|좋아\s?)?"
    r"(?:(?:그|이)[걸거것]으?로|그렇게|거기로|(?:그|첫\s?번째|두\s?번째|마지막)\s?(?:안|거|것|걸|방법)?으?로)"
    r"\s(?:할|하|해|갈|가|정|결정|선택|진행)\S*(?:\s\S+)?"
    r"|(?:ok(?:ay)?,? |yes,? )?(?:(?:i|we)(?:['’]ll| will)? |let['’]?s )?"
    r"(?:take |choose |pick |go with |do )?"
    r"(?:that one|that|it|the (?:first|second|third|last) one)(?:,? (?:please|then))?\W*"
)
_NAMES_IT = re.compile(r"^이름은|^이름이|^(?:its|his|her|their) names? (?:is|are)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:아|음|참|어|응|네|예|오|그리고|근데|그런데|그래서|아니|아니다|사실|참고로"
    r"|wait|sorry|well|so|oh|hi|hello|hey|by the way|btw|fyi|also|and|ok|okay|yes|no|but|actually"
    r"|um|oops|since(?= i\b| we\b| i['’]| we['’])|because|although|though)"
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
    message: str, before: Sequence[Exchange] = (), facts: Set[str] | None = None
) -> list[CandidateMemory]:
    """Return the statements of a message, at most one per clause.

    A request to forget is no statement; what else is said beside it is. `facts` are the sentences
    and clauses that tell one by their meaning; if that is unknown, patterns guess.
    """
    if asks_memory(message):
        message = besides_request(message)
    candidates: list[CandidateMemory] = []
    owner = previous = date = ""
    last: tuple[Clause, Claim] | None = None
    for clause, locale, first in _claims(message, facts):
        claim = first
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
        if len(candidates) >= MOST:
            break
    return candidates[:MOST]


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


def _claims(message: str, facts: Set[str] | None) -> Iterator[tuple[Clause, Locale, Claim]]:
    """Yield what the rules claim of the clauses of a message, without secrets.

    A message that asks for something, or a long one, tells only who the user is, and its `facts`:
    the rest of it describes what is asked.
    """
    parts = sentences(prose(message))
    asks = len(parts) > _MOST_SENTENCES or any(map(_asks, parts))
    spoken = islice(clauses(own_prose(message)), _MOST_CLAUSES)
    for text, group in groupby(spoken, lambda clause: clause.sentence):
        sentence, several = _Sentence.of(text), list(group)
        found = [_read(clause, sentence) for clause in several if _may_be_kept(clause.text)]
        if facts is not None:
            yield from _with_facts(text, several[0], found, facts, asks=asks)
            continue
        for clause, locale, claim in found:
            if claim is not None and not (asks and _describes(claim)):
                yield clause, locale, claim


def _with_facts(
    sentence: str,
    first: Clause,
    found: Sequence[tuple[Clause, Locale, Claim | None]],
    facts: Set[str],
    *,
    asks: bool,
) -> Iterator[tuple[Clause, Locale, Claim]]:
    """Yield what rules recognise in a sentence, and what it tells besides by its meaning."""
    recognised = {
        clause.start: claim
        for clause, _, claim in found
        if claim is not None
        and not claim.general
        and not (asks and _describes(claim) and facts.isdisjoint((clause.text, sentence)))
    }
    if not recognised and sentence in facts and _may_be_kept(sentence):
        locale = language(sentence)
        whole = Clause(sentence, first.start, last=True, sentence=sentence)
        yield whole, locale, _general(sentence, locale)
        return
    for clause, locale, _ in found:
        if clause.start in recognised:
            yield clause, locale, recognised[clause.start]
        elif clause.text in facts:
            yield clause, locale, _general(clause.text, locale)


def _read(clause: Clause, sentence: "_Sentence") -> tuple[Clause, Locale, Claim | None]:
    locale = language(clause.text)
    return clause, locale, _claim(clause, sentence, locale)


def _may_be_kept(text: str) -> bool:
    return len(text) <= _LONGEST_CLAUSE and _MASKED.search(text) is None


def _describes(claim: Claim) -> bool:
    """Return whether a statement may only describe what a message asks."""
    return claim.general or claim.attribute.slug in _PASSING


def _general(text: str, locale: Locale) -> Claim:
    return Claim(ATTRIBUTES[_kind(text, load(locale).stated)], "", text, general=True)


def _asks(sentence: str) -> bool:
    return is_question(sentence) or load(language(sentence)).question.search(sentence) is not None


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence that clauses are part of: whether it is a question, or asks to remember."""

    text: str
    asks: bool
    notes: bool

    @classmethod
    def of(cls, text: str) -> "_Sentence":
        return cls(text, is_question(text), _REMEMBER.search(text) is not None)


def _claim(clause: Clause, sentence: _Sentence, locale: Locale) -> Claim | None:
    if locale == "en" and english_speech.is_not_own(clause.text):
        return None
    claim = first_claim(clause.text, locale, last=clause.last) or _noted(clause, sentence)
    if (claim is None or claim.attribute.slug in _PASSING) and _is_malfunction(clause.text, locale):
        return None
    if locale == "en" and english_speech.is_passing(clause.text):
        return claim if claim is not None and claim.attribute.slug not in _FLEETING else None
    if claim is not None and not claim.general:
        return claim
    return claim or _stated(clause, sentence, locale)


def _is_malfunction(text: str, locale: Locale) -> bool:
    return load(locale).stated.malfunction.search(text) is not None


def first_claim(text: str, locale: Locale, *, last: bool) -> Claim | None:
    """Return the first statement of a clause."""
    return next(all_claims(text, locale, last=last), None)


def all_claims(text: str, locale: Locale, *, last: bool) -> Iterator[Claim]:
    """Yield the statements of a clause."""
    return (korean if locale == "ko" else english).claims(text, last=last)


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


def _stated(clause: Clause, sentence: _Sentence, locale: Locale) -> Claim | None:
    """Return a statement that no rule matches: exact, dated, or in the first person."""
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
    if not any(sign.search(text) for sign in signs):
        return None
    return _general(text, locale)


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
    if _POINTS_BACK.fullmatch(content.rstrip(" .!~")):
        content = _with_referent(content, before)
    elif _NAMES_IT.match(content) and attribute.slug in ("pet", "child"):
        content = f"{name} {content}" if locale == "ko" else f"My {name}: {content}"
    core = attribute.core or (attribute.slug == "manner" and is_standing(clause.text))
    return CandidateMemory(
        type=attribute.type,
        content=content,
        quote=clause.text,
        topic=f"{claim.subject} {name}" if claim.subject and claim.subject not in name else name,
        weights=StatementWeights(attribute.salience, attribute.stability, attribute.future_use),
        tags=frozenset({CORE}) if core and not claim.negated else frozenset(),
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
