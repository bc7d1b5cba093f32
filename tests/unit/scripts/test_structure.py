"""Counts of `scripts/structure.py`."""

import sys
import tomllib
from importlib import import_module
from pathlib import Path

from scripts.structure import (
    CEILINGS,
    duplicates,
    exceeded,
    executed,
    figures,
    largest_folder,
    parts,
)

SAME = "class Same: ...\n"
RUNS = "def run(): ...\n"
IMPORTED = """
class Body:
    limit = 1

def generic[T](value: T) -> T: ...
"""
PROTOCOLS = """
import typing
from typing import Protocol

class Plain(Protocol): ...
class Generic[T](typing.Protocol): ...
class Subscripted(Protocol[int]): ...
class Concrete: ...
"""


def source(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def test_protocols_lines_and_modules_are_counted(tmp_path: Path) -> None:
    root = source(tmp_path, {"a/ports.py": PROTOCOLS, "a/__init__.py": "", "b.py": SAME})
    found = figures(root)
    assert found["protocols"] == 3
    assert found["src.lines"] == len(PROTOCOLS.splitlines()) + 1
    assert found["src.modules"] == 3
    assert found["duplicate_class_names"] == 0


def test_the_client_may_repeat_class_names(tmp_path: Path) -> None:
    root = source(tmp_path, {"a.py": SAME, "client/a.py": SAME})
    assert duplicates(root) == []
    assert duplicates(source(root, {"b.py": SAME})) == ["Same"]


def test_the_largest_folder_is_named(tmp_path: Path) -> None:
    root = source(tmp_path, {"a/b.py": "", "a/c.py": "", "a/__init__.py": "", "d/e.py": ""})
    assert largest_folder(root) == ("a", 2)


def test_files_are_listed_in_the_order_they_run(tmp_path: Path) -> None:
    root = source(tmp_path, {"ran_first.py": RUNS, "ran_second.py": RUNS})
    sys.path.insert(0, str(root))
    try:
        first, second = (import_module(name) for name in ("ran_first", "ran_second"))
    finally:
        sys.path.remove(str(root))
    with executed(root) as found:
        first.run()
        second.run()
        first.run()
    assert list(found) == ["ran_first.py", "ran_second.py"]


def test_code_that_runs_on_import_does_not_count(tmp_path: Path) -> None:
    root = source(tmp_path, {"imported_late.py": IMPORTED})
    sys.path.insert(0, str(root))
    try:
        with executed(root) as found:
            import_module("imported_late")
    finally:
        sys.path.remove(str(root))
    assert not found


PARTS = [
    ("modules", "chat/turn.py", 1),
    ("lines", "chat/turn.py", 50),
    ("modules", "channels/slack/bot.py", 1),
    ("lines", "channels/slack/bot.py", 90),
    ("routes", "/v1/chat", 2),
    ("routes", "/v1/slack", 1),
]


def test_a_figure_above_its_ceiling_is_named_and_one_below_may_be_lowered() -> None:
    ceilings = {"all": {"modules": 2, "lines": 139, "routes": 4}}
    assert exceeded(ceilings, PARTS) == (
        ["lines (all): 140, ceiling 139"],
        ["routes (all): 3, ceiling 4"],
    )


def test_an_added_interface_has_ceilings_of_its_own() -> None:
    every = {"modules": 1, "lines": 50, "routes": 2}
    slack = {"begins": ["channels/slack/", "/v1/slack"], "modules": 1, "lines": 90}
    assert exceeded({"all": every, "added": {"slack": slack}}, PARTS) == (
        ["routes (slack): 1, ceiling 0"],
        [],
    )


def test_all_that_has_a_ceiling_is_counted() -> None:
    ceilings = tomllib.loads(CEILINGS.read_text("utf-8"))["all"]
    assert {figure for figure, _, _ in parts()} | {"reply_files"} == set(ceilings)
