"""The small version of the processor time that rules take for adversarial messages."""

from benchmarks.rule_seconds import ATOMS, MOST_TOKENS, messages, slowest

MESSAGES, TOKENS = len(ATOMS) + 20, 400
# A twentieth of the longest message: a pattern that is quadratic in the text stands out.
SECONDS = 0.5


def test_rules_read_adversarial_messages_in_little_processor_time() -> None:
    worst = slowest(messages(MESSAGES, tokens=TOKENS, characters=5_000))
    assert worst.seconds < SECONDS, (worst.reader, worst.text[:80])


def test_runs_of_one_character_take_little_processor_time() -> None:
    worst = slowest(atom * MOST_TOKENS for atom in ATOMS if len(atom) == 1)
    assert worst.seconds < 2 * SECONDS, (worst.reader, worst.text[:80])
