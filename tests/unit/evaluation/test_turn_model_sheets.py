"""The sheets on which the systems of the hand-played script are judged."""

import json
import tomllib
from pathlib import Path

import pytest

from benchmarks.turn_model.judge import ABOUT, OF_ONE, SYSTEMS, Sheet, opened, save, write
from benchmarks.turn_model.recorded import Recorded
from benchmarks.turn_model.script import Shown, load

SCRIPT = load()
JUDGED = [each.id for each in SCRIPT if each.compare == "judged"]
YES = {"score": "3", "reason": '"fine"'}


def recorded(answer: str) -> Recorded:
    """Return a recording in which every message got the same answer."""
    request = {"role": "lite", "kind": "tools", "answer": {"text": "as the model wrote it"}}
    return Recorded(
        {each.id: Shown(f"{answer} {each.id}", memories=("새우 알레르기",)) for each in SCRIPT},
        {each.id: ["has not: 16"] for each in SCRIPT},
        [request | {"message": each.id} for each in SCRIPT],
    )


@pytest.fixture
def sheet() -> Sheet:
    answers = ("one", "two", "three", "four")
    recordings = {s: recorded(a) for s, a in zip(SYSTEMS, answers, strict=True)}
    return Sheet.compared(SCRIPT, recordings, seed=1)


def filled(sheet: Sheet) -> str:
    """Return the form with a verdict everywhere; right is what the first system said."""
    lines, right = list[str](), "false"
    for line in sheet.form().split("\n"):
        if line.startswith("["):
            message, letter = line.strip("[]").split(".")
            right = str(sheet.letters[message][letter] == SYSTEMS[0]).lower()
        name = line.split(" = ")[0]
        lines.append(f"{name} = {YES.get(name, right)}" if " = " in line else line)
    return "\n".join(lines)


def test_every_judged_message_has_all_systems_in_an_order_of_its_own(sheet: Sheet) -> None:
    orders = {tuple(each.values()) for each in sheet.letters.values()}

    assert list(sheet.letters) == JUDGED
    assert all(sorted(order) == sorted(SYSTEMS) for order in orders)
    assert len(orders) > 5


def test_sheet_shows_what_each_got_and_names_no_system(sheet: Sheet) -> None:
    text = sheet.text()

    assert "### leave.A" in text
    assert all(text.count(f"> {each} leave\n") == 1 for each in ("one", "two", "three", "four"))
    assert text.count("has no memory") == len(JUDGED)
    assert "as the model wrote it" in text
    assert "that say “새우” (they should say it): “새우 알레르기”" in text
    assert not [name for name in ("saegim", "0.15", "before", "plain_loop") if f" {name} " in text]
    assert "found by machine" not in text


def test_verdicts_are_opened_by_system(sheet: Sheet, tmp_path: Path) -> None:
    key = write(sheet, tmp_path / "sheet")
    (tmp_path / "sheet" / "verdicts.toml").write_text(filled(sheet))

    path = save(key, tmp_path / "sheet" / "verdicts.toml", tmp_path / "verdicts")

    verdicts = json.loads(path.read_text())
    assert path.name == "compared.json"
    assert sorted(verdicts) == sorted(SYSTEMS)
    right = {(s, m) for s, each in verdicts.items() for m in each if each[m]["right"]}
    assert right == {(SYSTEMS[0], message) for message in JUDGED}
    assert verdicts["loop"]["leave"]["digest"] == sheet.recordings["loop"].digest("leave")


@pytest.mark.parametrize(
    "wrong", ['right = "?"', 'right = "yes"', "score = 5", "score = true", 'reason = "?"']
)
def test_verdicts_that_are_not_filled_in_are_refused(sheet: Sheet, wrong: str) -> None:
    name = wrong.split(" = ", maxsplit=1)[0]
    lines = filled(sheet).split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith(name))
    lines[at] = wrong

    with pytest.raises(ValueError, match=rf"leave\.A: {name}"):
        opened(sheet.key(), tomllib.loads("\n".join(lines)))


def test_sheet_of_one_system_has_every_message_and_what_the_machine_found() -> None:
    sheet = Sheet.of_one(SCRIPT, "saegim", recorded("one"))

    assert list(sheet.letters) == [each.id for each in SCRIPT]
    assert sheet.text().count("found by machine: has not: 16") == len(SCRIPT)
    assert list(tomllib.loads(sheet.form())["hello"]["A"]) == list(OF_ONE)
    assert set(OF_ONE) < set(ABOUT)


def test_recording_without_a_message_is_refused() -> None:
    with pytest.raises(ValueError, match="saegim has no hello"):
        Sheet.of_one(SCRIPT, "saegim", Recorded({}, {}, []))
