"""The messages of the conversation benchmark: whole, ordered, and answerable."""

import re
from collections import Counter
from itertools import combinations, pairwise
from typing import get_args

import pytest

from benchmarks.conversation.judge import VisibleAnswer, failures, fold, named, repeated
from benchmarks.conversation.messages import (
    FOLDERS,
    KINDS,
    Documents,
    Half,
    Kind,
    Message,
    SummaryHalf,
    files,
    read,
)

HALVES: tuple[Half, ...] = ("dev", "dev_two", "held_out")
# Their values stand in the documents as expected of the answer; counts and sums do not.
QUOTED: frozenset[Kind] = frozenset({"paraphrase", "cell", "list", "two_part", "cross_language"})


@pytest.mark.parametrize("half", [*get_args(Half), *get_args(SummaryHalf)])
def test_times_rise_and_ids_are_unique(half: Half | SummaryHalf) -> None:
    messages = read(half)
    assert all(one.at < next_.at for one, next_ in pairwise(messages))
    assert max(Counter(each.id for each in messages).values()) == 1


@pytest.mark.parametrize("half", HALVES)
def test_a_half_has_every_kind_and_both_languages(half: Half) -> None:
    messages = read(half)
    assert len(messages) >= 110
    assert {each.kind for each in messages} == set(KINDS) - {"self_summary"}
    korean = sum(each.language == "ko" for each in messages) / len(messages)
    assert 0.5 <= korean <= 0.67


def test_the_halves_have_no_user_and_hardly_a_message_in_common() -> None:
    for one, other in combinations([read(half) for half in HALVES], 2):
        assert not {each.user for each in one} & {each.user for each in other}
        assert not {fold(each.message) for each in one} & {fold(each.message) for each in other}


def test_the_review_has_its_37_messages() -> None:
    assert len(read("review")) == 37


def test_documents_have_no_word_for_word_question() -> None:
    """A question that a heading repeats would measure nothing but matching words."""
    headings = {
        fold(line.lstrip("# "))
        for name in get_args(Documents)
        if name != "cost-analysis"
        for text in files(name).values()
        for line in text.splitlines()
        if line.startswith("#")
    }
    assert not {fold(each.message) for half in HALVES for each in read(half)} & headings


@pytest.mark.parametrize("message", [each for half in HALVES for each in read(half)],
                         ids=lambda message: message.id)  # fmt: skip
def test_cited_documents_exist_and_hold_the_expected_values(message: Message) -> None:
    for name in message.cites or ():
        assert (FOLDERS[message.documents] / name).is_file()
    if message.kind not in QUOTED:
        return
    texts = [files(message.documents)[name] for name in message.cites or ()]
    whole = message.model_copy(
        update={"must": (*message.must, *message.first), "first": (), "rivals": ()}
    )
    answer = VisibleAnswer("\n".join(texts), frozenset(message.cites or ()))
    assert failures(whole, answer) == []


@pytest.mark.parametrize("half", get_args(Half))
def test_expressions_compile_and_a_question_does_not_answer_itself(half: Half) -> None:
    for message in read(half):
        for expression in (*message.rivals, *message.must_not, *message.forgets):
            re.compile(expression)
        if message.kind in ("cell", "count", "self_now", "self_later") and message.first:
            echo = failures(message, VisibleAnswer(message.message))
            assert echo, f"{message.id}: an echo of the question passes"


@pytest.mark.parametrize("half", HALVES)
def test_forgotten_words_are_in_no_document(half: Half) -> None:
    """Otherwise an answer about the documents would count as a repetition."""
    for message in read(half):
        texts = "\n".join(files(message.documents).values())
        assert not repeated(VisibleAnswer(texts), message.forgets), message.id


@pytest.mark.parametrize("half", get_args(SummaryHalf))
def test_questions_in_sum_expect_facts_that_were_told(half: SummaryHalf) -> None:
    messages = read(half)
    asked = [each for each in messages if each.kind in ("self_summary", "know_about_me")]
    assert len(asked) >= 25
    for question in asked:
        told = "\n".join(
            each.message
            for each in messages
            if each.user == question.user and each.kind == "statement"
        )
        assert named(question.must, told) == len(question.must), question.id
        assert named(question.must, question.message) < len(question.must), question.id


def test_the_halves_of_questions_in_sum_have_no_user_in_common() -> None:
    dev, held_out = (read(half) for half in get_args(SummaryHalf))
    assert not {each.user for each in dev} & {each.user for each in held_out}
