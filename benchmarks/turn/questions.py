"""Multi-turn questions (MTRAG-UN) through research with history, offline; and abstention."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any, override
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from benchmarks.doubles.models import ScriptedModels
from benchmarks.library.in_memory import MemoryEngine
from benchmarks.library.sets import FOLDS, held_out_ids, load
from saegim.chat.review import ConversationReading
from saegim.chat.routing import plain
from saegim.chat.types import AssistantConfig
from saegim.conversations.types import Exchange
from saegim.domain.scope import Caller, Role, Scope
from saegim.library.ranking import DEFAULT_WEIGHTS, RankedPassage, rank
from saegim.library.service import Library, SearchResults
from saegim.library.splitting import tag
from saegim.library.types import (
    Document,
    FoundPassage,
    Passage,
    PassageLocation,
    PassageSignals,
    ResultCounts,
)
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.research.loop import Features, Research, Scale, features
from saegim.research.types import ResearchQuestion
from saegim.text.ranking_metrics import ndcg, paired_bootstrap

COUNT = 10
NOBODY = UUID(int=0)
CALLER = Caller(Scope(NOBODY, NOBODY, NOBODY), Role.MEMBER, NOBODY, NOBODY)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LABELS = {"ANSWERABLE": 1, "UNANSWERABLE": 0}
REGULARISED = 1.0


class MemoryLibrary(Library):
    """The library's search over the benchmark's in-memory engine."""

    def __init__(self, engine: MemoryEngine) -> None:
        self._engine = engine
        self._tags = [tag(text, (), None, ()) for text in engine.texts.values()]
        self._documents = {
            name: UUID(int=number) for number, name in enumerate(engine.documents, 1)
        }
        self._asked: dict[tuple[str, ...], tuple[FoundPassage, ...]] = {}

    async def search_all(
        self, caller: Caller, question: str, counts: ResultCounts | None = None
    ) -> SearchResults:
        return await self.search(caller, question, count=(counts or ResultCounts()).total)

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: ResultCounts | None = None
    ) -> list[SearchResults]:
        return [await self.search_all(caller, question, counts) for question in questions]

    @override
    async def search(
        self,
        caller: Caller,
        question: str,
        *,
        count: int | None = None,
        **flags: object,
    ) -> SearchResults:
        key = (question, *sorted(flags))
        if key not in self._asked:
            self._asked[key] = await self._found(question, *flags)
        return SearchResults(self._asked[key][:count])

    @override
    async def get_section(self, caller: Caller, passage: UUID) -> list[PassageLocation]:
        return []

    async def lookup(
        self, caller: Caller, document_id: str, count: int = 0
    ) -> tuple[Document, list[PassageLocation]]:
        raise NotImplementedError

    @override
    async def related(self, caller: Caller, document: Document, count: int = 3) -> list[Document]:
        return []

    async def _found(self, question: str, *flags: str) -> tuple[FoundPassage, ...]:
        """Search, among passages with all these flags (`has_steps`)."""
        tagged = [all(getattr(tags, flag) for flag in flags) for tags in self._tags]
        candidates = await self._engine.candidates(question, np.array(tagged))
        ranked = rank(question, candidates, self._engine.texts, DEFAULT_WEIGHTS)
        return tuple(map(self._passage, ranked[:40]))

    def _passage(self, one: RankedPassage) -> FoundPassage:
        text, name = self._engine.texts[one.passage], self._engine.documents[one.passage.int]
        document = self._documents[name]
        tags = self._tags[one.passage.int]
        return FoundPassage(
            Passage(one.passage, document, NOBODY, 0, text, 0, tags),
            Document(document, NOBODY, NOBODY, name, "guide", None, "1", {}, NOW),
            (),
            PassageSignals(one.lexical, one.dense, one.score),
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the set, with the result of research."""

    id: str
    first: bool
    label: int | None
    gold: frozenset[str]
    found: tuple[str, ...]
    verbatim: tuple[str, ...]
    features: Features
    confidence: float

    @property
    def fold(self) -> int:
        return int.from_bytes(sha256(self.id.encode()).digest()[:4]) % FOLDS

    @property
    def held_out(self) -> bool:
        return self.id in held_out_ids("mtragun_last")


async def measure(root: Path) -> dict[str, float]:
    """Returns the figures of the set."""
    found = load(root, "mtragun_last")
    gold = {one.id: one.gold for one in found.questions}
    engine = MemoryEngine()
    await engine.load(found.documents)
    library = MemoryLibrary(engine)
    rows = map(json.loads, (root / "mtragun" / "queries.jsonl").read_text().splitlines())
    asked = [await _ask(library, row, gold.get(row["_id"], frozenset())) for row in rows]
    await engine.close()
    return {**_ranking(asked), **_abstention(asked)}


async def _ask(library: MemoryLibrary, row: dict[str, Any], gold: frozenset[str]) -> Asked:
    said = tuple(
        Exchange(n, turn["text"], "", NOW)
        for n, turn in enumerate(row["history"])
        if turn["role"] == "user"
    )
    route = plain(ConversationReading(row["text"], said, AssistantConfig()))
    question = ResearchQuestion(row["text"], route.standalone, route.variants)
    steps = Steps(ScriptedModels({}))
    findings = await Research(library).find(
        CALLER, question, TurnModelBudget(steps, math.inf, lambda _: None)
    )
    alone = await library.search_all(CALLER, row["text"])
    labels = row["answerability"]
    return Asked(
        id=row["_id"],
        first=not said,
        label=LABELS.get(labels[0]) if len(labels) == 1 else None,
        gold=gold,
        found=_documents(findings.considered),
        verbatim=_documents(alone.found),
        features=features(question.message, findings.considered),
        confidence=findings.confidence,
    )


def _documents(found: Sequence[FoundPassage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.document.outside_id for one in found))


def _ranking(asked: Sequence[Asked]) -> dict[str, float]:
    judged = [one for one in asked if one.gold]
    ours = {one.id: ndcg(one.found, one.gold, COUNT) for one in judged}
    alone = {one.id: ndcg(one.verbatim, one.gold, COUNT) for one in judged}
    folds = [fmean(ours[one.id] for one in judged if one.fold == fold) for fold in range(FOLDS)]
    first = [one.id for one in judged if one.first]
    later = [one.id for one in judged if not one.first]
    standalone = paired_bootstrap([ours[one] for one in first], [alone[one] for one in first])
    return {
        "mtragun.ndcg10": fmean(ours.values()),
        "mtragun.ndcg10.worst_fold": min(folds),
        "mtragun.verbatim.ndcg10": fmean(alone.values()),
        "mtragun.later_turns.ndcg10": fmean(ours[one] for one in later),
        "mtragun.later_turns.verbatim.ndcg10": fmean(alone[one] for one in later),
        "mtragun.first_turns.ndcg10": fmean(ours[one] for one in first),
        "mtragun.first_turns.gain": standalone.mean,
        "mtragun.first_turns.gain_high": standalone.high,
        "mtragun.questions": float(len(judged)),
        **_held_out_ranking([one for one in judged if one.held_out], ours),
    }


def _held_out_ranking(judged: Sequence[Asked], ours: Mapping[str, float]) -> dict[str, float]:
    found = [ours[one.id] for one in judged]
    interval = paired_bootstrap(found, [0.0] * len(found))
    return {
        "mtragun.held_out.ndcg10": interval.mean,
        "mtragun.held_out.ndcg10.low": interval.low,
        "mtragun.held_out.ndcg10.high": interval.high,
        "mtragun.held_out.questions": float(len(found)),
    }


def _abstention(asked: Sequence[Asked]) -> dict[str, float]:
    """Measures how well confidence separates answerable from unanswerable questions.

    Each fifth is judged with a scale that was fitted on the other four. The shipped scale was
    fitted on the dev half, so only its held-out figure is of questions it has not seen.
    """
    judged = [one for one in asked if one.label is not None]
    rows = np.array([_row(one.features) for one in judged])
    labels = np.array([one.label for one in judged], np.float64)
    folds = np.array([one.fold for one in judged])
    scores = np.zeros(len(judged))
    for fold in range(FOLDS):
        held = folds == fold
        weights = fit(rows[~held], labels[~held])
        scores[held] = rows[held] @ weights[:-1] + weights[-1]
    shipped = np.array([one.confidence for one in judged])
    unseen = np.array([one.held_out for one in judged])
    dev = fit(rows[~unseen], labels[~unseen])
    print("scale fitted on the dev half:", Scale(*(round(float(w), 2) for w in dev)))
    return {
        "abstention.auroc.held_out": auroc(shipped[unseen], labels[unseen]),
        "abstention.auroc": auroc(scores, labels),
        "abstention.auroc.shipped_scale": auroc(shipped, labels),
        "abstention.answerable_below_half": float((shipped[labels == 1] < 0.5).mean()),
        "abstention.unanswerable_below_half": float((shipped[labels == 0] < 0.5).mean()),
        "abstention.answerable": float((labels == 1).sum()),
        "abstention.unanswerable": float((labels == 0).sum()),
    }


def _row(found: Features) -> list[float]:
    return [found.coverage, found.nearness, math.log1p(max(0.0, found.margin))]


def fit(rows: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the weights of a logistic regression, the offset last, by Newton's method."""
    mean, spread = rows.mean(0), rows.std(0) + 1e-9
    scaled = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    # Both classes have the same weight, so the threshold is one half.
    share = labels.mean()
    each = np.where(labels == 1, 0.5 / share, 0.5 / (1 - share))
    weights = np.zeros(scaled.shape[1])
    for _ in range(50):
        likely = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (each * (likely - labels)) + REGULARISED * np.r_[weights[:-1], 0]
        bend = (scaled * (each * likely * (1 - likely))[:, None]).T @ scaled
        weights -= np.linalg.solve(bend + REGULARISED * np.eye(len(weights)), slope)
    plain = weights[:-1] / spread
    return np.r_[plain, weights[-1] - plain @ mean]


def auroc(scores: NDArray[np.float64], labels: NDArray[np.float64]) -> float:
    """Returns how often an answerable question scores above an unanswerable one."""
    good, bad = scores[labels == 1][:, None], scores[labels == 0][None, :]
    return float(((good > bad) + 0.5 * (good == bad)).mean())
