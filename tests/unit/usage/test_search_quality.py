"""Top-k hit rate and coverage count what answers made of the library's searches."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from saegim.usage.metrics import Metrics
from saegim.usage.trace import CitationUse, FindingsUse, ItemUse, SearchUse, TurnTrace, interaction

pytestmark = pytest.mark.requirement("OP1")


def turn(*cited: str, searches: int = 1, sufficient: bool = True) -> TurnTrace:
    """A turn that found the passages p1 … p6 in this order, and one that was not ranked."""
    trace = TurnTrace()
    trace.searches += [SearchUse("search", ("q",), (), 6, 1.0)] * searches
    trace.items.append(ItemUse("memory", "m1", "", "injected", 5))
    trace.items += [ItemUse("passage", f"p{n}", "", "injected", 5) for n in range(1, 7)]
    trace.items.append(ItemUse("passage", "late", "", "not_ranked", 5))
    trace.citations += [CitationUse("1", "passage", each, "") for each in cited]
    trace.findings = FindingsUse(0.9, sufficient, (), False)
    return trace


def counted(*turns: TurnTrace) -> dict[str, float]:
    metrics = Metrics()
    for trace in turns:
        metrics.turn(interaction(trace, "answered"), trace)
    return {
        f"{sample.name}{sample.labels.get('k', '')}": sample.value
        for family in text_string_to_metric_families(metrics.page().decode())
        for sample in family.samples
        if sample.name.startswith("saegim_search") and sample.name.endswith("_total")
    }


def test_a_search_is_a_hit_where_the_answer_cites_one_of_the_first_k() -> None:
    found = counted(turn("p1"), turn("p4", "p5"), turn("p6"), turn(), turn("late"))

    hits = {k: found[f"saegim_search_hits_total{k}"] for k in (1, 3, 5, 10)}
    assert hits == {1: 1, 3: 1, 5: 2, 10: 3}
    assert found["saegim_searches_total"] == 5


def test_coverage_is_the_share_of_searches_that_found_enough() -> None:
    found = counted(turn("p1"), turn(sufficient=False), turn(searches=0))

    assert found["saegim_searches_total"] == 2
    assert found["saegim_searches_covered_total"] == 1
