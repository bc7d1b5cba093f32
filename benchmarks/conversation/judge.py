"""Judge the answer a user sees, by rules: no model is needed to tell right from wrong."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from benchmarks.conversation.messages import Expectation, Kind, Message
from benchmarks.product_texts import hedge_of
from saegim.locales import catalogue

# A user reads this far; a value further down is not an answer.
FIRST_CHARACTERS = 300
LONGEST_SMALL_TALK = 600
# A refusal is the first thing an answer says.
REFUSAL_CHARACTERS = 200

SMALL_TALK: frozenset[Kind] = frozenset({"greeting", "thanks", "who_are_you", "remark", "rudeness"})
REQUESTS: frozenset[Kind] = frozenset({"statement", "correction", "forget", "dont_remember"})
# What only a model does well: to say so is right.
NEEDS_MODEL: frozenset[Kind] = frozenset(
    {"arithmetic", "count", "list", "two_part", "follow_up", "cross_language", "history"}
)

_REFUSALS = {
    "en": r"((could|did) ?n.t|(could|did) not) find|no exact answer|no content on|found nothing"
    r"|(do ?n.t|do not) (know|remember|have (any|that|an answer))|(have ?n.t|have not) told"
    r"|nothing (about|on|stored|(is|was) (stored|remembered|known))|i have (no|nothing)\b"
    r"|no (memory|record|memories) of",
    "ko": r"찾지 못|정확한 답.{0,4}없|준비 중|모르겠|모릅니다|몰라요|아직 모르"
    r"|기억(하는|하고 있는|된|나는|에).{0,10}없|기록.{0,6}없"
    r"|(아는|알고 있는|저장된|저장한|남은) .{0,6}없"
    r"|(말씀|알려|말해|말한|들은).{0,6}(적|것|게|내용|바).{0,3}없",
}
_ACKNOWLEDGED = {
    "statement": r"기억|알겠|알았|적어|메모|저장|기록|반가|반갑"
    r"|remember|noted|got it|saved|nice to meet|keep (that|it) in mind|understood",
    "correction": r"기억|알겠|알았|바꾸|바꿨|고쳤|수정|업데이트|변경|저장|정정"
    r"|remember|noted|got it|updated|changed|corrected|saved|understood",
    "forget": r"잊|지웠|지워|삭제|기억하지"
    r"|forgot|forget|deleted|removed|erased|no longer",
    "dont_remember": r"기억하지 않|기억 ?안|저장하지 않|남기지 않|적지 않|알겠|알았"
    r"|not (be )?(remember|sav|stor|keep|record|kept)|won.t|got it|understood",
}
# Notes that mark a value as an earlier one, as memory writes them and as people do.
_EARLIER = re.compile(
    r"\((이후 (바뀜|정정됨)|이전|예전|changed since|corrected since|earlier|previous)"
)
_QUOTED_LINE = re.compile(r"^\s*>", re.MULTILINE)
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_MARKUP = re.compile(r"[*_`|]+")


@dataclass(frozen=True, slots=True)
class VisibleAnswer:
    """The text as shown, and the outside ids of the documents it cites."""

    text: str
    documents: frozenset[str] = frozenset()


def failures(message: Message, answer: VisibleAnswer, forgotten: Sequence[str] = ()) -> list[str]:
    """Returns what is wrong with an answer; nothing if it is as expected."""
    found: list[str] = []
    if not (message.kind in NEEDS_MODEL and says_needs_model(answer)):
        found += [*_expected(message, answer), *_expected_of_kind(message, answer)]
    found += [f"repeats what was forgotten: {word}" for word in repeated(answer, forgotten)]
    return found


def says_needs_model(answer: VisibleAnswer) -> bool:
    return hedge_of(answer.text) == "needs_model"


def is_confident(message: Message, answer: VisibleAnswer) -> bool:
    """Returns whether a reader takes the answer for one: its beginning says nothing else."""
    return message.kind not in SMALL_TALK and not refuses(answer.text)


def named(groups: Sequence[Sequence[str]], text: str) -> int:
    """Returns how many of the groups of expressions a text matches."""
    folded = fold(text)
    return sum(earliest(alternatives, folded) is not None for alternatives in groups)


def repeated(answer: VisibleAnswer, forgotten: Sequence[str]) -> list[str]:
    """Returns the forgotten words that an answer has."""
    text = fold(answer.text)
    return [word for word in forgotten if _find(word, text) is not None]


def refuses(text: str) -> bool:
    """Returns whether an answer begins by saying that it has none.

    Recognised are the product's own texts, whichever the catalogue has, and common phrases."""
    if hedge_of(text) is not None:
        return True
    start = fold(_without_quotes(text))[:REFUSAL_CHARACTERS]
    return any(re.search(phrase, start) for phrase in _REFUSALS.values()) or any(
        fixed in start for fixed in _fixed_refusals()
    )


def _expected(expected: Expectation, answer: VisibleAnswer) -> Iterator[str]:
    text = fold(answer.text)
    start = text[:FIRST_CHARACTERS]
    for alternatives in expected.must:
        if earliest(alternatives, text) is None:
            yield f"lacks {' or '.join(alternatives)}"
    for alternatives in expected.first:
        at = earliest(alternatives, start)
        if at is None:
            yield f"does not begin with {' or '.join(alternatives)}"
        elif rivals := [rival for rival in expected.rivals if _comes_before(rival, text, at)]:
            yield f"says {', '.join(rivals)} before {' or '.join(alternatives)}"
    current = fold(_without_earlier(answer.text))
    for word in expected.must_not:
        if _find(word, current) is not None:
            yield f"has {word}"
    yield from _citations(expected.cites, answer.documents)
    if expected.refuses and not refuses(answer.text):
        yield "answers what nothing answers"


def _citations(wanted: Sequence[str] | None, cited: frozenset[str]) -> Iterator[str]:
    if wanted is None:
        return
    names = {unicodedata.normalize("NFC", name) for name in cited}
    if not wanted and names:
        yield f"cites {', '.join(sorted(names))}"
    elif wanted and not names.intersection(wanted):
        yield f"cites {', '.join(sorted(names)) or 'nothing'} instead of {' or '.join(wanted)}"


def _expected_of_kind(message: Message, answer: VisibleAnswer) -> Iterator[str]:
    if not answer.text.strip():
        yield "is empty"
    if message.kind not in SMALL_TALK | REQUESTS:
        return
    if refuses(answer.text) and message.kind not in ("forget", "dont_remember"):
        yield "says that nothing was found"
    if len(answer.text) > LONGEST_SMALL_TALK:
        yield f"has {len(answer.text)} characters"
    if message.kind in SMALL_TALK and _QUOTED_LINE.search(answer.text):
        yield "quotes something"
    if message.kind in REQUESTS:
        # Quotes of the message itself acknowledge nothing.
        own = fold(_without_quotes(answer.text))
        if not re.search(_ACKNOWLEDGED[message.kind], own):
            yield "does not acknowledge"


def fold(text: str) -> str:
    """Returns a text without differences that a reader does not see: case, markup, spaces, and
    separators of thousands."""
    plain = _MARKUP.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(_SEPARATOR.sub("", plain).split())


def _without_quotes(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not _QUOTED_LINE.match(line))


def _without_earlier(text: str) -> str:
    """Returns the lines that do not mark their value as an earlier one."""
    return "\n".join(line for line in text.splitlines() if not _EARLIER.search(line))


def earliest(alternatives: Sequence[str], text: str) -> int | None:
    """Returns where the first of some expressions stands in a folded text."""
    places = [place for each in alternatives if (place := _find(each, text)) is not None]
    return min(places, default=None)


def _comes_before(word: str, text: str, place: int) -> bool:
    at = _find(word, text)
    return at is not None and at < place


def _find(expression: str, text: str) -> int | None:
    found = _compiled(expression).search(text)
    return None if found is None else found.start()


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    """Compiles an expression in which spaces are optional and numbers are whole numbers."""
    pattern = _SEPARATOR.sub("", unicodedata.normalize("NFKC", expression).casefold())
    pattern = pattern.replace(" ?", " ").replace(" ", r"\s*")
    before = r"(?<!\d)(?<!\d\.)" if pattern[0].isdigit() else ""
    after = r"(?!\d)(?!\.\d)" if pattern[-1].isdigit() else ""
    return re.compile(f"{before}(?:{pattern}){after}")


@cache
def _fixed_refusals() -> frozenset[str]:
    """Returns the product's texts that refuse, in both languages, up to their first value."""
    texts = [
        text
        for english, korean in catalogue("ko").items()
        if re.search(_REFUSALS["en"], english.casefold())
        for text in (english, korean)
    ]
    folded = (fold(text.partition("{")[0]) for text in texts)
    return frozenset(text for text in folded if len(text) > 8)
