"""Evidence in a prompt: markers, pieces, tables cut to what is asked, and token budgets."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import sha256
from uuid import UUID
from zoneinfo import ZoneInfo

from saegim.chat.types import MARKER, EffectKind, Evidence, EvidenceKind, marker
from saegim.conversations.types import Entity, Exchange
from saegim.library.service import title_of
from saegim.library.types import FoundPassage
from saegim.locales import N_, translate
from saegim.memory.recall.types import CandidateKind, RecallCandidate, Recollection
from saegim.research.types import Findings
from saegim.text.analysis import index_terms, language, query_terms
from saegim.text.tokens import count, cut, cut_end
from saegim.tools.types import ToolResult
from saegim.usage.trace import ItemUse, OtherPlace

_LETTERS = {EvidenceKind.PASSAGE: "p", EvidenceKind.MEMORY: "m", EvidenceKind.TOOL: "f"}


class Refs:
    """Gives numbers to what a session shows; `new` has those that are not stored yet."""

    def __init__(self, stored: Mapping[str, int] | None = None) -> None:
        self._numbers = dict(stored or {})
        self._last = dict.fromkeys(_LETTERS.values(), 0)
        for key, number in self._numbers.items():
            self._last[key[0]] = max(self._last[key[0]], number)
        self.new: dict[str, int] = {}

    @property
    def numbers(self) -> dict[str, int]:
        """All numbers that were given."""
        return dict(self._numbers)

    def marker(self, kind: EvidenceKind, identifier: str) -> str:
        """Return the marker of an item, without brackets."""
        letter = _LETTERS[kind]
        key = f"{letter}:{identifier}"
        if key not in self._numbers:
            self._last[letter] += 1
            self._numbers[key] = self.new[key] = self._last[letter]
        return marker(kind, self._numbers[key])

    def fact(self, text: str, url: str | None) -> str:
        """Return the marker of a fact from a tool, which has no id."""
        digest = sha256(f"{url}\n{text}".encode()).hexdigest()[:16]
        return self.marker(EvidenceKind.TOOL, digest)

    def memory(self, ref: str) -> UUID | None:
        """Return the memory that a marker names; None if the session has not shown one."""
        return self._find("m", ref, "M")

    def passage(self, ref: str) -> UUID | None:
        """Return the passage that a marker names; None if the session has not shown one."""
        return self._find("p", ref, "")

    def _find(self, letter: str, ref: str, prefix: str) -> UUID | None:
        number = ref.strip(" []").upper().removeprefix(prefix)
        found = (k for k, n in self._numbers.items() if k[0] == letter and str(n) == number)
        key = next(found, None)
        return None if key is None else UUID(key[2:])


TEAM = N_("Team memory")
CUT_MARK = " […]"
# Below this many tokens a passage is dropped rather than cut.
LEAST_TOKENS = 80
MOST_PASSAGES = 10
_OLD_MARKER = re.compile(rf"[ \t]*{MARKER.pattern}")


@dataclass(frozen=True, slots=True)
class RetrievedContext:
    """Memories, passages and tool results for a message."""

    memory: Recollection = field(default_factory=Recollection)
    findings: Findings = field(default_factory=Findings)
    tools: tuple[ToolResult, ...] = ()

    @property
    def has_facts(self) -> bool:
        return any(result.facts for result in self.tools)


@dataclass(frozen=True, slots=True)
class Piece:
    """Evidence as rendered in a block, with its size."""

    evidence: Evidence
    shown: str
    tokens: int
    signals: tuple[tuple[str, float], ...] = ()
    record_type: str = ""
    """The type of a memory; "" for a passage or a fact."""

    def use(self, fate: str) -> ItemUse:
        of, signals = self.evidence, dict(self.signals)
        return ItemUse(of.kind, of.id, of.title, fate, self.tokens, signals, of.turn, of.team)


def always(memory: Recollection, refs: Refs) -> tuple[list[Piece], list[Piece]]:
    """Return pinned facts and the profile."""
    candidates, zone = (*memory.pinned, *memory.profile), ZoneInfo(memory.time_zone)
    pieces = [memory_piece(candidate, refs, zone) for candidate in candidates]
    lines = pieces[len(memory.pinned) :]
    return pieces[: len(memory.pinned)], [
        _shown_as(piece, unmarked(piece.evidence.text)) for piece in lines
    ]


def recalled(memory: Recollection, without: Set[str], refs: Refs) -> list[Piece]:
    """Return recalled memories, best first, without the records that the profile shows.

    They are numbered in the order of a prompt.
    """
    zone = ZoneInfo(memory.time_zone)
    shown = [each for each in memory.in_prompt if str(each.id) not in without]
    pieces = {each.id: memory_piece(each, refs, zone) for each in shown}
    return [pieces[each.id] for each in memory.recalled if each.id in pieces]


def in_order(pieces: Sequence[Piece], memory: Recollection) -> list[Piece]:
    """Return the memories that fit in the order of a prompt: those that fit are the most relevant,
    and of these the newest stands first."""
    places = {str(each.id): place for place, each in enumerate(memory.in_prompt)}
    return sorted(pieces, key=lambda piece: places[piece.evidence.id])


def found(gathered: RetrievedContext, question: str, refs: Refs) -> list[Piece]:
    """Return the facts from tools, then passages by rank, with the rows that matter."""
    facts = [piece for result in gathered.tools for piece in fact_pieces(result, refs)]
    passages = gathered.findings.ranked[:MOST_PASSAGES]
    return facts + [passage_piece(each, refs, question) for each in passages]


def fact_pieces(result: ToolResult, refs: Refs) -> list[Piece]:
    """Return the facts that a tool found."""
    return [
        _piece(
            Evidence(
                EvidenceKind.TOOL,
                result.tool,
                refs.fact(fact.text, fact.url),
                fact.title or result.tool,
                fact.text,
                url=fact.url,
            ),
            f"{result.tool}: {fact.title}",
        )
        for fact in result.facts
    ]


def turns(recent: Sequence[Exchange], entities: Sequence[Entity]) -> list[Evidence]:
    """Return the citable turns: those in the context, and those its entities come from."""
    texts = {turn.number: f"{turn.message}\n{turn.reply}" for turn in recent}
    messages = {turn.number: turn.message for turn in recent}
    for entity in entities:
        if entity.turn > 0:
            texts.setdefault(entity.turn, f"{entity.key}: {entity.value}")
    return [
        Evidence(
            EvidenceKind.TURN,
            str(n),
            marker(EvidenceKind.TURN, n),
            f"#{n}",
            text,
            message=messages.get(n),
        )
        for n, text in sorted(texts.items())
    ]


def remembered(recent: Sequence[Exchange]) -> list[Evidence]:
    """Return the memories that turns of the context made: their markers stand behind these."""
    return [
        Evidence(EvidenceKind.MEMORY, each["id"], each["ref"], "", turn.message)
        for turn in recent
        for each in turn.effects
        if each["kind"] == EffectKind.REMEMBERED and each.get("ref")
    ]


def fit(pieces: Sequence[Piece], budget: int) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces that fit and the dropped ones; a passage is cut if enough of it fits."""
    fitting: list[Piece] = []
    dropped: list[Piece] = []
    left = budget
    for piece in pieces:
        if piece.tokens <= left:
            fitting.append(piece)
        elif left >= LEAST_TOKENS and piece.evidence.kind is EvidenceKind.PASSAGE:
            shown = cut(piece.shown, left - count(CUT_MARK) - 1).rstrip() + CUT_MARK
            fitting.append(replace(piece, shown=shown, tokens=count(shown) + 1))
        else:
            dropped.append(piece)
            continue
        left -= fitting[-1].tokens
    return fitting, dropped


def turn_of(memory: RecallCandidate) -> str | None:
    """Return the turn that an episode repeats; None for a record."""
    is_episode = memory.kind is CandidateKind.EPISODE
    return str(memory.sources[0]) if is_episode and memory.sources else None


def memory_piece(memory: RecallCandidate, refs: Refs, zone: ZoneInfo) -> Piece:
    """Return a memory as a prompt shows it."""
    date = f"{memory.said_at.astimezone(zone):%Y-%m-%d}"
    if memory.kind is CandidateKind.TEAM:
        date = f"{translate(TEAM, language(memory.text))} · {date}"
    evidence = Evidence(
        EvidenceKind.MEMORY,
        str(memory.id),
        refs.marker(EvidenceKind.MEMORY, str(memory.id)),
        date,
        memory.text,
        turn=turn_of(memory),
        team=memory.kind is CandidateKind.TEAM,
        message=memory.message,
    )
    names = ("score", "lexical", "dense", "recency", "importance")
    scores = tuple((name, getattr(memory.signals, name)) for name in names)
    unsure = memory.unsure_since
    head = f"({date}, not sure since {unsure.astimezone(zone):%Y-%m-%d})" if unsure else f"({date})"
    piece = _piece(evidence, head, scores, _without_old_markers(memory))
    return replace(piece, record_type=memory.record_type)


def _without_old_markers(memory: RecallCandidate) -> str:
    """Return a memory without the markers of its reply, which meant something else then."""
    said = len(memory.message or "") if memory.kind is CandidateKind.EPISODE else len(memory.text)
    return memory.text[:said] + _OLD_MARKER.sub("", memory.text[said:])


def passage_piece(passage: FoundPassage, refs: Refs, question: str) -> Piece:
    """Return a passage as a prompt shows it, with the rows of its tables that matter."""
    title = title_of(passage.document, passage.passage.text)
    # The first heading often repeats the title.
    below = passage.path[1:] if passage.path[:1] == (title,) else passage.path
    evidence = Evidence(
        EvidenceKind.PASSAGE,
        str(passage.passage.id),
        refs.marker(EvidenceKind.PASSAGE, str(passage.passage.id)),
        title,
        passage.passage.text,
        document=passage.document.outside_id,
        section=" › ".join(below) or None,
        locator=passage.passage.locator,
        also_in=tuple(OtherPlace(str(each.id), title_of(each, "")) for each in passage.copies),
        stale_since=passage.document.changed_at if passage.is_stale else None,
    )
    head = " › ".join([title, *below])
    if evidence.stale_since is not None:
        head += f" ({evidence.stale_since:%Y-%m-%d})"
    shown = focused(evidence.text, question) if passage.passage.tags.has_table else evidence.text
    return _piece(evidence, head, scores_of(passage), shown)


def scores_of(passage: FoundPassage) -> tuple[tuple[str, float], ...]:
    """Return the fused score of a passage and the score of each retriever that found it."""
    scores = [(name, getattr(passage.signals, name)) for name in ("score", "lexical", "dense")]
    return tuple((name, round(score, 4)) for name, score in scores if score is not None)


def _piece(
    evidence: Evidence,
    head: str,
    signals: tuple[tuple[str, float], ...] = (),
    text: str | None = None,
) -> Piece:
    body = unmarked(evidence.text if text is None else text)
    shown = f"[{evidence.marker}] {head}\n{body}".strip()
    return Piece(evidence, shown, count(shown) + 1, signals)


def unmarked(text: str) -> str:
    """Replace the text's own [1] and [M2], which would be read as citation markers."""
    return MARKER.sub(r"(\1)", text)


# A fact is never cut below this, whatever the budget: fewer words would be meaningless.
LEAST_FACT_TOKENS = 8
GAP = " … "


def fit_pinned(pieces: Sequence[Piece], budget: int) -> tuple[Piece, ...]:
    """Return every piece: unchanged if they fit, else without dates, else shortened evenly.

    The block exceeds its budget only if every fact has its minimum length.
    """
    if sum(piece.tokens for piece in pieces) <= budget:
        return tuple(pieces)
    bare = [_shown_as(piece, unmarked(piece.evidence.text)) for piece in pieces]
    if sum(piece.tokens for piece in bare) <= budget:
        return tuple(bare)
    most = _level([piece.tokens for piece in bare], budget)
    return tuple(piece if piece.tokens <= most else _shortened(piece, most) for piece in bare)


def is_shortened(before: Piece, after: Piece) -> bool:
    """Return whether a fact lost words other than its date."""
    return after.shown != before.shown and after.shown.endswith(CUT_MARK)


def without_middle(text: str, tokens: int) -> str:
    """Cut a text to `tokens` in its middle: subject and verb are at its ends."""
    if count(text) <= tokens:
        return text
    left = tokens - count(GAP)
    start = cut(text, left - left // 3).rstrip()
    return f"{start}{GAP}{cut_end(text, left // 3).lstrip()}" if left > 2 else cut(text, tokens)


def _shortened(piece: Piece, most: int) -> Piece:
    text = unmarked(piece.evidence.text)
    around = piece.tokens - count(text) + count(CUT_MARK)
    text = without_middle(text, max(most - around, LEAST_FACT_TOKENS))
    return _shown_as(piece, text + CUT_MARK)


def _shown_as(piece: Piece, text: str) -> Piece:
    shown = f"[{piece.evidence.marker}] {text}"
    return replace(piece, shown=shown, tokens=count(shown) + 1)


def _level(sizes: Sequence[int], budget: int) -> int:
    """Return the largest size per piece at which all fit the budget."""
    left = budget
    for index, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - index)
        if size > share:
            return share
        left -= size
    return left


# Shorter tables are shown whole.
LEAST_ROWS = 10
# A word of more rows than this tells no row from the others.
COMMON_SHARE = 0.5
# Rows with less than this share of the best one's score share syllables, not words.
LEAST_SCORE = 0.6
SKIPPED = "| … |"
_RULE = re.compile(r"\|(?:\s*:?-{2,}:?\s*\|)+")


def focused(text: str, question: str) -> str:
    """Return the text with its long tables cut to the rows that words of the question hit, and
    their neighbours. A question that hits none leaves them whole."""
    terms = frozenset(query_terms(question))
    lines, shown, at = text.splitlines(), list[str](), 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        if end - at > LEAST_ROWS + 2 and _RULE.fullmatch(lines[at + 1].strip()):
            shown += lines[at : at + 2]
            shown += _chosen(lines[at + 2 : end], terms - set(index_terms(lines[at])))
        else:
            end = max(end, at + 1)
            shown += lines[at:end]
        at = end
    return "\n".join(shown)


def _chosen(rows: Sequence[str], terms: Collection[str]) -> list[str]:
    hits = [frozenset(index_terms(row)) & frozenset(terms) for row in rows]
    counts = Counter(term for each in hits for term in each)
    weights = {
        term: math.log(len(rows) / count)
        for term, count in counts.items()
        if count <= COMMON_SHARE * len(rows)
    }
    scores = [sum(weights.get(term, 0.0) for term in each) for each in hits]
    least = max(LEAST_SCORE * max(scores), 1e-6)
    near = {at + step for at, score in enumerate(scores) if score >= least for step in (-1, 0, 1)}
    kept = [at for at in range(len(rows)) if at in near]
    if not kept:
        return list(rows)
    shown: list[str] = []
    last = -1
    for at in kept:
        if at != last + 1:
            shown.append(SKIPPED)
        shown.append(rows[at])
        last = at
    return shown if last == len(rows) - 1 else [*shown, SKIPPED]
