"""Quote statements of memories and turns that share words with a message."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from saegim.chat.context.assembly import Context
from saegim.chat.rules.intents import tells_something
from saegim.chat.types import PREFIX, EvidenceKind, marker
from saegim.text import analysis
from saegim.text.questions import LONGEST_QUESTION

MOST = 3
LEAST_SHARE = 0.25
# Weight of a question word that no sentence has: most are endings and question words.
UNMATCHED_WEIGHT = 0.1


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, its source, and the share of the question's words it has."""

    marker: str
    sentence: str
    share: float
    order: int = 0


def find_quotes(context: Context) -> list[Quote]:
    """Return the sentences of memories and turns that match the message best."""
    wanted = _wanted(context.message)
    # Most share no word: to read what each of them wants takes far longer.
    sharing = [
        each
        for each in _sentences(context)
        if not wanted.isdisjoint(analysis.index_terms(each[1])) and tells_something(each[1])
    ]
    return best_quotes(context.message, sharing)


def remembers(context: Context) -> bool:
    """Return whether a memory matches the message."""
    return any(
        quote.marker.startswith(PREFIX[EvidenceKind.MEMORY]) for quote in find_quotes(context)
    )


def best_quotes(message: str, candidates: Sequence[tuple[str, str]]) -> list[Quote]:
    """Return the best of the (marker, sentence) candidates; rare words weigh more."""
    wanted = _wanted(message)
    matches = [wanted.intersection(analysis.index_terms(sentence)) for _, sentence in candidates]
    counts = Counter(chain.from_iterable(matches))
    weights = {
        term: 1 / (1 + counts[term]) if counts[term] else UNMATCHED_WEIGHT for term in wanted
    }
    total = sum(weights.values()) or 1.0
    quotes = {
        sentence: Quote(mark, sentence, sum(weights[term] for term in terms) / total, order)
        for order, ((mark, sentence), terms) in enumerate(zip(candidates, matches, strict=True))
    }
    good = [quote for quote in quotes.values() if quote.share >= LEAST_SHARE]
    return sorted(good, key=lambda quote: (-quote.share, -quote.order))[:MOST]


def _sentences(context: Context) -> list[tuple[str, str]]:
    """Return markers and sentences of memories, least relevant first, then of entities and turns.

    Of equal matches the last is quoted.
    """
    thread = context.thread
    memories = [
        (memory.marker, sentence)
        for memory in reversed(context.memories)
        for sentence in analysis.sentences(memory.text)
    ]
    entities = [
        (marker(EvidenceKind.TURN, entity.turn), f"{entity.key}: {entity.value}")
        for entity in thread.entities
    ]
    turns = [
        (marker(EvidenceKind.TURN, turn.number), sentence)
        for turn in thread.recent
        for text in (turn.message, "" if turn.by_rule else turn.reply)
        for sentence in analysis.sentences(text)
    ]
    return [*memories, *entities, *turns]


def _wanted(message: str) -> set[str]:
    """Return the terms of a question, without endings: "얼마예요" has nothing of "보리예요"."""
    return set(analysis.query_terms(message[:LONGEST_QUESTION]))
