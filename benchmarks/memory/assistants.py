"""Recall in conversations with an assistant: the copilot set and the Korean set."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.evaluation import lexical, people
from benchmarks.evaluation.memory import Bench
from benchmarks.evaluation.people import Told
from benchmarks.evaluation.searchers import EVERYTHING, hits_of
from benchmarks.library.in_memory import Postings
from saegim.evaluation.retrieval import Case, CaseResult, RetrievalHit, auroc
from saegim.llm.ports import Embedder
from saegim.memory.recall.types import Recollection
from saegim.text import analysis, ranking_metrics

COPILOT = Path(__file__).parents[1] / "data" / "copilot"
COUNT = 10
BASELINES = ("bm25", "dense", "fusion")
CHANGED = frozenset(("update", "contradiction"))
NEVER_TOLD = frozenset(("unanswerable", "absence"))
# Below this chance of `Recollection.known`, a question counts as one without an answer.
KNOWN = 0.5

Scores = NDArray[np.floating]
type Conversation = dict[str, Any]
SetName = Literal["copilot", "korean"]


def conversations(name: SetName) -> list[Conversation]:
    """Reads a set; in the Korean one each question names its half, in the other each file."""
    if name == "korean":
        return [people.read(person) for person in people.PEOPLE]
    return [json.loads(path.read_text("utf-8")) for path in sorted(COPILOT.glob("*.json"))]


def split_of(told: Conversation, asked: Mapping[str, Any]) -> str:
    return str(told.get("split") or asked["split"])


def case_of(asked: Mapping[str, Any]) -> Case:
    return Case(
        id=asked["id"],
        kind=asked["class"],
        question=asked["question"],
        gold=frozenset(asked["evidence"]),
        also=frozenset(asked["also"]),
        stale=frozenset(asked["stale"]),
    )


class Baselines:
    """BM25, vectors and their sum over single turns, in memory.

    BM25 uses Kiwi for Korean; the vectors are of the bundled embedder; the sum is of both, each
    scaled to 0–1.
    """

    def __init__(self, texts: Mapping[str, str], korean: bool) -> None:
        self._names = list(texts)
        self._texts = list(texts.values())
        self._terms: Callable[[str], list[str]] = (
            lexical.kiwi_terms() if korean else analysis.index_terms
        )
        self._words = Postings([self._terms(text) for text in self._texts])
        self._vectors: NDArray[np.float32] = np.zeros((0, 0), np.float32)

    async def embed(self, embedder: Embedder) -> None:
        self._vectors = np.array(await embedder.embed(self._texts, "document"), np.float32)

    async def rank(self, embedder: Embedder, case: Case) -> dict[str, CaseResult]:
        [vector] = await embedder.embed([case.question], "query")
        words = self._words.scores(list(dict.fromkeys(self._terms(case.question))))
        dense = self._vectors @ np.array(vector, np.float32)
        both = _from_0_to_1(words) + _from_0_to_1(dense)
        ranked = zip(BASELINES, (words, dense, both), strict=True)
        return {name: CaseResult(case, self._hits(scores), 0.0) for name, scores in ranked}

    def _hits(self, scores: Scores) -> tuple[RetrievalHit, ...]:
        order = np.argsort(-scores, kind="stable")[: EVERYTHING.candidates]
        return tuple(RetrievalHit(self._names[row], float(scores[row])) for row in order)


def _from_0_to_1(scores: Scores) -> Scores:
    width = float(scores.max() - scores.min())
    return (scores - scores.min()) / width if width else np.zeros(len(scores))


@dataclass(frozen=True, slots=True)
class Measured:
    """A question: its half, the ranking of turns, what a turn is given, and the baselines."""

    split: str
    ranked: CaseResult
    given: CaseResult
    known: float
    baselines: Mapping[str, CaseResult]
    returned: bool = False
    """Of a deletion: whether a deleted word came back."""

    @property
    def case(self) -> Case:
        return self.ranked.case


@dataclass
class SetMeasure:
    """Records one set through the product and asks its questions."""

    bench: Bench
    name: SetName
    found: list[Measured] = field(default_factory=list[Measured])

    async def run(self, few: int | None = None) -> list[Measured]:
        # Held-out conversations first, for a run that is cut short by `few`.
        ordered = sorted(conversations(self.name), key=lambda told: told.get("split") != "held_out")
        for told in ordered[:few]:
            who = told["person"]["id"]
            recorded = await self.bench.recorder.record(told, f"{self.name}-{who}")
            await self._ask(told, recorded)
            await self._delete(told, recorded)
            print(f"{who}: {len(told['questions'])} questions", flush=True)
        return self.found

    async def _ask(self, told: Conversation, recorded: Told) -> None:
        embedder = self.bench.services.llm.embedder
        korean = told.get("language", "ko") == "ko"
        baselines = Baselines(recorded.texts, korean)
        await baselines.embed(embedder)
        for asked in told["questions"]:
            if asked["class"] == "deletion":
                continue
            case = case_of(asked)
            everything = await self._recall(recorded, case, whole=True)
            given = await self._recall(recorded, case)
            self.found.append(
                Measured(
                    split_of(told, asked),
                    CaseResult(case, _hits(everything.episodes, recorded), 0.0),
                    CaseResult(case, _given(given, recorded), 0.0),
                    given.known,
                    await baselines.rank(embedder, case),
                )
            )

    async def _delete(self, told: Conversation, recorded: Told) -> None:
        """Takes back the deleted turns, then asks for them."""
        names = {name: turn for turn, name in recorded.person.names.items()}
        memories, scope = self.bench.services.memory, recorded.person.caller.scope
        for asked in told["questions"]:
            if asked["class"] != "deletion":
                continue
            for name in asked["deleted"]:
                await memories.turn_memories.take_back(scope, names[name])
            case = case_of(asked)
            given = await self._recall(recorded, case)
            items = (*given.records, *given.episodes, *given.pinned)
            texts = " ".join(each.text for each in items).casefold()
            returned = any(word.casefold() in texts for word in asked["gone"])
            result = CaseResult(case, _given(given, recorded), 0.0)
            self.found.append(
                Measured(split_of(told, asked), result, result, given.known, {}, returned)
            )

    async def _recall(self, recorded: Told, case: Case, *, whole: bool = False) -> Recollection:
        recall = self.bench.recall(budget=EVERYTHING if whole else None)
        return await recall.recall(recorded.person.request(case))


def _given(recollection: Recollection, recorded: Told) -> tuple[RetrievalHit, ...]:
    """Returns the turns in the order of a prompt, then what is always there."""
    return _hits((*recollection.in_prompt, *recollection.pinned), recorded)


def _hits(items: Sequence[Any], recorded: Told) -> tuple[RetrievalHit, ...]:
    return tuple(hits_of(items, recorded.person.names).values())


def recall_of(result: CaseResult) -> float:
    return ranking_metrics.recall(result.ranked, result.case.gold, COUNT)


def ndcg_of(result: CaseResult) -> float:
    return ranking_metrics.ndcg(result.ranked, result.case.gold, COUNT)


def given_of(measured: Measured) -> float:
    """Returns the share of the evidence in what a turn is given."""
    ranked = measured.given.ranked
    return ranking_metrics.recall(ranked, measured.case.gold, len(ranked))


def figures_of(prefix: str, half: Sequence[Measured]) -> dict[str, float]:
    """Returns the figures of the questions with an answer, beside the baselines."""
    answered = [each for each in half if each.case.gold]
    ours = [recall_of(each.ranked) for each in answered]
    found = {
        f"{prefix}.questions": float(len(answered)),
        f"{prefix}.r10": float(np.mean(ours)),
        f"{prefix}.ndcg10": float(np.mean([ndcg_of(each.ranked) for each in answered])),
        f"{prefix}.given": float(np.mean([given_of(each) for each in answered])),
    }
    theirs = {name: [recall_of(each.baselines[name]) for each in answered] for name in BASELINES}
    for name, values in theirs.items():
        ranks = [ndcg_of(each.baselines[name]) for each in answered]
        found[f"{prefix}.{name}.r10"] = float(np.mean(values))
        found[f"{prefix}.{name}.ndcg10"] = float(np.mean(ranks))
    best = max(theirs.values(), key=np.mean)
    gap = ranking_metrics.paired_bootstrap(ours, best)
    return found | {f"{prefix}.gain": gap.mean, f"{prefix}.gain_low": gap.low}


def over_bm25(half: Sequence[Measured]) -> dict[str, float]:
    """Returns the lower ends of the gains over BM25 with Kiwi on the Korean set."""
    answered = [each for each in half if each.case.gold]
    pairs = {"gain": recall_of, "ndcg_gain": ndcg_of}
    found: dict[str, float] = {}
    for name, measure in pairs.items():
        gap = ranking_metrics.paired_bootstrap(
            [measure(each.ranked) for each in answered],
            [measure(each.baselines["bm25"]) for each in answered],
        )
        found[f"korean.{name}"], found[f"korean.{name}_low"] = gap.mean, gap.low
    return found


def freshness(half: Sequence[Measured]) -> float:
    """Returns how often the current value is given above every outdated one, in questions about
    what has changed."""
    changed = [each.given for each in half if each.case.kind in CHANGED]
    return float(np.mean([value for each in changed if (value := each.fresh) is not None]))


def stale_alone(half: Sequence[Measured]) -> float:
    """Returns how often an outdated value is given without the current one, in questions about what
    has changed."""
    changed = [each for each in half if each.case.kind in CHANGED and each.case.stale]
    return float(np.mean([_is_stale_alone(each.given) for each in changed]))


def _is_stale_alone(given: CaseResult) -> bool:
    found = {hit.id for hit in given.hits}
    return bool(found & given.case.stale) and not found & given.case.gold


def abstention(half: Sequence[Measured]) -> float:
    """Returns how well `Recollection.known` separates questions with and without an answer."""
    told = [each.known for each in half if each.case.gold]
    never = [each.known for each in half if each.case.kind in NEVER_TOLD]
    return auroc(told, never)


def consequences(half: Sequence[Measured]) -> dict[str, float]:
    """Returns the shares of questions whose consequence is respected.

    Cascade: the change is given, above what rested on the old value. Absence: known is below the
    threshold. Deletion: no deleted word is given.
    """

    def share(kind: str, holds: Callable[[Measured], bool]) -> float:
        return float(np.mean([holds(each) for each in half if each.case.kind == kind]))

    return {
        "consequences.cascade": share("cascade", _change_first),
        "consequences.absence": share("absence", lambda each: each.known < KNOWN),
        "consequences.deletion": share("deletion", lambda each: not each.returned),
    }


def _change_first(measured: Measured) -> bool:
    given = measured.given
    found = [hit.id for hit in given.hits]
    change = [found.index(turn) for turn in given.case.gold if turn in found]
    stale = [found.index(turn) for turn in given.case.stale if turn in found]
    return bool(change) and (not stale or min(change) < min(stale))


async def measure_copilot(bench: Bench, few: int | None = None) -> dict[str, float]:
    """Returns the figures of the copilot set by half; freshness, abstention and consequences are of
    the held-out half."""
    measured = await SetMeasure(bench, "copilot").run(few)
    found: dict[str, float] = {}
    for name in ("dev", "held_out"):
        half = [each for each in measured if each.split == name]
        if half:
            found |= figures_of(f"copilot.{name}", half)
        if half and name == "held_out":
            found |= {
                "freshness.current_first": freshness(half),
                "freshness.stale_alone": stale_alone(half),
                "abstention.auroc": abstention(half),
                **consequences(half),
            }
    return _rounded(found)


async def measure_korean(bench: Bench, few: int | None = None) -> dict[str, float]:
    """Returns the figures of the held-out half of the Korean set."""
    measured = await SetMeasure(bench, "korean").run(few)
    half = [each for each in measured if each.split == "held_out"]
    changed = {
        "korean.current_first": freshness(half),
        "korean.stale_alone": stale_alone(half),
        "korean.auroc": abstention(half),
    }
    return _rounded(figures_of("korean", half) | over_bm25(half) | changed)


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in figures.items()}
