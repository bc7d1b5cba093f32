"""Long tables in a prompt: the header with the rows that a question is about."""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence

from saegim.text.analysis import fold, index_terms, query_terms

# Shorter tables are shown whole.
LEAST_ROWS = 10
# A word of more rows than this tells no row from the others.
COMMON_SHARE = 0.5
# Rows with less than this share of the best one's score share syllables, not words.
LEAST_SCORE = 0.6
SKIPPED = "| … |"
_RULE = re.compile(r"\|(?:\s*:?-{2,}:?\s*\|)+")
# Questions that need every row.
_OVERALL = re.compile(
    r"가장|최고|최대|최소|최저|제일|모두|모든|전체|전부|합계|총|평균|목록|비교|차이|순서|순위"
    r"|몇 ?(?:개|명|곳|건)"
    r"|\b(?:most|least|highest|lowest|largest|smallest|best|worst|all|every|each|total|sum|average"
    r"|list|compare|difference|rank|how many)\b"
)


def focused(text: str, question: str) -> str:
    """Return the text with its long tables cut to the rows that words of the question hit, and
    their neighbours. A question over all rows, or one that hits none, leaves them whole."""
    if _OVERALL.search(fold(question)):
        return text
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
