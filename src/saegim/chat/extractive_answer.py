"""Rule-based fallback of the answer: quotes documents, memories and turns with citations."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from saegim.chat.context.assembly import Context
from saegim.chat.context.evidence import unmarked
from saegim.chat.types import CLOSEST, NOTHING_FOUND, NOTHING_READY, EvidenceKind, marker
from saegim.llm.search_mode import SEARCH_MODE, is_search_mode
from saegim.locales import N_, translate
from saegim.text import analysis
from saegim.text.tokens import count

QUOTES = 3
LEAST_SHARE = 0.25
# Weight of a question word that no sentence has: most are endings and question words.
UNMATCHED_WEIGHT = 0.1
# A passage up to this size is quoted whole, a longer one by its best sentences.
WHOLE_TOKENS = 180
WINDOW_SENTENCES = 3

# Fixed replies of earlier turns are not quoted.
FIXED = tuple(
    translate(text, locale)
    for text in (NOTHING_READY, NOTHING_FOUND, CLOSEST)
    for locale in ("ko", "en")
)

NOTHING_RELATED = N_("I found nothing about this in our conversation.")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence, its source, and the share of the question's words it has."""

    marker: str
    sentence: str
    share: float
    order: int = 0


def quote(context: Context, trust_passages: bool = True) -> str:
    """Quote tool facts, passages, and the memories and turns that share words with the message."""
    locale = analysis.language(context.message)
    facts = [
        f"> {unmarked(piece.evidence.text)} [{piece.evidence.marker}]"
        for piece in context.found.evidence
        if piece.evidence.kind is EvidenceKind.TOOL
    ]
    passages = passage_quotes(context) if trust_passages else []
    quotes = [f"> {unmarked(each.sentence)} [{each.marker}]" for each in find_quotes(context)]
    lines = [*facts, *passages, *quotes]
    return "\n\n".join(
        [translate(SEARCH_MODE, locale), *(lines or [translate(NOTHING_RELATED, locale)])]
    )


def passage_quotes(context: Context) -> list[str]:
    """Quote the top passages with their titles; a long one by its best sentences."""
    return [
        f"**{unmarked(passage.title)}** [{passage.marker}]\n"
        f"{_quoted(_excerpt(passage.text, context.message))}"
        for passage in context.passages[:QUOTES]
    ]


def find_quotes(context: Context) -> list[Quote]:
    """Return the sentences of memories and turns that match the message best."""
    return best_quotes(context.message, _sentences(context))


def best_quotes(message: str, candidates: Sequence[tuple[str, str]]) -> list[Quote]:
    """Return the best of the (marker, sentence) candidates; rare words weigh more."""
    # Endings are no terms of a question: "얼마예요" has nothing of "보리예요".
    wanted = set(analysis.query_terms(message))
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
    return sorted(good, key=lambda quote: (-quote.share, -quote.order))[:QUOTES]


def _sentences(context: Context) -> list[tuple[str, str]]:
    """Return markers and sentences of memories, entities and recent turns, oldest first."""
    memories = [
        (memory.marker, sentence)
        for memory in context.memories
        for sentence in analysis.sentences(memory.text)
        if not is_search_mode(sentence)
    ]
    thread = context.thread
    entities = [
        (marker(EvidenceKind.TURN, entity.turn), f"{entity.key}: {entity.value}")
        for entity in thread.entities
    ]
    turns = [
        (marker(EvidenceKind.TURN, turn.number), sentence)
        for turn in thread.recent
        for text in (turn.message, turn.reply)
        if not is_search_mode(text) and not text.startswith(FIXED)
        for sentence in analysis.sentences(text)
    ]
    # A question answers nothing, however many words it shares.
    return [each for each in (*memories, *entities, *turns) if each[1][-1] not in "?？"]


def _excerpt(text: str, message: str) -> str:
    if count(text) <= WHOLE_TOKENS:
        return text
    lines = [line for line in text.splitlines() if line.strip()]
    sentences = lines if len(lines) > WINDOW_SENTENCES else analysis.sentences(text)
    wanted = set(analysis.query_terms(message))
    shares = [len(wanted & set(analysis.index_terms(sentence))) for sentence in sentences]
    starts = range(max(1, len(sentences) - WINDOW_SENTENCES + 1))
    best = max(starts, key=lambda at: sum(shares[at : at + WINDOW_SENTENCES]))
    joint = "\n" if sentences is lines else " "
    return joint.join(sentences[best : best + WINDOW_SENTENCES])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in unmarked(text).strip().splitlines())
