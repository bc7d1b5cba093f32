"""How good the library's searches were, judged by what answers made of them."""

from saegim.usage.trace import TurnTrace

TOP = (1, 3, 5, 10)
PASSAGE = "passage"
NOT_RANKED = "not_ranked"


def searched(trace: TurnTrace) -> bool:
    """Whether the turn asked the library at all."""
    return bool(trace.searches)


def first_cited_rank(trace: TurnTrace) -> int | None:
    """The rank of the best passage that the answer cites; None where it cites none."""
    cited = {one.id for one in trace.citations if one.kind == PASSAGE}
    ranked = [one for one in trace.items if one.kind == PASSAGE and one.fate != NOT_RANKED]
    return next((rank for rank, one in enumerate(ranked, start=1) if one.id in cited), None)


def covered(trace: TurnTrace) -> bool:
    """Whether what was found was judged to be enough for an answer."""
    return trace.findings is not None and trace.findings.is_sufficient
