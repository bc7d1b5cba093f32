"""The small version of the processor time that adversarial messages take."""

import pytest

from benchmarks.rule_seconds import (
    ATOMS,
    MOST_TOKENS,
    Readers,
    messages,
    readers,
    readers_before_a_model,
    slowest,
)

MESSAGES, TOKENS = len(ATOMS) + 20, 400
# A twentieth of the longest message: a pattern that is quadratic in the text stands out.
SECONDS = 0.5


@pytest.mark.parametrize("read_by", [readers(), readers_before_a_model()])
def test_adversarial_messages_take_little_processor_time(read_by: Readers) -> None:
    worst = slowest(messages(MESSAGES, tokens=TOKENS, characters=5_000), read_by)
    assert worst.seconds < SECONDS, (worst.reader, worst.text[:80])


@pytest.mark.parametrize("read_by", [readers(), readers_before_a_model()])
def test_runs_of_one_character_take_little_processor_time(read_by: Readers) -> None:
    worst = slowest((atom * MOST_TOKENS for atom in ATOMS if len(atom) == 1), read_by)
    assert worst.seconds < 2 * SECONDS, (worst.reader, worst.text[:80])
