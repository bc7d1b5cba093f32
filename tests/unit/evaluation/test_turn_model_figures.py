"""Figures of the hand-played script: verdicts, requests and tokens."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.turn_model.figures import Verdict, by_hand, newly_failing, usage, verdicts_of
from benchmarks.turn_model.judge import SYSTEMS
from benchmarks.turn_model.recorded import Recorded
from benchmarks.turn_model.script import Shown


def request(message: str, role: str, tokens: int, repeated: int = 0) -> dict[str, Any]:
    return {
        "message": message,
        "role": role,
        "kind": "tools",
        "tokens": tokens,
        "repeated": repeated,
        "answer": {"text": "an answer"},
    }


RECORDED = Recorded(
    {"one": Shown("1"), "two": Shown("2"), "three": Shown("", state="failed")},
    {"one": (), "two": ("does not cite: rules",), "three": ()},
    [
        request("one", "lite", 2_000),
        request("one", "lite", 3_000, 2_000),
        request("one", "extractor", 500),
        request("two", "assessor", 1_000),
        request("two", "strong", 2_000, 1_200),
    ],
)


def verdict(**changed: Any) -> Verdict:
    given: dict[str, Any] = {"right": True, "harmful": False, "altered_wrongly": False}
    return Verdict(**{"digest": "d", "reason": "as expected", **given, **changed})


def test_usage_is_of_answered_messages() -> None:
    assert usage(RECORDED) == {
        "requests_per_message": 2.0,
        "background_per_message": 0.5,
        "tokens_per_turn": 4_000.0,
        "fresh_tokens_per_turn": 2_400.0,
        "background_tokens_per_turn": 250.0,
        "prefix_share": 0.4,
    }
    assert usage(RECORDED, ["two"])["tokens_per_turn"] == 3_000.0


def test_message_that_fails_in_the_replay_is_not_right() -> None:
    replay = Recorded(RECORDED.shown, {"one": ("did forgotten",), "two": (), "three": ()}, ())
    worse = newly_failing(RECORDED, replay)
    compared = {system: {"one": verdict(), "two": verdict(right=False)} for system in SYSTEMS}
    ours = {"one": verdict(), "two": verdict(harmful=True), "three": verdict(altered_wrongly=True)}

    figures = by_hand(ours, compared | {"alone": {"one": verdict()}}, worse)

    assert worse == ["one"]
    assert figures == {
        "by_hand.messages": 3,
        "by_hand.right": 0.6667,
        "by_hand.right_judged": 0.5,
        "by_hand.right_before": 0.5,
        "by_hand.model_alone": 1.0,
        "by_hand.plain_loop": 0.5,
        "by_hand.harmful": 1,
        "by_hand.altered_wrongly": 1,
    }


def test_verdicts_of_another_recording_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json"
    said = {name: verdict(digest=RECORDED.digest(name)).model_dump() for name in ("one", "two")}
    path.write_text(json.dumps({"saegim": said}))
    changed = Recorded({**RECORDED.shown, "two": Shown("3")}, {}, ())

    assert list(verdicts_of(path, {"saegim": RECORDED})["saegim"]) == ["one", "two"]
    with pytest.raises(ValueError, match="saegim: not the judged recording: two"):
        verdicts_of(path, {"saegim": changed})
