"""The table of retrieval figures in the documentation, beside what others published."""

from collections.abc import Mapping

from benchmarks.results import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
BEGIN, END = "<!-- retrieval: begin -->", "<!-- retrieval: end -->"

TITLES = {
    "korquad": "KorQuAD 1.0 dev",
    "autorag_ko": "AutoRAG-ko",
    "ko_strategyqa_facts": "Ko-StrategyQA, facts of dev",
    "twowiki": "2WikiMultiHop, 101 questions",
    "mtragun_last": "MTRAG-UN, pooled, last turn",
}
PUBLISHED = {
    "korquad": "BM25 .839, bge-m3 .904, best .946",
    "autorag_ko": "BM25 .650, text-embedding-3-large .765, bge-m3 .830, best .909",
}


def table(figures: Mapping[str, float]) -> str:
    """One row per set that was measured."""
    head = "| set | nDCG@10 | words alone | similarity alone | published |"
    rows = [
        f"| {title} | **{figures[f'{name}.ndcg10']:.3f}** | {figures[f'{name}.lexical.ndcg10']:.3f}"
        f" | {figures[f'{name}.dense.ndcg10']:.3f} | {PUBLISHED.get(name, 'none comparable')} |"
        for name, title in TITLES.items()
        if f"{name}.ndcg10" in figures
    ]
    return "\n".join([head, "| --- | ---: | ---: | ---: | --- |", *rows])


def publish(rows: str) -> None:
    """Puts the table between its marks, at the end of the page where it has none yet."""
    page = PAGE.read_text() if PAGE.exists() else "# Benchmarks\n"
    if BEGIN not in page:
        page = f"{page.rstrip()}\n\n## Retrieval\n\n{BEGIN}\n{END}\n"
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{rows}\n{END}{after}")
