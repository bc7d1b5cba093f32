"""Evaluate recall on the Korean memory set: its retrievers, and windows of 0 to 3 turns."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.evaluation import lexical, people
from benchmarks.evaluation.arrays import ArrayEpisodes, OneIndex, turns_of
from benchmarks.evaluation.people import Recorder, Told
from benchmarks.evaluation.searchers import (
    EVERYTHING,
    MemoryOwner,
    RecallSearcher,
    RecollectionPart,
    Signal,
    SignalSearcher,
)
from saegim.app.container import Services
from saegim.evaluation.play import StageClock
from saegim.evaluation.results import Comparison, FailedQuestion, ResultTable
from saegim.evaluation.retrieval import Case, CaseResult, ask, compare, failures, table
from saegim.llm.types import Embedders
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episodes import WINDOW_TURNS
from saegim.memory.recall.repository import PostgresRecall
from saegim.memory.recall.scoring import RecordWeights
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import RecallBudget

Answers = dict[str, list[CaseResult]]
HELD_OUT = "korean_memory_held_out"
# Turns before the turn itself; 0 is the turn alone.
WINDOWS = (0, 1, 2, 3)
RECALL, EPISODES, RECORDS, BM25, DENSE = "recall", "episodes", "records", "bm25", "dense"


@dataclass(frozen=True, slots=True)
class Found:
    """Measurements of one set."""

    tables: tuple[ResultTable, ...]
    comparisons: tuple[Comparison, ...]
    failed: tuple[FailedQuestion, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """Services, the key to write with, and a clock set to the conversations' times."""

    services: Services
    clock: StageClock
    key: str

    @property
    def store(self) -> PostgresRecall:
        return PostgresRecall(
            self.services.db.cells,
            self.services.encryption.keyring,
            self.services.memory.recall_cache,
        )

    def recall(
        self, weights: RecordWeights | None = None, budget: RecallBudget | None = None
    ) -> Recall:
        return Recall(
            self.store,
            self.services.memory.embedder,
            record_weights=weights or RecordWeights(),
            budget=budget or RecallBudget(),
        )

    @property
    def recorder(self) -> Recorder:
        return Recorder(self.services, self.clock, self.key)


@dataclass(frozen=True, slots=True)
class Asking:
    """The user, the weights, whether to use the held-out half, and whether to compare windows
    and analysers."""

    people: Sequence[str]
    held_out: bool = False
    weights: RecordWeights | None = None
    choices: bool = True


async def parts(
    bench: Bench, told: Told, cases: Sequence[Case], weights: RecordWeights | None = None
) -> Answers:
    """Returns recall of one user, and each of its retrievers."""
    alone, embedder = bench.recall(weights, EVERYTHING), bench.services.memory.embedder
    searchers = {
        BM25: SignalSearcher(bench.store, embedder, told.person, Signal.WORDS),
        DENSE: SignalSearcher(bench.store, embedder, told.person, Signal.MEANING),
        RECORDS: RecallSearcher(alone, told.person, RecollectionPart.RECORDS),
        EPISODES: RecallSearcher(alone, told.person, RecollectionPart.EPISODES),
        RECALL: RecallSearcher(bench.recall(weights), told.person, RecollectionPart.GIVEN),
    }
    return {name: await ask(searcher, cases) for name, searcher in searchers.items()}


async def measure(bench: Bench, asking: Asking) -> Found:
    """Measures recall, and compares each window and analyser with the current one.

    Decisions and shown failures use the `dev` half; the other half is only counted.
    """
    found = _Answers()
    texts: dict[str, str] = {}
    for raw in people.chosen(asking.people):
        name = raw["person"]["id"]
        told, cases = await bench.recorder.record(raw, name), people.cases_of(raw, "dev")
        texts |= told.texts
        found.dev.add(await parts(bench, told, cases, asking.weights))
        if asking.held_out:
            kept = people.cases_of(raw, "held_out")
            found.held_out.add(await parts(bench, told, kept, asking.weights))
        if asking.choices:
            found.windows.add(await _by_window(bench, raw, told))
            for analyser, make in (("bigram", lexical.bigrams), ("kiwi", lexical.kiwi)):
                found.analysers.add({analyser: await ask(make(told.texts), cases)})
        print(f"{name}: {len(cases)} questions", flush=True)
    return _found(found, texts)


async def _by_window(bench: Bench, raw: dict[str, Any], told: Told) -> Answers:
    cases = people.cases_of(raw, "dev")
    return {
        f"window {window}": await ask(await of_window(bench, raw, told, window), cases)
        for window in WINDOWS
    }


async def of_window(bench: Bench, raw: dict[str, Any], told: Told, window: int) -> RecallSearcher:
    """Returns episodes of another window, ranked with the same weights."""
    embedder = bench.services.llm.embedder
    turns, windows, names = turns_of(raw, window)
    store = ArrayEpisodes(turns, windows)
    await store.embed(embedder)
    called = {turn.turn: name for turn, name in zip(turns, names, strict=True)}
    person = MemoryOwner(told.person.caller, told.person.now, called)
    remembered = MemoryEmbedder(OneIndex(embedder.name), Embedders(embedder))
    return RecallSearcher(
        Recall(store, remembered, budget=EVERYTHING), person, RecollectionPart.EPISODES
    )


class _Growing(defaultdict[str, list[CaseResult]]):
    """Collects the answers of several users by configuration."""

    def __init__(self) -> None:
        super().__init__(list)

    def add(self, more: Mapping[str, list[CaseResult]]) -> None:
        for name, those in more.items():
            self[name] += those


@dataclass(frozen=True, slots=True)
class _Answers:
    dev: _Growing = field(default_factory=_Growing)
    held_out: _Growing = field(default_factory=_Growing)
    windows: _Growing = field(default_factory=_Growing)
    analysers: _Growing = field(default_factory=_Growing)


def _found(answers: _Answers, texts: Mapping[str, str]) -> Found:
    tables = [table("korean_memory", "Korean long-term memory, dev half", answers.dev)]
    if answers.held_out:
        title = "Korean long-term memory, held-out half"
        tables.insert(0, table(HELD_OUT, title, answers.held_out))
    if answers.windows:
        tables.append(table("windows", "Episodes: turns before the turn itself", answers.windows))
    if answers.analysers:
        title = "BM25 over single turns, by analyser"
        tables.append(table("analysers_memory", title, answers.analysers))
    return Found(
        tables=tuple(tables),
        comparisons=(
            *_of_parts(HELD_OUT, answers.held_out),
            *_of_parts("korean_memory", answers.dev),
            *(_of_choices(answers) if answers.windows else ()),
        ),
        failed=tuple(failures("korean_memory", RECALL, answers.dev[RECALL], texts)),
    )


def _of_parts(name: str, answers: Answers) -> list[Comparison]:
    """Compares recall with each of its retrievers."""
    if not answers:
        return []
    pairs = ((RECALL, RECORDS), (RECALL, EPISODES), (RECALL, BM25), (EPISODES, BM25))
    return [
        compare(name, answers, one, other, each)
        for one, other in pairs
        for each in ("recall@10", "ndcg@10", "recall@1000tokens")
    ]


def _of_choices(answers: _Answers) -> list[Comparison]:
    """Compares the current window and analyser with the others."""
    used = f"window {WINDOW_TURNS - 1}"
    others = [f"window {window}" for window in WINDOWS if f"window {window}" != used]
    pairs = [("windows", answers.windows, used, other) for other in others]
    pairs.append(("analysers_memory", answers.analysers, "bigram", "kiwi"))
    return [
        compare(name, those, one, other, each)
        for name, those, one, other in pairs
        for each in ("recall@10", "ndcg@10")
    ]
