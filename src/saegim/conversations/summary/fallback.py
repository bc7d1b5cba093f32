"""Fallback of the summariser: the user's latest sentences, and cutting a text to its bounds."""

from collections.abc import Sequence

from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.text import analysis
from saegim.text.tokens import count, cut

MOST_SENTENCES = 20
MOST_TOKENS = 500
LINE_TOKENS = 45
# A token has fewer characters, except in runs of one.
_TOKEN_CHARACTERS = 20
CUT_MARK = "…"
_USER: dict[Locale, str] = {"ko": "사용자: ", "en": "User: "}


def summarise(previous: str, turns: Sequence[Exchange], most_lines: int, most_tokens: int) -> str:
    """Add the first sentence of each message to the lines; the oldest lines are dropped."""
    lines = [*previous.splitlines(), *(line_of(turn.message) for turn in turns)]
    kept: list[str] = []
    used = 0
    for line in filter(None, map(str.strip, reversed(lines))):
        used += count(line) + 1
        if used > most_tokens or len(kept) == most_lines:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def line_of(message: str) -> str:
    """Return the first sentence of a message, cut to one line."""
    sentence = next(filter(analysis.folded_words, analysis.sentences(message)), "")
    if not sentence:
        return ""
    text = " ".join(sentence.split())
    shown = text[: LINE_TOKENS * _TOKEN_CHARACTERS]
    if len(shown) < len(text) or count(shown) > LINE_TOKENS:
        shown = cut(shown, LINE_TOKENS - 1).rstrip(" ,.") + CUT_MARK
    return _USER[analysis.language(message)] + shown


def bounded(summary: str, sentences: int = MOST_SENTENCES, tokens: int = MOST_TOKENS) -> str:
    """Return the summary, or as many sentences from its start as fit."""
    text = summary.strip()
    parts = analysis.sentences(text)
    if len(parts) <= sentences and count(text) <= tokens:
        return text
    kept: list[str] = []
    left = tokens
    for part in parts[:sentences]:
        left -= count(part) + 1
        if left < 0:
            break
        kept.append(part)
    return "\n".join(kept) or cut(parts[0] if parts else text, tokens)
