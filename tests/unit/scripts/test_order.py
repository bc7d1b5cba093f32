"""Test files that `make test` names exist."""

import re
from pathlib import Path

from tests.conftest import LONGEST

TESTS = Path(__file__).parents[2]
MAKEFILE = TESTS.with_name("Makefile").read_text("utf-8")


def test_the_longest_files_are_there() -> None:
    assert [name for name in LONGEST if not (TESTS / name).is_file()] == []


def test_every_test_that_runs_alone_is_in_a_folder_that_make_runs_alone() -> None:
    [listed] = re.findall(r"^ALONE := \$\(addprefix tests/,(.*)\)$", MAKEFILE, re.MULTILINE)
    marked = re.compile(r"^(@pytest\.mark\.alone|pytestmark = pytest\.mark\.alone)$", re.MULTILINE)
    files = [path for path in TESTS.rglob("test_*.py") if marked.search(path.read_text("utf-8"))]
    folders = {path.parent.relative_to(TESTS).as_posix() for path in files}

    assert folders == set(listed.split())
