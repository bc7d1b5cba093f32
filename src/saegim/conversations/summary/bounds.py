"""Bound the length of a summary."""

from saegim.conversations.summary import fallback
from saegim.text import analysis
from saegim.text.tokens import count, cut

MOST_SENTENCES = 20
MOST_TOKENS = 500


def bounded(summary: str, sentences: int = MOST_SENTENCES, tokens: int = MOST_TOKENS) -> str:
    """Return the summary, or the most important sentences that fit, in order."""
    text = summary.strip()
    parts = analysis.sentences(text)
    if len(parts) <= sentences and count(text) <= tokens:
        return text
    lines = [fallback.SummaryLine(cut(part, tokens), by_user=False) for part in parts]
    chosen = fallback.choose(lines, sentences, tokens)
    return "\n".join(chosen) or cut(text, tokens)
