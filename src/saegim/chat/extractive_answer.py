"""The answer's twin: what was found, said and remembered, word for word, with citations."""

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
# A word of the question that nobody said counts little: most are endings and question words.
UNHEARD = 0.1
# A passage up to this size is quoted whole; of a longer one the sentences that share the most.
WHOLE_TOKENS = 180
WINDOW_SENTENCES = 3

# What was said because there was nothing to say is no answer to a later question.
FIXED = tuple(
    translate(text, locale)
    for text in (NOTHING_READY, NOTHING_FOUND, CLOSEST)
    for locale in ("ko", "en")
)

NOTHING_RELATED = N_("I found nothing about this in our conversation.")


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that was said or written, where, and how much of the question it shares."""

    marker: str
    sentence: str
    share: float
    order: int = 0


def quote(context: Context, trust_passages: bool = True) -> str:
    """Facts of tools, then passages, memories and turns that share the question's words."""
    locale = analysis.language(context.message)
    facts = [
        f"> {unmarked(piece.evidence.text)} [{piece.evidence.marker}]"
        for piece in context.found.evidence
        if piece.evidence.kind is EvidenceKind.TOOL
    ]
    passages = passage_quotes(context) if trust_passages else []
    said = [f"> {unmarked(q.sentence)} [{q.marker}]" for q in find_quotes(context)]
    lines = [*facts, *(said + passages if not passages else passages + said)]
    return "\n\n".join(
        [translate(SEARCH_MODE, locale), *(lines or [translate(NOTHING_RELATED, locale)])]
    )


def passage_quotes(context: Context) -> list[str]:
    """The first passages by rank, each with its title; a long one by its best sentences."""
    passages = [
        piece.evidence
        for piece in context.found.evidence
        if piece.evidence.kind is EvidenceKind.PASSAGE
    ][:QUOTES]
    shown = [(one, _excerpt(one.text, context.message)) for one in passages]
    return [f"**{unmarked(one.title)}** [{one.marker}]\n{_quoted(text)}" for one, text in shown]


def find_quotes(context: Context) -> list[Quote]:
    """The best sentences of memories and turns, most of the question's rarer words first."""
    return best_quotes(context.message, _said(context))


def best_quotes(message: str, said: Sequence[tuple[str, str]]) -> list[Quote]:
    """Those of the marked sentences that share enough of the message."""
    # Endings are no terms of a question: "얼마예요" has nothing of "보리예요".
    wanted = set(analysis.query_terms(message))
    matches = [wanted.intersection(analysis.index_terms(sentence)) for _, sentence in said]
    seen = Counter(chain.from_iterable(matches))
    weight = {term: 1 / (1 + seen[term]) if seen[term] else UNHEARD for term in wanted}
    whole = sum(weight.values()) or 1.0
    quotes = {
        sentence: Quote(mark, sentence, sum(map(weight.__getitem__, matches[order])) / whole, order)
        for order, (mark, sentence) in enumerate(said)
    }
    good = [quote for quote in quotes.values() if quote.share >= LEAST_SHARE]
    return sorted(good, key=lambda quote: (-quote.share, -quote.order))[:QUOTES]


def _said(context: Context) -> list[tuple[str, str]]:
    """Sentences in the order in which they were said: memories, entities, recent turns."""
    remembered = [
        (piece.evidence.marker, sentence)
        for piece in (*context.found.pinned, *context.found.memories)
        for sentence in analysis.sentences(piece.evidence.text)
        if not is_search_mode(sentence)
    ]
    thread = context.thread
    keyed = [
        (marker(EvidenceKind.TURN, entity.turn), f"{entity.key}: {entity.value}")
        for entity in thread.entities
    ]
    said = [
        (marker(EvidenceKind.TURN, turn.number), sentence)
        for turn in thread.recent
        for text in (turn.message, turn.reply)
        if not is_search_mode(text) and not text.startswith(FIXED)
        for sentence in analysis.sentences(text)
    ]
    # A question answers nothing, however much it shares.
    every = [*remembered, *keyed, *said]
    return [(mark, sentence) for mark, sentence in every if sentence[-1] not in "?？"]


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
