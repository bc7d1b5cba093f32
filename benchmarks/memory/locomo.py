"""Write and recall LoCoMo through the product: dated turns only."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import fmean
from uuid import UUID

import numpy as np

from benchmarks.library.sets import folder
from benchmarks.memory.fitting import Lesson, fit
from saegim.app.container import Services
from saegim.auth.types import ActAs
from saegim.conversations.types import Lease, LeaseTimes, NewTurn, Outcome, TurnInputs, TurnState
from saegim.domain.errors import StoreUnavailable
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller
from saegim.memory.recall.repository import PostgresRecall
from saegim.memory.recall.scoring import SIGNALS, EpisodeWeights, episode_signals
from saegim.memory.recall.service import Recall
from saegim.memory.recall.types import (
    RecallBudget,
    RecallQuestion,
    RecallRequest,
    Scan,
    ScanFilter,
    question_of,
)
from saegim.text import ranking_metrics

HELD_OUT = Path(__file__).parents[1] / "data" / "held_out.json"
COUNT = 10
TOKENS = (500, 1_000, 2_000)
# More turns than fit into 2,000 tokens.
MANY = 80
TURN_SECONDS = 20
TRIES = 60
# Signals that are also measured alone.
ALONE = {"dense": "dense", "lexical": "own"}


@dataclass
class Hands:
    """A clock that the benchmark sets to the dates of the conversations."""

    at: datetime = datetime(2023, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the set."""

    id: str
    text: str
    kind: str
    gold: frozenset[str]


@dataclass
class Conversation:
    """One conversation: its utterances by session, and its questions."""

    name: str
    sessions: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    questions: list[Asked] = field(default_factory=list)


@dataclass
class Recorded:
    """A conversation as stored by the product."""

    caller: Caller
    names: dict[UUID, str]
    now: datetime
    questions: Sequence[Asked]

    def asking(self, asked: Asked) -> RecallRequest:
        return RecallRequest(self.caller.scope, asked.text, self.now, "UTC")


def conversations() -> list[Conversation]:
    """Yields the conversations of the set."""
    gold: defaultdict[str, set[str]] = defaultdict(set)
    for line in _lines("qrels.tsv")[1:]:
        question, utterance, _ = line.split("\t")
        gold[question].add(utterance)
    found: dict[str, Conversation] = {}
    for row in map(json.loads, _lines("corpus.jsonl")):
        conversation = found.setdefault(row["group"], Conversation(row["group"]))
        conversation.sessions.setdefault(row["session"], []).append(row)
    for row in map(json.loads, _lines("queries.jsonl")):
        if gold[row["_id"]]:
            asked = Asked(row["_id"], row["text"], row["category"], frozenset(gold[row["_id"]]))
            found[row["group"]].questions.append(asked)
    return list(found.values())


def held_out() -> frozenset[str]:
    """Returns the names of the conversations that the shipped weights were not fitted on."""
    return frozenset(json.loads(HELD_OUT.read_text("utf-8"))["locomo"])


def _lines(name: str) -> list[str]:
    data = folder()
    if data is None:
        raise SystemExit("SAEGIM_BENCH_DATA is not set")
    return (data / "locomo" / name).read_text("utf-8").splitlines()


async def record(services: Services, clock: Hands, key: str, told: Conversation) -> Recorded:
    """Records a conversation as sessions of one user, and indexes its episodes."""
    caller = await services.auth.authentication.authenticate(key, ActAs(told.name, None))
    names: dict[UUID, str] = {}
    said_at = clock.at
    for number, utterances in told.sessions.items():
        start = datetime.strptime(f"{utterances[0]['date']} +0000", "%I:%M %p on %d %B, %Y %z")
        for place, utterance in enumerate(utterances):
            clock.at = said_at = start + timedelta(seconds=TURN_SECONDS * place)
            session = f"{told.name}-{number}"
            turn = await patiently(partial(_say, services, clock, caller, session, utterance))
            names[turn] = utterance["_id"]
            await patiently(partial(services.memory.episodes.index, caller.scope.tenant, turn))
    return Recorded(caller, names, said_at + timedelta(days=1), told.questions)


async def patiently[T](call: Callable[[], Awaitable[T]]) -> T:
    """Returns the result of a call; retries while the machine is busy."""
    for _ in range(TRIES):
        try:
            return await call()
        except StoreUnavailable:
            await asyncio.sleep(1)
    return await call()


async def _say(
    services: Services, clock: Hands, caller: Caller, session: str, said: Mapping[str, str]
) -> UUID:
    shown = f" [{said['caption']}]" if said["caption"] else ""
    now = clock.now()
    lease = Lease(new_id(now), 1)
    new = NewTurn(
        id=new_id(now),
        message=f"{said['speaker']}: {said['text']}{shown}",
        inputs=TurnInputs(),
        session=session,
        idempotency_key=said["_id"],
        lease=lease,
        times=LeaseTimes(lasts_seconds=60.0),
        now=now,
    )
    opened = await services.conversations.turns.receive(caller, new)
    held = opened.lease or lease
    await services.conversations.settlement.settle(
        opened.turn, held, Outcome(TurnState.DONE, ""), []
    )
    return opened.turn.id


async def lessons(services: Services, recorded: Recorded) -> list[Lesson]:
    """Returns every question with the signals of every turn, as recall sees them."""
    store = PostgresRecall(
        services.db.cells, services.encryption.keyring, services.memory.recall_cache
    )
    found: list[Lesson] = []
    for asked in recorded.questions:
        question = question_of(recorded.asking(asked))
        scan = await patiently(partial(_scan, services, store, recorded, question))
        opened = await _turns_of(services, recorded)
        gold = np.array([opened[bytes(each)] in asked.gold for each in scan.episodes.ids])
        found.append(Lesson(asked.kind, episode_signals(scan.episodes, question), gold))
    return found


async def _scan(
    services: Services, store: PostgresRecall, recorded: Recorded, question: RecallQuestion
) -> Scan:
    vector = services.memory.embedder.question(recorded.caller.scope.tenant, question.text)
    found = await store.scan(recorded.caller.scope, question, vector.by, ScanFilter(recorded.now))
    assert found is not None, "nobody said no"
    return found


_KNOWN: dict[UUID, dict[bytes, str]] = {}


async def _turns_of(services: Services, recorded: Recorded) -> Mapping[bytes, str]:
    """Returns the last utterance of each episode."""
    scope = recorded.caller.scope
    if scope.user not in _KNOWN:
        store = PostgresRecall(
            services.db.cells, services.encryption.keyring, services.memory.recall_cache
        )
        question = question_of(recorded.asking(recorded.questions[0]))
        scan = await _scan(services, store, recorded, question)
        ids = [UUID(bytes=bytes(each)) for each in scan.episodes.ids]
        opened = await store.open(scope, [], ids)
        _KNOWN[scope.user] = {
            episode.bytes: recorded.names[turn.turn] for episode, turn in opened.turns.items()
        }
    return _KNOWN[scope.user]


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one question: of the first ten turns, and within each number of tokens."""

    kind: str
    recall: float
    ndcg: float
    within: Mapping[int, float]


async def answer(
    services: Services,
    recorded: Recorded,
    weights: EpisodeWeights,
    sizes: Sequence[int] = (),
) -> list[Answer]:
    """Recalls for every question of a conversation, also within each size of context."""
    store = PostgresRecall(
        services.db.cells, services.encryption.keyring, services.memory.recall_cache
    )

    def recalling(tokens: int, candidates: int) -> Recall:
        budget = RecallBudget(tokens, header=0, candidates=candidates, episodes_share=1.0)
        return Recall(store, services.memory.embedder, weights, budget=budget)

    best, sized = recalling(10**6, 2 * COUNT), {size: recalling(size, 2 * MANY) for size in sizes}
    found: list[Answer] = []
    for asked in recorded.questions:
        first = (await _recalled(best, recorded, asked))[:COUNT]
        within = {
            size: ranking_metrics.recall(await _recalled(recall, recorded, asked), asked.gold, MANY)
            for size, recall in sized.items()
        }
        found.append(
            Answer(
                asked.kind,
                ranking_metrics.recall(first, asked.gold, COUNT),
                ranking_metrics.ndcg(first, asked.gold, COUNT),
                within,
            )
        )
    return found


async def _recalled(recall: Recall, recorded: Recorded, asked: Asked) -> list[str]:
    recollection = await patiently(partial(recall.recall, recorded.asking(asked)))
    return [recorded.names[each.sources[0]] for each in recollection.episodes]


def figures(answers: Iterable[Answer]) -> dict[str, float]:
    """Returns the figures of each class, and their mean."""
    kinds = _by_kind(answers)
    found: dict[str, float] = {}
    for kind, those in sorted(kinds.items()):
        found[f"locomo.{kind}.r10"] = fmean(each.recall for each in those)
        found[f"locomo.{kind}.ndcg10"] = fmean(each.ndcg for each in those)
    found |= means("locomo", kinds)
    for size in kinds[next(iter(kinds))][0].within:
        found[f"locomo.recall_at_tokens.{size}"] = fmean(
            fmean(each.within[size] for each in those) for those in kinds.values()
        )
    return _rounded(found)


def means(name: str, kinds: Mapping[str, Sequence[Answer]]) -> dict[str, float]:
    """Returns recall and nDCG as the mean of the classes."""
    return {
        f"{name}.r10": fmean(fmean(each.recall for each in those) for those in kinds.values()),
        f"{name}.ndcg10": fmean(fmean(each.ndcg for each in those) for those in kinds.values()),
    }


def interval(kinds: Mapping[str, Sequence[Answer]]) -> tuple[float, float]:
    """Returns the 95 % interval of the nDCG: a bootstrap over the questions of each class."""
    random = np.random.default_rng(0)
    resampled = [
        random.choice([each.ndcg for each in those], (ranking_metrics.RESAMPLES, len(those)))
        for those in kinds.values()
    ]
    mean_of_classes = np.mean([values.mean(axis=1) for values in resampled], axis=0)
    outside = (1 - ranking_metrics.LEVEL) / 2
    low, high = np.quantile(mean_of_classes, [outside, 1 - outside])
    return float(low), float(high)


def _by_kind(answers: Iterable[Answer]) -> dict[str, list[Answer]]:
    kinds: defaultdict[str, list[Answer]] = defaultdict(list)
    for each in answers:
        kinds[each.kind].append(each)
    return kinds


def _rounded(found: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in found.items()}


async def measure(
    services: Services, clock: Hands, key: str, few: int | None = None
) -> tuple[dict[str, float], EpisodeWeights]:
    """Returns the figures, and weights fitted on the dev conversations.

    `locomo.*` and `locomo.held_out.*` use the shipped weights, `locomo.refitted.*` weights fitted
    on the other conversations.
    """
    told = conversations()[:few]
    recorded = await asyncio.gather(
        *(record(services, clock, key, conversation) for conversation in told)
    )
    taught = await asyncio.gather(*(lessons(services, each) for each in recorded))
    weights = [
        fit([each for at, those in enumerate(taught) if at != place for each in those])
        for place in range(len(taught))
    ]
    answers = await asyncio.gather(
        *(answer(services, *pair) for pair in zip(recorded, weights, strict=True))
    )
    kept = held_out()
    dev = [
        each
        for conversation, those in zip(told, taught, strict=True)
        if conversation.name not in kept
        for each in those
    ]
    by_name = {one.name: each for one, each in zip(told, recorded, strict=True)}
    refitted = means("locomo.refitted", _by_kind(chain(*answers)))
    return _rounded(refitted) | await of_shipped(services, by_name), fit(dev)


async def measure_shipped(
    services: Services, clock: Hands, key: str, few: int | None = None
) -> dict[str, float]:
    """Returns the figures of the first ten turns with the shipped weights."""
    told = conversations()[:few]
    recorded = await asyncio.gather(
        *(record(services, clock, key, conversation) for conversation in told)
    )
    by_name = {one.name: each for one, each in zip(told, recorded, strict=True)}
    return await of_shipped(services, by_name, (), alone={})


async def of_shipped(
    services: Services,
    recorded: Mapping[str, Recorded],
    sizes: Sequence[int] = TOKENS,
    alone: Mapping[str, str] = ALONE,
) -> dict[str, float]:
    """Returns the figures of the shipped weights within sizes of context, and of signals alone."""

    async def answers(
        weights: EpisodeWeights, names: Iterable[str], sizes: Sequence[int] = ()
    ) -> dict[str, list[Answer]]:
        asked = {name: answer(services, recorded[name], weights, sizes) for name in names}
        return dict(zip(asked, await asyncio.gather(*asked.values()), strict=True))

    shipped = await answers(EpisodeWeights(), recorded, sizes)
    found = figures(chain(*shipped.values()))
    kept = sorted(held_out() & recorded.keys())
    if not kept:
        return _rounded(found)
    kinds = _by_kind(chain(*(shipped[name] for name in kept)))
    found |= means("locomo.held_out", kinds)
    low, high = interval(kinds)
    found |= {"locomo.held_out.ndcg10.low": low, "locomo.held_out.ndcg10.high": high}
    for name, signal in alone.items():
        weights = EpisodeWeights(**(dict.fromkeys(SIGNALS, 0.0) | {signal: 1.0}))
        by_signal = await answers(weights, kept)
        found |= means(f"locomo.held_out.{name}", _by_kind(chain(*by_signal.values())))
    return _rounded(found)
