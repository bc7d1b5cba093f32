"""Format the figures of the library as tables for the documentation."""

from collections.abc import Mapping, Sequence

from benchmarks.page import table

TITLES = {
    "korquad": "KorQuAD 1.0 dev",
    "autorag_ko": "AutoRAG-ko",
    "ko_strategyqa_facts": "Ko-StrategyQA, facts of dev",
    "twowiki": "2WikiMultiHop",
    "mtragun_last": "MTRAG-UN, pooled, last turn",
    "locomo_sessions": "LoCoMo, sessions of all conversations",
    "korean_memory_sessions": "Korean memory set, sessions of all people",
    "cross_ko_en": "Korean questions, English documents",
    "cross_en_ko": "English questions, Korean documents",
}
PUBLISHED = {
    "korquad": "BM25 .839, bge-m3 .904, best .946",
    "autorag_ko": "BM25 .650, text-embedding-3-large .765, bge-m3 .830, best .909",
}


def retrieval(figures: Mapping[str, float]) -> str:
    """Returns one row per measured set: its held-out half, then all of its questions."""
    rows = [
        (
            title,
            f"{figures[f'{held_out}.questions']:.0f}",
            f"**{figures[f'{held_out}.ndcg10']:.3f}** ({_range(figures, f'{held_out}.ndcg10')})",
            f"{figures[f'{held_out}.lexical.ndcg10']:.3f}",
            f"{figures[f'{held_out}.dense.ndcg10']:.3f}",
            _between(figures, f"{held_out}.over_better_arm"),
            f"{figures[f'{name}.ndcg10']:.3f}",
            PUBLISHED.get(name, "none comparable"),
        )
        for name, title in TITLES.items()
        if f"{(held_out := f'{name}.held_out')}.ndcg10" in figures
    ]
    head = (
        "set",
        "held-out questions",
        "nDCG@10 (95 %)",
        "keyword",
        "vector",
        "over the better one, 95 %",
        "all questions",
        "published",
    )
    return table(head, rows, "<>>>>>><")


def search(figures: Mapping[str, float], sizes: Sequence[str]) -> str:
    """Returns one row per size."""
    rows = [
        (
            size,
            f"{figures[f'search_all.p50_ms.{size}']:.0f} ms",
            f"{figures[f'search_all.p95_ms.{size}']:.0f} ms",
            f"{figures[f'bare.p50_ms.{size}']:.0f} ms",
            f"{figures[f'search_all.p50_ratio.{size}']:.2f}",
        )
        for size in sizes
    ]
    head = ("passages", "`search_all` p50", "p95", "bare engines p50", "ratio")
    return table(head, rows, "<>>>>")


def _between(figures: Mapping[str, float], name: str) -> str:
    return f"{figures[f'{name}.low']:+.3f} … {figures[f'{name}.high']:+.3f}"


def _range(figures: Mapping[str, float], name: str) -> str:
    return f"{figures[f'{name}.low']:.3f} … {figures[f'{name}.high']:.3f}"
