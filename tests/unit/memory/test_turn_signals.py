"""Signals of turns with long replies, and the chance that the answer was told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import numpy as np
import pytest

from saegim.conversations.types import Exchange
from saegim.domain.scope import Scope
from saegim.memory.embedding import leave_out
from saegim.memory.recall.scoring import (
    SIGNALS,
    EpisodeWeights,
    RankingContext,
    episode_signals,
    rank_episodes,
)
from saegim.memory.recall.service import fit
from saegim.memory.recall.types import (
    CandidateKind,
    EpisodeScores,
    RecallBudget,
    RecallCandidate,
    RecallRequest,
    RecallSignals,
    question_of,
)
from saegim.memory.turn_features import turn_features, turn_text
from saegim.memory.types import TurnFeature
from saegim.text.names import given_name

NOW = datetime(2026, 3, 1, tzinfo=UTC)
NOBODY = Scope(UUID(int=0), UUID(int=0), UUID(int=0))


def scores(own_dense: list[float], **columns: list[float]) -> EpisodeScores:
    count = len(own_dense)
    nothing = np.zeros(count, np.float32)
    given = {name: np.array(values, np.float32) for name, values in columns.items()}
    return EpisodeScores(
        ids=np.zeros(count, "V16"),
        session=np.arange(count),
        turn=np.ones(count, np.int64),
        window=given.get("window", nothing),
        own=given.get("own", nothing),
        message=given.get("message", nothing),
        dense=nothing,
        own_dense=np.array(own_dense, np.float32),
        common=given.get("common", nothing),
        said=np.array(columns.get("said", [0.0] * count), np.float64),
        length=np.array(columns.get("length", [5] * count), np.int64),
        marks=np.zeros(count, np.int64),
        speaker=np.zeros(count, np.int64),
        most=10.0,
        speakers=frozenset(),
    )


def signal(name: str, of: EpisodeScores) -> list[float]:
    question = question_of(RecallRequest(NOBODY, "q", NOW, "UTC"))
    return episode_signals(of, question)[:, SIGNALS.index(name)].tolist()


def test_words_are_scaled_by_the_best_turn() -> None:
    of = scores([0.0, 0.0], own=[1.0, 2.0], message=[0.5, 0.25])
    assert signal("own", of) == [0.5, 1.0]
    assert signal("message", of) == [1.0, 0.5]


def test_messages_past_a_hundred_terms_have_no_advantage() -> None:
    length = signal("length", scores([0.0] * 3, length=[10, 100, 5_000]))
    assert length[0] < length[1] == length[2]


def test_the_newest_turn_has_the_most_recency() -> None:
    assert signal("recency", scores([0.0] * 3, said=[30.0, 10.0, 20.0])) == [1.0, 0.0, 0.5]


def test_the_turn_itself_counts_more_than_its_neighbours() -> None:
    words = [0.0, 5.0, 0.0]
    alone = scores([0.2] * 3, own=words, message=words, window=[0.0, 5.0, 5.0])
    of = replace(alone, session=np.zeros(3, np.int64), turn=np.arange(3))
    question = question_of(RecallRequest(NOBODY, "q", NOW, "UTC"))

    assert rank_episodes(of, question, NOW, EpisodeWeights()).best(1) == [1]


def test_ranks_fall_with_the_words_and_then_with_the_similarity() -> None:
    of = scores([0.1, 0.3, 0.2, 0.3, 0.9], message=[2.0, 1.0, 1.0, 1.0, 0.0])
    assert signal("message_rank", of) == pytest.approx([1 / 3, 1 / 4, 1 / 6, 1 / 4, 0.0])


def test_only_the_first_hundred_turns_have_a_rank() -> None:
    ranks = signal("message_rank", scores([0.0] * 300, message=[float(row) for row in range(300)]))
    assert ranks[-1] == pytest.approx(1 / 3)
    assert sum(rank > 0 for rank in ranks) == 100


def test_a_turn_like_all_others_is_worth_less() -> None:
    of = scores([0.5, 0.5, 0.1], common=[0.2, 0.6, 0.4])
    question = question_of(RecallRequest(NOBODY, "q", NOW, "UTC"))

    assert signal("common", of) == pytest.approx([-1.2247449, 1.2247449, 0.0], abs=1e-6)
    assert rank_episodes(of, question, NOW, EpisodeWeights()).best(3)[0] == 0


def test_a_turn_within_three_days_after_the_time_asked_for_counts() -> None:
    days = [datetime(2026, 2, day, 12, tzinfo=UTC).timestamp() for day in (10, 11, 13, 14)]
    of = scores([0.0] * 4, said=days)
    question = question_of(RecallRequest(NOBODY, "what did I do on 10 February?", NOW, "UTC"))
    columns = episode_signals(of, question)

    assert columns[:, SIGNALS.index("time")].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert columns[:, SIGNALS.index("soon_after")].tolist() == [0.0, 1.0, 1.0, 0.0]


def test_what_people_say_of_themselves_counts_more_if_the_question_names_someone() -> None:
    marks = np.array([int(TurnFeature.OF_ONESELF), 0], np.int64)
    of = replace(scores([0.0] * 2), marks=marks)

    assert signal("of_named", of) == [0.0, 0.0]
    assert signal("of_named", replace(of, speakers=frozenset({7}))) == [1.0, 0.0]


def known(question: str, *texts: str, similarity: float = 0.6) -> float:
    """Returns the chance that turns with these texts answer a question."""
    turns = [
        RecallCandidate(
            CandidateKind.EPISODE, UUID(int=at), text, NOW, RecallSignals(1.0), 5, sources=()
        )
        for at, text in enumerate(texts)
    ]
    context = RankingContext(question=question, similarity=similarity)
    return fit((), (), (), turns, RecallBudget(), context).known


def test_nothing_similar_and_words_never_said_lower_the_chance() -> None:
    told = "Biscuit sees the vet Dr. Ortiz in May"
    near = known("Which vet does Biscuit see in May?", told, "I moved")
    assert near > 0.5
    assert known("Which vet does Biscuit see in May?", told, "I moved", similarity=0.2) < near
    assert known("Which bank does Biscuit own in Rome?", told, "I moved") < near
    assert known("Which vet?") == 0.0, "nothing was said"


@pytest.mark.parametrize(
    ("question", "plan", "outcome"),
    [
        ("How did the talk in Bergen go?", "My talk in Bergen is on Friday", "The talk went well"),
        ("치과 진료 결과가 어땠지?", "금요일에 치과 진료가 있어", "치과 진료 잘 끝났어"),
    ],
)
def test_outcome_that_nobody_told_is_unlikely(question: str, plan: str, outcome: str) -> None:
    untold = known(question, plan, "I moved")
    assert untold < 0.5
    assert known(question, f"{plan}. {outcome} in Bergen", "I moved") > untold + 0.2


def test_form_and_message_terms_are_of_the_message_alone() -> None:
    turn = Exchange(1, "Ana: which plan?", "Start yesterday with 3 steps and my list.", NOW)
    features = turn_features(turn)
    assert features.marks == TurnFeature.ASKS
    assert set(features.message_terms) < set(features.terms)
    assert turn_text(turn) == "which plan?\nStart yesterday with 3 steps and my list."


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("What is Ana's dog called?", {"ana"}, "What is dog called?"),
        ("나영은 어디 살아?", {"나영"}, "어디 살아?"),
        ("Ana?", {"ana"}, "Ana?"),
        ("Where is Anatolia?", {"ana"}, "Where is Anatolia?"),
    ],
)
def test_names_are_left_out_of_the_question(text: str, words: set[str], left: str) -> None:
    assert leave_out(text, words) == left


def candidate(text: str, day: int, score: float) -> RecallCandidate:
    return RecallCandidate(
        kind=CandidateKind.EPISODE,
        id=uuid4(),
        text=text,
        said_at=NOW + timedelta(days=day),
        signals=RecallSignals(score=score),
        tokens=10,
    )


def test_a_change_comes_before_the_value_it_changed() -> None:
    old = candidate("the audit meeting with Ravi is on Monday", 0, 2.0)
    other = candidate("bought green paint for the fence", 5, 1.9)
    new = candidate("the audit meeting with Ravi moved to Friday", 3, 1.5)
    far = candidate("the audit meeting with Ravi needs slides", 9, 0.1)
    given = fit([], [], [], [old, other, new, far], RecallBudget(), RankingContext(spread=2 / 3))
    assert given.episodes == (new, old, other, far)

    without = fit([], [], [], [old, other, new, far], RecallBudget())
    assert without.episodes == (old, other, new, far)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ana", "ana"),
        ("ana reyes", "ana"),
        ("dr. reyes", "reyes"),
        ("김나영", "나영"),
        ("나영", "나영"),
    ],
)
def test_a_speaker_is_known_by_the_given_name(label: str, name: str) -> None:
    assert given_name(label) == name


@pytest.mark.parametrize("asked", ["나영이는 어디 살아?", "김나영은 어디 살아?", "나영 집 어디야?"])
def test_a_question_names_a_korean_speaker_by_the_given_name(asked: str) -> None:
    assert "@나영" in question_of(RecallRequest(NOBODY, asked, NOW, "UTC")).names


def test_a_label_of_two_words_is_a_speaker_by_its_first() -> None:
    turn = Exchange(1, "Ana Reyes: hello there", "", NOW)
    assert turn_features(turn).speaker == "@ana"
    assert "@ana" in question_of(RecallRequest(NOBODY, "Where does Ana live?", NOW, "UTC")).names


def test_dates_and_names_far_into_a_long_message_are_not_looked_for() -> None:
    """A message of 32,000 characters would hold up the server for a tenth of a second."""
    asked = "word " * 399 + "Ana "
    beyond = asked + "on 10 February with Bea"
    question = question_of(RecallRequest(NOBODY, beyond, NOW, "UTC"))
    assert "@ana" in question.names
    assert "@bea" not in question.names
    assert not question.spans
