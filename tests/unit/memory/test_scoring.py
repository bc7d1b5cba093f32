"""Scores of records and episodes: arithmetic that can be checked by hand."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from random import Random
from uuid import UUID

import numpy as np
import pytest

from saegim.domain.scope import Scope
from saegim.memory.recall.scoring import (
    SIGNALS,
    EpisodeWeights,
    episode_signals,
    rank_episodes,
    rank_records,
)
from saegim.memory.recall.types import (
    EpisodeScores,
    RecallQuestion,
    RecallRequest,
    RecordScores,
    question_of,
)
from saegim.memory.types import TurnFeature

NOW = datetime(2026, 6, 1, tzinfo=UTC)
NOBODY = Scope(UUID(int=1), UUID(int=2), UUID(int=3))


def _question(message: str = "무엇") -> RecallQuestion:
    return question_of(RecallRequest(NOBODY, message, NOW, "Asia/Seoul"))


def _records(lexical: list[float], days: list[float], importance: list[float]) -> RecordScores:
    count = len(lexical)
    said = np.array([(NOW - timedelta(days=day)).timestamp() for day in days])
    return RecordScores(
        ids=np.zeros(count, "V16"),
        lexical=np.array(lexical, np.float32),
        dense=np.zeros(count, np.float32),
        importance=np.array(importance, np.float32),
        said=said,
        holds=said,
        most=1.0,
    )


@pytest.mark.requirement("LM3")
def test_the_blend_is_similarity_recency_and_importance() -> None:
    ranking = rank_records(_records([1.0, 0.5], [0, 1000], [0.0, 1.0]), _question(), NOW)

    assert ranking.score[0] == pytest.approx(0.7 + 0.2)
    assert ranking.score[1] == pytest.approx(0.7 * 0.5 + 0.2 * np.exp(-2) + 0.1)


@pytest.mark.requirement("LM3")
def test_recency_never_buries_a_clearly_better_match() -> None:
    chance = Random(1)
    for _ in range(1_000):
        count = chance.randint(2, 30)
        lexical = [chance.random() for _ in range(count)]
        lexical[0] = max(0.3, lexical[0])
        days = [chance.uniform(0, 5_000) for _ in range(count)]
        ranking = rank_records(_records(lexical, days, [0.5] * count), _question(), NOW)

        assert lexical[ranking.best(1)[0]] >= 5 / 7 * max(lexical) - 1e-6


def _episodes(own: list[float], sessions: list[int], turns: list[int]) -> EpisodeScores:
    count = len(own)
    nothing = np.zeros(count, np.float32)
    return EpisodeScores(
        ids=np.zeros(count, "V16"),
        session=np.array(sessions, np.int64),
        turn=np.array(turns, np.int64),
        window=nothing,
        own=np.array(own, np.float32),
        message=nothing,
        dense=nothing,
        own_dense=nothing,
        common=nothing,
        said=np.full(count, NOW.timestamp()),
        length=np.full(count, 5),
        marks=np.array([int(TurnFeature.ASKS), 0, 0][:count], np.int64),
        speaker=np.array([7, 8, 7][:count], np.int64),
        most=1.0,
        speakers=frozenset({8}),
    )


def test_a_turn_is_seen_with_its_neighbours_of_the_same_session_alone() -> None:
    signals = episode_signals(_episodes([0.9, 0.1, 0.2], [1, 1, 2], [1, 2, 3]), _question())
    columns = {name: signals[:, at] for at, name in enumerate(SIGNALS)}

    assert columns["answers"] == pytest.approx([0.0, 0.9, 0.0])
    assert columns["before"] == pytest.approx([0.0, 0.9, 0.0])
    assert columns["after"] == pytest.approx([0.1, 0.0, 0.0])
    assert columns["speaker"].tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("place", list(permutations(range(3))))
def test_the_order_of_rows_does_not_matter(place: tuple[int, ...]) -> None:
    scores = _episodes([0.3, 0.1, 0.2], [1, 1, 2], [1, 2, 1])
    order = list(place)
    mixed = replace(
        scores,
        session=scores.session[order],
        turn=scores.turn[order],
        own=scores.own[order],
        marks=scores.marks[order],
        speaker=scores.speaker[order],
    )
    straight, turned = (
        rank_episodes(each, _question(), NOW, EpisodeWeights()).score for each in (scores, mixed)
    )

    assert turned == pytest.approx(straight[order])


def test_the_range_of_an_embedders_cosines_does_not_matter() -> None:
    scores = _episodes([0.3, 0.1, 0.2], [1, 1, 2], [1, 2, 1])
    wide = replace(scores, dense=np.array([0.1, 0.7, 0.4], np.float32))
    narrow = replace(scores, dense=0.75 + 0.2 * wide.dense)

    one, other = (
        rank_episodes(each, _question(), NOW, EpisodeWeights()).score for each in (wide, narrow)
    )

    assert other == pytest.approx(one, abs=1e-4)


def test_among_turns_with_the_same_words_the_closest_in_meaning_is_first() -> None:
    scores = _episodes([0.2, 0.2, 0.2], [1, 2, 3], [1, 1, 1])
    scores = replace(
        scores, dense=np.array([0.80, 0.90, 0.85], np.float32), speakers=frozenset[int]()
    )

    assert rank_episodes(scores, _question(), NOW, EpisodeWeights()).best(3) == [1, 2, 0]


def test_a_turn_within_the_time_of_the_question_is_above_an_equal_one() -> None:
    scores = _episodes([0.2, 0.2], [1, 2], [1, 1])
    said = np.array([(NOW - timedelta(days=day)).timestamp() for day in (10, 390)])
    scores = replace(scores, said=said, marks=np.zeros(2, np.int64), speakers=frozenset[int]())

    ranking = rank_episodes(scores, _question("작년 5월에 뭐 했지?"), NOW, EpisodeWeights())

    assert ranking.best(1) == [1]


def test_no_episodes_have_no_scores() -> None:
    ranking = rank_episodes(_episodes([], [], []), _question(), NOW, EpisodeWeights())

    assert ranking.best(5) == []


def test_the_best_are_found_in_order() -> None:
    ranking = rank_records(_records([0.1, 0.9, 0.5, 0.7], [0] * 4, [0.5] * 4), _question(), NOW)

    assert ranking.best(3) == [1, 3, 2]
