"""Log files: one with everything, one with errors only."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from saegim.telemetry import logs

SECRET = "들키면 안 되는 말"


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers[:], root.level = handlers, level


def read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.requirement("OP3")
def test_errors_have_a_file_of_their_own_and_no_line_the_text_of_an_error(tmp_path: Path) -> None:
    console, everything, errors = io.StringIO(), tmp_path / "logs/all", tmp_path / "logs/errors"
    logs.configure("INFO", console, everything, errors)
    log = logging.getLogger("saegim.test")
    log.info("turn %s began", 7)
    try:
        raise ValueError(SECRET)
    except ValueError:
        log.exception("turn %s broke", 7)

    assert [line["message"] for line in read(everything)] == ["turn 7 began", "turn 7 broke"]
    [broke] = read(errors)
    assert (broke["message"], broke["error"]) == ("turn 7 broke", "ValueError")
    assert console.getvalue() == everything.read_text("utf-8")
    assert SECRET not in console.getvalue()


def failing(depth: int) -> None:
    if depth:
        failing(depth - 1)
    try:
        raise KeyError(SECRET)
    except KeyError as error:
        raise ValueError(SECRET) from error


def test_an_error_is_logged_with_every_frame_and_cause_but_no_text() -> None:
    console = io.StringIO()
    logs.configure("INFO", console)
    try:
        failing(3)
    except ValueError:
        logging.getLogger("saegim.test").exception("it broke")

    line = json.loads(console.getvalue())
    assert len(line["stack"]) == 5
    assert all(place.startswith(f"{__file__}:") for place in line["stack"])
    assert line["where"] == line["stack"][-1]
    assert [cause.partition(" ")[0] for cause in line["causes"]] == ["KeyError"]
    assert SECRET not in console.getvalue()


def test_a_file_that_was_moved_away_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "all"
    logs.configure("INFO", io.StringIO(), path)
    logging.getLogger("saegim.test").info("before")
    path.rename(tmp_path / "all.1")
    logging.getLogger("saegim.test").info("after")
    assert [line["message"] for line in read(path)] == ["after"]


def test_a_flood_of_the_same_error_is_cut_off_and_other_lines_are_not() -> None:
    repeated = logs.RepeatedLines()

    def passes(message: str, level: int) -> bool:
        record = logging.LogRecord("asyncio", level, "", 0, message, None, None)
        record.created = 1_000.0
        return repeated.filter(record)

    flood = [passes("out of system resource", logging.ERROR) for _ in range(14_000)]
    assert sum(flood) == logs.MOST_REPEATED
    assert passes("something else", logging.ERROR)
    assert all(passes("a request", logging.INFO) for _ in range(1_000))
