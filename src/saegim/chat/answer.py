"""The answer: written by a model, or, where none can, quoted from the conversation by its twin."""

from collections import Counter
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from saegim.chat.assemble import Context, Thread
from saegim.domain.scope import Locale
from saegim.search import analyse
from saegim.steps.ports import ModelRole
from saegim.steps.run import Steps
from saegim.steps.search_mode import SEARCH_MODE, is_search_mode
from saegim.steps.types import StepEnd, StepPath, TextDelta, TextStep

ANSWER = TextStep("answer", ModelRole.LITE, StepPath.REPLY)
QUOTES = 3
LEAST_SHARE = 0.25
# A word of the question that nobody said counts little: most are endings and question words.
UNHEARD = 0.1

NOTHING_FOUND: dict[Locale, str] = {
    "ko": "이 대화에서 관련된 내용을 찾지 못했습니다.",
    "en": "Nothing in this conversation relates to the question.",
}
TURN_MARK: dict[Locale, str] = {"ko": "[턴 {number}]", "en": "[turn {number}]"}


def answer(steps: Steps, context: Context, deadline: float) -> AsyncGenerator[TextDelta | StepEnd]:
    """The answer to the context's message, piece by piece."""
    return steps.stream(
        ANSWER, context.prompt, lambda: quote(context.message, context.thread), deadline
    )


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence that was said, and how much of the question it shares."""

    number: int
    sentence: str
    share: float


def quote(message: str, thread: Thread) -> str:
    """The twin: what was said and remembered that shares the message's words, with its turn."""
    locale = analyse.language(message)
    lines = [SEARCH_MODE[locale]]
    found = find_quotes(message, thread)
    if not found:
        lines.append(NOTHING_FOUND[locale])
    lines += [f"> {q.sentence} {TURN_MARK[locale].format(number=q.number)}" for q in found]
    return "\n\n".join(lines)


def find_quotes(message: str, thread: Thread) -> list[Quote]:
    """The best sentences and entities, most of the question's rarer words first."""
    said = [(entity.turn, f"{entity.key}: {entity.value}") for entity in thread.entities]
    said += [
        (turn.number, sentence)
        for turn in thread.recent
        for text in (turn.message, turn.reply)
        if not is_search_mode(text)
        for sentence in analyse.sentences(text)
    ]
    wanted = set(analyse.terms(message))
    seen = Counter(term for _, sentence in said for term in set(analyse.terms(sentence)))
    weight = {term: 1 / (1 + seen[term]) if seen[term] else UNHEARD for term in wanted}
    whole = sum(weight.values()) or 1.0
    quotes = {
        sentence: Quote(number, sentence, _share(sentence, weight) / whole)
        for number, sentence in said
    }
    good = [quote for quote in quotes.values() if quote.share >= LEAST_SHARE]
    return sorted(good, key=lambda quote: (-quote.share, -quote.number))[:QUOTES]


def _share(sentence: str, weight: dict[str, float]) -> float:
    return sum(weight.get(term, 0.0) for term in set(analyse.terms(sentence)))
