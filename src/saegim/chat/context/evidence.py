"""Evidence in a prompt: pieces, pinned facts and their token budgets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from saegim.chat.types import MARKER, Evidence, EvidenceKind, marker
from saegim.conversations.types import Entity, Exchange
from saegim.library.service import title_of
from saegim.library.types import FoundPassage
from saegim.memory.recall.types import CandidateKind, RecallCandidate, Recollection
from saegim.research.types import Findings
from saegim.text import function_words
from saegim.text.analysis import fold
from saegim.text.tokens import count, cut
from saegim.tools.types import ToolResult
from saegim.usage.trace import ItemUse

CUT_MARK = " […]"
# A passage that has less room than this is left out rather than cut.
LEAST_TOKENS = 80
MOST_PASSAGES = 10


@dataclass(frozen=True, slots=True)
class RetrievedContext:
    """What was found for a message, apart from the conversation itself."""

    memory: Recollection = field(default_factory=Recollection)
    findings: Findings = field(default_factory=Findings)
    tools: tuple[ToolResult, ...] = ()

    @property
    def has_facts(self) -> bool:
        return any(result.facts for result in self.tools)


@dataclass(frozen=True, slots=True)
class Piece:
    """Evidence as it stands in a block: its text there, and what it takes."""

    evidence: Evidence
    shown: str
    tokens: int
    signals: tuple[tuple[str, float], ...] = ()

    def use(self, fate: str) -> ItemUse:
        one = self.evidence
        return ItemUse(one.kind, one.id, one.title, fate, self.tokens, dict(self.signals), one.turn)


def memories(memory: Recollection) -> tuple[list[Piece], list[Piece]]:
    """Pinned facts, and then what was recalled, numbered through."""
    pinned = [_memory(one, n) for n, one in enumerate(memory.pinned, start=1)]
    recalled = [
        _memory(one, n)
        for n, one in enumerate((*memory.records, *memory.episodes), start=len(pinned) + 1)
    ]
    return pinned, recalled


def found(gathered: RetrievedContext) -> list[Piece]:
    """Facts of tools, which are short and were asked for, and then passages by rank."""
    facts = [(result, fact) for result in gathered.tools for fact in result.facts]
    pieces = [
        _piece(
            Evidence(
                EvidenceKind.TOOL,
                result.tool,
                marker(EvidenceKind.TOOL, n),
                fact.title or result.tool,
                fact.text,
                url=fact.url,
            ),
            f"{result.tool}: {fact.title}",
        )
        for n, (result, fact) in enumerate(facts, start=1)
    ]
    passages = gathered.findings.ranked[:MOST_PASSAGES]
    return pieces + [_passage(one, n) for n, one in enumerate(passages, start=1)]


def turns(recent: Sequence[Exchange], entities: Sequence[Entity]) -> list[Evidence]:
    """The turns that an answer may point at: those in the context, and those of its entities."""
    said = {turn.number: f"{turn.message}\n{turn.reply}" for turn in recent}
    for entity in entities:
        if entity.turn > 0:
            said.setdefault(entity.turn, f"{entity.key}: {entity.value}")
    return [
        Evidence(EvidenceKind.TURN, str(n), marker(EvidenceKind.TURN, n), f"#{n}", text)
        for n, text in sorted(said.items())
    ]


def fit(pieces: Sequence[Piece], room: int) -> tuple[list[Piece], list[Piece]]:
    """The pieces that fit, in order, the last of them cut if that leaves enough; and the rest."""
    kept: list[Piece] = []
    dropped: list[Piece] = []
    left = room
    for piece in pieces:
        if piece.tokens <= left:
            kept.append(piece)
        elif left >= LEAST_TOKENS and piece.evidence.kind is EvidenceKind.PASSAGE:
            kept.append(_cut(piece, left))
        else:
            dropped.append(piece)
            continue
        left -= kept[-1].tokens
    return kept, dropped


def _cut(piece: Piece, room: int) -> Piece:
    shown = cut(piece.shown, room - count(CUT_MARK) - 1).rstrip() + CUT_MARK
    return replace(piece, shown=shown, tokens=count(shown) + 1)


def turn_of(one: RecallCandidate) -> str | None:
    """The turn that an episode repeats; a record says something of its own."""
    return str(one.sources[0]) if one.kind is CandidateKind.EPISODE and one.sources else None


def _memory(one: RecallCandidate, number: int) -> Piece:
    evidence = Evidence(
        EvidenceKind.MEMORY,
        str(one.id),
        marker(EvidenceKind.MEMORY, number),
        f"{one.said_at:%Y-%m-%d}",
        one.text,
        turn=turn_of(one),
    )
    signals = one.signals
    scores = (
        ("score", signals.score),
        ("lexical", signals.lexical),
        ("dense", signals.dense),
        ("recency", signals.recency),
        ("importance", signals.importance),
    )
    return _piece(evidence, f"({one.said_at:%Y-%m-%d})", scores)


def _passage(one: FoundPassage, number: int) -> Piece:
    title = title_of(one.document, one.passage.text)
    evidence = Evidence(
        EvidenceKind.PASSAGE,
        str(one.passage.id),
        marker(EvidenceKind.PASSAGE, number),
        title,
        one.passage.text,
        document=one.document.outside_id,
    )
    return _piece(evidence, " › ".join([title, *one.path]), scores_of(one))


def scores_of(one: FoundPassage) -> tuple[tuple[str, float], ...]:
    """Each arm's score of a passage, and the fused one."""
    signals = (("score", one.signals.score), ("lexical", one.signals.lexical))
    signals += (("dense", one.signals.dense),)
    return tuple((name, round(score, 4)) for name, score in signals if score is not None)


def _piece(evidence: Evidence, head: str, signals: tuple[tuple[str, float], ...] = ()) -> Piece:
    shown = f"[{evidence.marker}] {head}\n{unmarked(evidence.text)}".strip()
    return Piece(evidence, shown, count(shown) + 1, signals)


def unmarked(text: str) -> str:
    """A text whose own [1] and [M2] cannot be taken for markers of ours."""
    return MARKER.sub(r"(\1)", text)


# A fact is never shorter than this, whatever the budget: fewer words would say nothing.
LEAST_FACT_TOKENS = 8
_FILLER_WORDS = """
정말 진짜 아주 매우 너무 조금 약간 그냥 사실 역시 아마 보통 주로 가끔 특히 다시 계속
really very just quite actually usually often sometimes also probably basically
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
# Numbers, negations and words of harm: what a fact must not lose.
_VITAL = re.compile(
    r"\d|^(?:안|못|no|not|never|without|avoid)$|않|없|못하|못해|금지|금기|아니|말아|알레르기|알러지"
    r"|n't$|cannot|allerg|contraindicat",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^\W+|\W+$")


def fit_pinned(pieces: Sequence[Piece], budget: int) -> tuple[Piece, ...]:
    """Returns every piece: whole within the budget, else without dates, else shortened alike.

    The block grows past its budget only where every fact is at its shortest.
    """
    if sum(piece.tokens for piece in pieces) <= budget:
        return tuple(pieces)
    bare = [_shown_as(piece, unmarked(piece.evidence.text)) for piece in pieces]
    if sum(piece.tokens for piece in bare) <= budget:
        return tuple(bare)
    most = _level([piece.tokens for piece in bare], budget)
    return tuple(piece if piece.tokens <= most else _shortened(piece, most) for piece in bare)


def is_shortened(before: Piece, after: Piece) -> bool:
    """Whether a fact lost words; its date is not one of them."""
    return after.shown != before.shown and after.shown.endswith(CUT_MARK)


def without_least(text: str, tokens: int) -> str:
    """A text of at most so many tokens, without its least important words.

    Fillers go first, then words from the middle, then numbers, negations and words of harm.
    """
    words = text.split()
    order = sorted(range(len(words)), key=lambda at: (_weight(words[at]), _inside(at, len(words))))
    left = set(range(len(words)))
    shown = " ".join(words)
    for at in order[:-1]:
        if count(shown) <= tokens:
            break
        left.remove(at)
        shown = " ".join(words[each] for each in sorted(left))
    return shown if count(shown) <= tokens else cut(shown, tokens)


def _shortened(piece: Piece, most: int) -> Piece:
    text = unmarked(piece.evidence.text)
    around = piece.tokens - count(text) + count(CUT_MARK)
    text = without_least(text, max(most - around, LEAST_FACT_TOKENS))
    return _shown_as(piece, text + CUT_MARK)


def _shown_as(piece: Piece, text: str) -> Piece:
    shown = f"[{piece.evidence.marker}] {text}"
    return replace(piece, shown=shown, tokens=count(shown) + 1)


def _level(sizes: Sequence[int], budget: int) -> int:
    """The most that each may have so that all together fit; what is smaller stays whole."""
    left = budget
    for place, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - place)
        if size > share:
            return share
        left -= size
    return left


def _weight(word: str) -> int:
    plain = _EDGES.sub("", fold(word))
    if _VITAL.search(plain):
        return 2
    idle = plain in _FILLERS or plain in function_words.KOREAN or plain in function_words.ENGLISH
    return 0 if idle or not plain else 1


def _inside(at: int, words: int) -> int:
    """Sorts the middle first: a statement's subject and verb stand at its ends."""
    return -min(at, words - 1 - at)
