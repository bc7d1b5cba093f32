"""What the user said about themselves: which statements answer a question, or match a request."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from saegim.chat.rules.patterns import compiled, pattern, section
from saegim.memory.proposals import request_in
from saegim.memory.rules.attributes import ATTRIBUTES, Cardinality, Claim
from saegim.memory.rules.clauses import clauses
from saegim.memory.rules.extractor import extract_statements, first_claim
from saegim.memory.rules.loader import load
from saegim.memory.rules.relations import Relation, rejected, relation_of
from saegim.text.analysis import fold, index_terms, language, query_terms, word_keys

MOST = 5
# How alike a request and a statement are if it is clearly meant, or the share of its words in it.
_CLEAR, _MEANT = 0.75, 0.6
# Others that fit nearly as well are meant too. A request of few words may name an attribute.
_AS_MUCH, _FEW = 0.85, 2
_MEANING_WEIGHT = 1.6
_UNRELATED, _OTHER_ATTRIBUTE = 0.3, 0.15
_NEAR = 0.4
# How well a statement fits a question if it surely answers it, if it may, and if the question is
# about what was said.
SURE, LIKELY, SAID_BEFORE = 1.0, 0.6, 0.3


@dataclass(frozen=True, slots=True)
class UserStatement:
    """A statement of the user that is valid now; `marker` cites it, if it is in the context."""

    text: str
    at: datetime
    topic: str = ""
    id: str | None = None
    marker: str | None = None


# Words of a question that ask for attributes, the likeliest first.
_ASKED = tuple(
    (tuple(each["attributes"]), compiled(each["words"])) for each in section("about_user")["asked"]
)
_SLUGS = {name: slug for slug, each in ATTRIBUTES.items() for name in each.names.values()}
_KIN = {locale: re.compile(load(locale).kin, re.IGNORECASE) for locale in ("ko", "en")}


def asked_attributes(question: str) -> tuple[str, ...]:
    """Return the attributes that a question about oneself asks for, the likeliest first."""
    folded = fold(question)
    found = (slug for slugs, asked in _ASKED if asked.search(folded) for slug in slugs)
    return tuple(dict.fromkeys(found))


# The speaker is in most questions and statements: 나는 뭘 좋아해?
_SPEAKER = re.compile(r"(?<![가-힣])(?:나|저|내|제)(?:는|가|도|를|의|한테|에게)?(?![가-힣])")
_REJECTED = re.compile(
    r"\S+?(?:이|가)?\s?(?:아니라|아니고|말고)[,\s]+"
    r"|,\s+not (?:in |on |at |to )?[\w'’-]+(?=[.!\s]*$)|^not [^,]{2,40},\s*",
    re.IGNORECASE,
)


def without_rejected(text: str) -> str:
    """Return a statement without the value that it rejects: 판교 말고 정자로 옮겼어."""
    return _REJECTED.sub("", text).strip() or text


def statements_in(message: str, at: datetime, marker: str | None = None) -> list[UserStatement]:
    """Return the statements of a message about its author."""
    return [
        UserStatement(each.content, at, each.topic, marker=marker)
        for each in extract_statements(message)
        if (claim := claim_of(each.content)) is not None and not claim.general
    ]


def current(statements: Iterable[UserStatement]) -> list[UserStatement]:
    """Drop repetitions, and what a later statement of the same attribute replaced; newest first."""
    newest: list[UserStatement] = []
    texts: set[str] = set()
    single: set[tuple[str, str]] = set()
    for statement in sorted(statements, key=lambda each: each.at, reverse=True):
        text = " ".join(fold(statement.text).strip(" .!").split())
        if text in texts or any(_replaces(each, statement) for each in newest):
            continue
        texts.add(text)
        attribute = ATTRIBUTES[slug_of(statement)]
        if attribute.hold is not Cardinality.MANY:
            key = (attribute.slug, statement.topic or _kin(statement.text))
            if key in single:
                continue
            single.add(key)
        newest.append(statement)
    return newest


def in_order(
    statements: Iterable[UserStatement], order: Sequence[UserStatement]
) -> list[UserStatement]:
    """Return the statements in the order of others; those that are not among them first."""
    places = {each.id: place for place, each in enumerate(order) if each.id is not None}
    return sorted(statements, key=lambda each: places.get(each.id or "", -1))


def _replaces(later: UserStatement, earlier: UserStatement) -> bool:
    """Return whether a later statement replaces an earlier one."""
    values = rejected(later.text)
    if any(fold(value) in fold(earlier.text) for value in values):
        return True
    if later.id is not None:
        # Records were compared with each other when they were written.
        return False
    if slug_of(later) != slug_of(earlier) and not values:
        return False
    relation = relation_of(later.text, earlier.text)
    return relation in (Relation.SUPERSEDES, Relation.CONTRADICTS)


def answering(
    question: str,
    statements: Sequence[UserStatement],
    similar: Mapping[str, float] | None = None,
    least: float = SURE,
) -> list[UserStatement]:
    """Return the current statements that answer a question about oneself, the best first.

    `similar` has the similarity of statements to the question; `least` is how well one must fit.
    """
    known = current(statements)
    attributes = asked_attributes(question)
    terms = set(query_terms(_SPEAKER.sub(" ", question)))
    scored = [
        (
            _fit(statement, attributes, terms, question)
            + _meaning(statement, attributes, (similar or {}).get(statement.text, 0.0)),
            -order,
            statement,
        )
        for order, statement in enumerate(known)
    ]
    best = max((fit for fit, _, _ in scored), default=0.0)
    if best < least:
        return []
    chosen = [entry for entry in scored if entry[0] >= max(least, best - _NEAR)]
    chosen.sort(key=lambda entry: entry[:2], reverse=True)
    return _per_attribute([statement for _, _, statement in chosen])[:MOST]


def _meaning(statement: UserStatement, attributes: Sequence[str], similarity: float) -> float:
    """Return what similarity adds; little to a statement of an attribute that is not asked for."""
    if attributes and slug_of(statement) not in (*attributes, "other"):
        similarity -= _OTHER_ATTRIBUTE
    return _MEANING_WEIGHT * max(0.0, similarity - _UNRELATED)


def _fit(
    statement: UserStatement, attributes: Sequence[str], terms: set[str], question: str
) -> float:
    """Return how well a statement answers: 1 or more if it does."""
    slug = slug_of(statement)
    present = set(index_terms(f"{statement.topic} {statement.text}"))
    shared = len(terms & present) / len(terms) if terms else 0.0
    if _kin(question) != _kin(statement.text) and "family" not in attributes:
        return 0.4 * shared
    if slug in attributes:
        return 2.0 - 0.3 * attributes.index(slug) + shared
    return 2.5 * shared if not attributes else 1.5 * shared


def _kin(text: str) -> str:
    match = _KIN[language(text)].search(text)
    return match.group().casefold() if match else ""


def _per_attribute(statements: Sequence[UserStatement]) -> list[UserStatement]:
    """Keep one statement of an attribute with one value, the first."""
    chosen: list[UserStatement] = []
    seen: set[str] = set()
    for statement in statements:
        slug = slug_of(statement)
        attribute = ATTRIBUTES.get(slug)
        single = attribute is not None and attribute.hold is not Cardinality.MANY
        if single and slug in seen:
            continue
        seen.add(slug)
        chosen.append(statement)
    return chosen


def slug_of(statement: UserStatement) -> str:
    """Return the attribute of a statement: by its topic, else by its words."""
    by_topic = _SLUGS.get(statement.topic) or _SLUGS.get(statement.topic.rpartition(" ")[2])
    if by_topic is not None:
        return by_topic
    claim = claim_of(statement.text)
    return "other" if claim is None else claim.attribute.slug


@lru_cache(maxsize=1_000)
def claim_of(text: str) -> Claim | None:
    """Return the first statement that the rules read in a text."""
    for clause in clauses(text):
        claim = first_claim(clause.text, language(clause.text), last=clause.last)
        if claim is not None:
            return claim
    return None


# --- requests to forget ---

_CLAUSE = re.compile(r"[,.;!?]\s+")
_EVERYTHING = pattern("about_user", "everything")
_REQUEST = pattern("about_user", "request")
_POINTING = re.compile(
    r"(?<!\S)[이그](?=\s)|그거|그건|그것|이거|이건|이것|그냥|아니|아냐|아|음|내가|제가|한|했던|없던|못|안|들은|(?:일|걸|얘기)로|거|것|건|말|얘기"
    r"|해|좀|주세요|줘|요|마|말아|기억\S*|저장\S*|기록\S*|메모\S*"
    r"|\b(?:it|this|that|what|i|just|said|told|you|ok|okay|oh|actually|do|not|don|t|please|remember"
    r"|save|store|record|keep|note|never|mind|to|my|would|could|can|will|last|message|no|off|the|leave|out|of|memory)\b"
)


def asks_for_everything(message: str) -> bool:
    """Return whether a request to forget means the whole memory."""
    return _EVERYTHING.search(fold(message)) is not None


def names_nothing(request: str) -> bool:
    """Return whether a request names nothing, so that it is about the message before."""
    return re.search(r"\w", _POINTING.sub(" ", _REQUEST.sub(" ", fold(request)))) is None


def named_in(request: str) -> str:
    """Return what a request to forget names, without the words that ask for it: of the clause that
    asks, if that names something."""
    asking = (
        clause
        for clause in _CLAUSE.split(request)
        if request_in(clause) and not names_nothing(clause)
    )
    return _REQUEST.sub(" ", fold(next(asking, request))).strip(" .,!?")


def meant_by(
    request: str, statements: Sequence[UserStatement], similar: Mapping[str, float] | None = None
) -> list[UserStatement]:
    """Return the statements that a request to forget clearly means.

    `similar` has the similarity of statements to what the request names; those that it does not
    have are compared by words.
    """
    similar = similar or {}
    named = named_in(request)
    terms, words = set(query_terms(named)) if named else set[str](), word_keys(named)
    if not terms:
        return []
    scored: list[tuple[float, UserStatement]] = []
    for statement in statements:
        text = f"{statement.topic} {statement.text}"
        shared = len(terms & set(index_terms(text))) / len(terms)
        # "일한다는 거" and "일해요" share no term, but most of their words.
        shared = max(shared, len(words & word_keys(text)) / len(words) if words else 0.0)
        alike = similar.get(statement.text)
        scored.append((shared / _MEANT if alike is None else alike / _CLEAR, statement))
    best = max((score for score, _ in scored), default=0.0)
    if best >= 1.0:
        return [statement for score, statement in scored if score >= max(1.0, _AS_MUCH * best)]
    attributes = asked_attributes(request) if len(terms) <= _FEW else ()
    of_slot = [each for each in statements if attributes and slug_of(each) == attributes[0]]
    return of_slot if len(of_slot) == 1 else []
