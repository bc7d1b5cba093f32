"""A recording of the product with a strong model is replayed against the present code."""

import json
from pathlib import Path

from pydantic_ai.models import override_allow_model_requests

from benchmarks.turn_model.by_hand import parsed
from benchmarks.turn_model.figures import by_hand, newly_failing, replayed, usage, verdicts_of
from benchmarks.turn_model.judge import SYSTEMS, VERDICTS, loaded
from benchmarks.turn_model.model_server import ModelRequest
from benchmarks.turn_model.recorded import Recorded
from benchmarks.turn_model.replay import QuietBackground, Replay, stable
from benchmarks.turn_model.script import RECORDINGS, Shown, failures, load
from tests.stack import Databases

PLAYED = RECORDINGS / "saegim.json"


async def test_recorded_answers_are_as_right_as_they_were(databases: Databases) -> None:
    """The first two conversations; `make bench-turn-model` plays all."""
    recorded, answers = Recorded.load(PLAYED), Replay.load(PLAYED)
    script = [each for each in load() if each.session in ("thursday", "monday")]
    played = {each.id for each in script}

    # The server is on this machine.
    with override_allow_model_requests(True):
        replay = await replayed(script, answers, databases.settings())

    assert {name: replay.failures[name] for name in newly_failing(recorded, replay)} == {}
    unused = (each for each in answers.unused if each.partition(":")[0] in played)
    assert [each for each in unused if "lite" in each] == []
    assert usage(replay)["requests_per_message"] <= 1.5


def test_every_recording_was_judged_and_ours_is_as_good_as_asked() -> None:
    recordings = loaded(RECORDINGS, SYSTEMS)
    ours = verdicts_of(VERDICTS / "saegim.json", recordings)["saegim"]
    compared = verdicts_of(VERDICTS / "compared.json", recordings)
    judged = [each.id for each in load() if each.compare == "judged"]

    assert list(ours) == [each.id for each in load()]
    assert {system: list(each) for system, each in compared.items()} == dict.fromkeys(
        sorted(SYSTEMS), judged
    )
    figures = by_hand(ours, compared, worse=())
    assert figures["by_hand.right"] >= 0.95
    assert figures["by_hand.harmful"] == figures["by_hand.altered_wrongly"] == 0


def test_script_is_as_the_issue_asks() -> None:
    messages = load()

    assert len([each for each in messages if each.user == "minji"]) >= 42
    assert len({each.session for each in messages if each.user == "minji"}) == 3
    korean = [each for each in messages if any("가" <= char <= "힣" for char in each.say)]
    assert len(korean) >= len(messages) / 2
    assert len([each for each in messages if each.compare == "judged"]) == 20
    assert len({each.id for each in messages}) == len(messages)


def test_failures_name_what_is_wrong() -> None:
    message = next(each for each in load() if each.id == "leave")
    right = Shown("연차는 **16일**입니다.", citations=({"kind": "passage", "title": "휴가 규정"},))
    wrong = Shown("15일입니다.", effects=({"kind": "forgotten"},))

    assert failures(message, right) == []
    assert failures(message, wrong) == [
        "has not: 16일", "did forgotten", "does not cite: 휴가 규정"
    ]  # fmt: skip


def test_written_answers_call_tools_in_their_last_lines() -> None:
    answer = parsed('Done.\n\nCALL forget {"refs": ["M1"]}\nCALL undo {}\n')

    assert answer.text == "Done."
    assert answer.calls == (("forget", '{"refs": ["M1"]}'), ("undo", "{}"))


def test_what_varies_is_made_stable() -> None:
    text = "<now-0a1b2c3d>\n019a3b4c-1111-7222-8333-444455556666\n</now-0a1b2c3d> 2030-03-07"

    assert stable(text) == "<now-s0>\nid0\n</now-s0> 2030-03-07"


async def test_markers_of_a_recorded_answer_become_those_of_now(tmp_path: Path) -> None:
    card = "system: <user-s0>\n[M1] Likes tea.\n[M2] Lives in Busan.\n</user-s0>"
    request = {"message": "m", "role": "lite", "kind": "text", "rounds": 0, "digest": "d"}
    calls = [
        {"name": "forget", "arguments": {"refs": ["M2"]}},
        {"name": "read", "arguments": {"ref": "1"}},
    ]
    answer = {"text": "You live in Busan [M2], says [1], in 2030.", "calls": calls}
    path = tmp_path / "recording.json"
    texts = [card, "user: <evidence-s1>\n[1] Leave\n20 days.\n</evidence-s1>"]
    path.write_text(
        json.dumps({"texts": texts, "requests": [request | {"texts": [0, 1], "answer": answer}]})
    )
    messages = [
        {"role": "system", "content": "<user-1a2b3c4d>\n[M7] Lives in Busan.\n</user-1a2b3c4d>"},
        {
            "role": "user",
            "content": "<evidence-a>\n[1] Trips\n9 days.\n\n[2] Leave\n20 days.\n</evidence-a>",
        },
    ]

    replayed = await Replay.load(path).answer(
        ModelRequest("m", "s", "lite", "text", {"messages": messages})
    )

    assert replayed.text == "You live in Busan [M7], says [2], in 2030."
    assert replayed.calls == (("forget", '{"refs": ["M7"]}'), ("read", '{"ref": "2"}'))


async def test_background_requests_get_an_empty_form() -> None:
    schema = {
        "type": "object",
        "required": ["statements", "title"],
        "properties": {"statements": {"type": "array"}, "title": {"type": "string"}},
    }
    form = {"type": "json_schema", "json_schema": {"name": "Form", "schema": schema}}
    request = ModelRequest("m", "s", "extractor", "Form", {"response_format": form})

    answer = await QuietBackground(Replay([])).answer(request)

    assert answer.text == '{"statements": [], "title": "-"}'
