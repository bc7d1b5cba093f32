"""Evaluate library sets: each retriever, their fusion, and the analysers."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.evaluation import lexical
from benchmarks.evaluation.memory import Answers, Found
from benchmarks.library.engine import Arm
from benchmarks.library.in_memory import MemoryEngine
from benchmarks.library.sets import RetrievalSet, load
from saegim.evaluation.results import Comparison, ResultTable
from saegim.evaluation.retrieval import Case, RetrievalHit, ask, compare, table
from saegim.text import tokens

SETS = ("autorag_ko", "ko_strategyqa_facts")


class EngineSearcher:
    """One retriever of a library engine."""

    def __init__(self, engine: MemoryEngine, arm: Arm, texts: dict[str, str]) -> None:
        self._engine = engine
        self._arm = arm
        self._texts = texts

    async def search(self, case: Case) -> Sequence[RetrievalHit]:
        ranked = (await self._engine.search(case.question))[self._arm]
        return [
            RetrievalHit(
                name, 1 / place, tokens.count(self._texts[name]), self._texts[name], "passage"
            )
            for place, name in enumerate(ranked[: lexical.COUNT], start=1)
        ]


async def measure(root: Path) -> Found:
    """Measures every available set."""
    tables: list[ResultTable] = []
    comparisons: list[Comparison] = []
    for name in SETS:
        answers = await _answers(load(root, name))
        tables.append(table(name, f"Library: {name}", answers))
        pairs = (("fused", "lexical"), ("fused", "dense"), ("bigram", "kiwi"))
        comparisons += [
            compare(name, answers, one, other, measure)
            for one, other in pairs
            for measure in ("recall@10", "ndcg@10")
        ]
        print(f"{name}: {len(answers['fused'])} questions", flush=True)
    return Found(tuple(tables), tuple(comparisons), ())


async def _answers(found: RetrievalSet) -> Answers:
    cases = [Case(each.id, "question", each.text, each.gold) for each in found.questions]
    texts = {each.id: f"{each.title or ''}\n{each.text}".strip() for each in found.documents}
    engine = MemoryEngine()
    try:
        await engine.load(found.documents)
        answers = {
            arm.value: await ask(EngineSearcher(engine, arm, texts), cases)
            for arm in (Arm.LEXICAL, Arm.DENSE, Arm.FUSED)
        }
    finally:
        await engine.close()
    answers["bigram"] = await ask(lexical.bigrams(texts), cases)
    answers["kiwi"] = await ask(lexical.kiwi(texts), cases)
    return answers
