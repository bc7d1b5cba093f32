"""Format the figures of the library as tables for the documentation."""

from collections.abc import Mapping, Sequence

from benchmarks.page import table

TITLES = {
    "korquad": "KorQuAD 1.0 dev",
    "autorag_ko": "AutoRAG-ko",
    "ko_strategyqa_facts": "Ko-StrategyQA, facts of dev",
    "twowiki": "2WikiMultiHop, 101 questions",
    "mtragun_last": "MTRAG-UN, pooled, last turn",
    "locomo_sessions": "held out: LoCoMo, sessions of all conversations",
    "korean_memory_sessions": "held out: Korean memory set, sessions of all people",
}
PUBLISHED = {
    "korquad": "BM25 .839, bge-m3 .904, best .946",
    "autorag_ko": "BM25 .650, text-embedding-3-large .765, bge-m3 .830, best .909",
}


def retrieval(figures: Mapping[str, float]) -> str:
    """Returns one row per measured set."""
    rows = [
        (
            title,
            f"**{figures[f'{name}.ndcg10']:.3f}**",
            f"{figures[f'{name}.lexical.ndcg10']:.3f}",
            f"{figures[f'{name}.dense.ndcg10']:.3f}",
            _between(figures, f"{name}.over_better_arm"),
            PUBLISHED.get(name, "none comparable"),
        )
        for name, title in TITLES.items()
        if f"{name}.ndcg10" in figures
    ]
    head = ("set", "nDCG@10", "keyword", "vector", "over the better one, 95 %", "published")
    return table(head, rows, "<>>>><")


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
