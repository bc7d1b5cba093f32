"""What was gathered as numbered evidence: how it reads in the context, and how it is cited."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from saegim.conversations.types import Entity, Exchange
from saegim.domain.evidence import MARKER, Evidence, EvidenceKind, marker
from saegim.library.service import title_of
from saegim.library.types import FoundPassage
from saegim.memory.types import CandidateKind, RecallCandidate, Recollection
from saegim.research.types import Findings
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
