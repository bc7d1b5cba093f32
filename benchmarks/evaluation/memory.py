"""Recall on the Korean long-term memory set: its arms, its parts, and windows of 0 to 3 turns."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.evaluation import lexical, people
from benchmarks.evaluation.arrays import ArrayEpisodes, Consenting, OneIndex, turns_of
from benchmarks.evaluation.people import Recorder, Told
from saegim.adapters.postgres.recall import PostgresRecall
from saegim.bootstrap import Services
from saegim.evaluation.play import StageClock
from saegim.evaluation.results import Comparison, Failed, Table
from saegim.evaluation.retrieval import Answered, ask, compare, failures, table
from saegim.evaluation.searchers import Part, Person, RecallSearcher, Signal, SignalSearcher
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episodes import WINDOW_TURNS
from saegim.memory.recall import Recall
from saegim.memory.score import RecordWeights
from saegim.steps.embedders import Embedders

Answers = dict[str, list[Answered]]
# Turns before the turn itself; a window of 0 is the turn alone.
WINDOWS = (0, 1, 2, 3)
RECALL, EPISODES, RECORDS, BM25, DENSE = "recall", "episodes", "records", "bm25", "dense"


@dataclass(frozen=True, slots=True)
class Found:
    """What was measured of one set."""

    tables: tuple[Table, ...]
    comparisons: tuple[Comparison, ...]
    failed: tuple[Failed, ...]


@dataclass(frozen=True, slots=True)
class Bench:
    """Services, the key to write with, and the clock that is set to the conversations' times."""

    services: Services
    clock: StageClock
    key: str

    @property
    def store(self) -> PostgresRecall:
        return PostgresRecall(self.services.cells, self.services.keyring)

    def recall(self, weights: RecordWeights | None = None) -> Recall:
        return Recall(
            self.store, self.services.remembered, self.services.consents, record_weights=weights
        )

    @property
    def recorder(self) -> Recorder:
        return Recorder(self.services, self.clock, self.key)


async def parts(bench: Bench, told: Told, weights: RecordWeights | None = None) -> Answers:
    """Recall of one person, as it is and by its parts."""
    recall, embedder = bench.recall(weights), bench.services.remembered
    searchers = {
        BM25: SignalSearcher(bench.store, embedder, told.person, Signal.WORDS),
        DENSE: SignalSearcher(bench.store, embedder, told.person, Signal.MEANING),
        RECORDS: RecallSearcher(recall, told.person, Part.RECORDS),
        EPISODES: RecallSearcher(recall, told.person, Part.EPISODES),
        RECALL: RecallSearcher(recall, told.person, Part.BOTH),
    }
    return {name: await ask(searcher, told.cases) for name, searcher in searchers.items()}


async def measure(bench: Bench, names: Sequence[str], split: str) -> Found:
    """The set through recall, and each window against the one that is used."""
    answers: defaultdict[str, list[Answered]] = defaultdict(list)
    windows: defaultdict[str, list[Answered]] = defaultdict(list)
    analysers: defaultdict[str, list[Answered]] = defaultdict(list)
    texts: dict[str, str] = {}
    for raw in people.chosen(names):
        name = raw["person"]["id"]
        told = await bench.recorder.record(raw, name, split)
        texts |= told.texts
        _extend(answers, await parts(bench, told))
        for window in WINDOWS:
            searcher = await of_window(bench, raw, told, window)
            windows[f"window {window}"] += await ask(searcher, told.cases)
        for analyser, make in (("bigram", lexical.bigrams), ("kiwi", lexical.kiwi)):
            analysers[analyser] += await ask(make(told.texts), told.cases)
        print(f"{name}: {len(told.cases)} questions", flush=True)
    return _found(answers, windows, analysers, texts)


async def of_window(bench: Bench, raw: dict[str, Any], told: Told, window: int) -> RecallSearcher:
    """Episodes of another window, ranked by the same weights."""
    embedder = bench.services.embedder
    turns, windows, names = turns_of(raw, window)
    store = ArrayEpisodes(turns, windows)
    await store.embed(embedder)
    called = {turn.turn: name for turn, name in zip(turns, names, strict=True)}
    person = Person(told.person.caller, told.person.now, called)
    remembered = MemoryEmbedder(OneIndex(embedder.name), Embedders(embedder))
    return RecallSearcher(Recall(store, remembered, Consenting()), person, Part.EPISODES)


def _extend(answers: defaultdict[str, list[Answered]], more: Mapping[str, list[Answered]]) -> None:
    for name, those in more.items():
        answers[name] += those


def _found(
    answers: Answers, windows: Answers, analysers: Answers, texts: Mapping[str, str]
) -> Found:
    used = f"window {WINDOW_TURNS - 1}"
    measured = ("recall@10", "ndcg@10", "recall@1000tokens")
    comparisons = [
        *(compare("korean_memory", answers, RECALL, RECORDS, each) for each in measured),
        *(compare("korean_memory", answers, RECALL, EPISODES, each) for each in measured),
        *(compare("korean_memory", answers, EPISODES, BM25, each) for each in measured),
        *(
            compare("windows", windows, used, f"window {window}", each)
            for window in WINDOWS
            if f"window {window}" != used
            for each in ("recall@10", "ndcg@10")
        ),
        *(
            compare("analysers_memory", analysers, "bigram", "kiwi", each)
            for each in ("recall@10", "ndcg@10")
        ),
    ]
    return Found(
        tables=(
            table("korean_memory", "Korean long-term memory", answers),
            table("windows", "Episodes: turns before the turn itself", windows),
            table("analysers_memory", "BM25 over single turns, by analyser", analysers),
        ),
        comparisons=tuple(comparisons),
        failed=tuple(failures("korean_memory", RECALL, answers[RECALL], texts)),
    )
