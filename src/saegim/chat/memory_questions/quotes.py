"""Answer a question to memory without a model: quote what recall found, or list the records."""

from saegim.chat.context.evidence import unmarked
from saegim.chat.memory_questions.types import (
    MOST_LISTED,
    Markers,
    MemoryFindings,
    MemoryQuestion,
    MemorySource,
    day_of,
)
from saegim.locales import N_, translate
from saegim.text.analysis import index_terms, query_terms, sentences

KNOWN = N_("Here is what I remember about you:")
YOU_SAID = N_("You told me: {statements}")
MORE = N_("{count} more are on the memory page.")
UNSURE = N_("unsure since {day}")
_MOST_QUOTES, _MOST_CHARACTERS = 5, 300
# A quote has at least this share of the words that the best one has.
_LEAST_OF_BEST = 0.5
# An unsure record answers half as surely, as in recall.
_UNSURE, _LEAST_KNOWN = 0.5, 0.5


def quote(
    question: MemoryQuestion, findings: MemoryFindings, markers: Markers
) -> tuple[str, float] | None:
    """Return quotes and how sure they are, from 0 to 1; None if none shares words."""
    if findings.is_unknown:
        return None
    quotes = [(*_best(source, question), source) for source in findings.recalled]
    most = max((share for share, _, _ in quotes), default=0.0)
    quotes = [each for each in quotes if each[0] and each[0] >= _LEAST_OF_BEST * most]
    lines = [
        f"{day_of(source.said_at, question.time_zone)}: {_cited(question, markers, source, text)}"
        for _, text, source in quotes[:_MOST_QUOTES]
    ]
    if not lines:
        return None
    shares = (share * (_UNSURE if source.unsure_since else 1) for share, _, source in quotes)
    sure = max(shares) * max(findings.known, _LEAST_KNOWN)
    listed = lines[0] if len(lines) == 1 else "\n".join(["", "", *(f"- {line}" for line in lines)])
    return translate(YOU_SAID, question.locale, statements=listed).replace(" \n", "\n"), sure


def listed_records(question: MemoryQuestion, findings: MemoryFindings, markers: Markers) -> str:
    """List the records, the newest first; "" if there are none."""
    shown = sorted(findings.records[:MOST_LISTED], key=lambda each: each.said_at, reverse=True)
    if not shown:
        return ""
    lines = [f"- {_cited(question, markers, each, each.text)}" for each in shown]
    left = len(findings.records) - len(shown)
    more = ["", translate(MORE, question.locale, count=left)] if left else []
    return "\n".join([translate(KNOWN, question.locale), "", *lines, *more])


def _best(source: MemorySource, question: MemoryQuestion) -> tuple[float, str]:
    """Return the sentence with the most words of the question, and their share."""
    text = source.text if source.message is None else source.message
    statements = [each for each in sentences(text) if not each.endswith(("?", "？"))]
    wanted = set(query_terms(question.text))
    shares = (
        (len(wanted.intersection(index_terms(each))) / len(wanted), each) for each in statements
    )
    return max(shares, key=lambda pair: pair[0], default=(0.0, "")) if wanted else (0.0, "")


def _cited(question: MemoryQuestion, markers: Markers, source: MemorySource, text: str) -> str:
    """Return a sentence of a source in quotation marks, with its marker."""
    line = " ".join(text.split())
    if len(line) > _MOST_CHARACTERS:
        line = line[:_MOST_CHARACTERS].rstrip() + "…"
    cited = f"“{unmarked(line)}” [{markers.of(source)}]"
    if source.unsure_since is None:
        return cited
    day = day_of(source.unsure_since, question.time_zone)
    return f"{cited} ({translate(UNSURE, question.locale, day=day)})"
