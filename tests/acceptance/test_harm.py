"""A small `make bench-harm`: messages harm no memory, facts are kept, other texts are not."""

import pytest

from benchmarks.harm import Kind, measure, sentences
from tests.sizes import sized

_KINDS: tuple[Kind, ...] = ("change_nothing", "fact", "request", "not_fact")
# Of each kind, in both languages.
_SOME = 6


@pytest.mark.sized
@pytest.mark.requirement("LM11", "LM16")
async def test_messages_harm_no_memory() -> None:
    every = sentences()
    chosen = [
        sentence
        for kind in _KINDS
        for lang in ("ko", "en")
        for sentence in [s for s in every if (s.kind, s.lang) == (kind, lang)][
            : sized(_SOME, len(every))
        ]
    ]
    found, _ = await measure(chosen, documents=False)
    assert found["sentences"] == len(chosen) >= 4 * len(_KINDS)
    assert found["wrong_deletions"] == 0
    assert found["wrong_refusals"] == 0
    assert found["with_model.changed"] == 0
    # The question quotes what would go; of 240 messages, two proposed more than was meant.
    assert found["requests_that_remove_others"] <= 1
    # A small sample: the whole set is held to .90 by the benchmark.
    assert found["facts_kept"] >= 0.75
    assert found["quiet"] >= 0.75
