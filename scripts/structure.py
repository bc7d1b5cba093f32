"""Measure the structure of `src` and write `benchmarks/results/structure.json`.

`python scripts/structure.py [--reply] [--list] [--check] [--ci-seconds N]`. Figures that are not
measured keep their values. `--reply` starts Postgres and Valkey and counts the files of `src` that
one grounded reply executes; `--list` prints them in order. `--check` writes nothing, and fails if a
figure is above its ceiling in `scripts/ceilings.toml`.
"""

import argparse
import ast
import asyncio
import contextlib
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from rule_size import rule_size  # noqa: E402

SOURCE = ROOT / "src" / "saegim"
CEILINGS = ROOT / "scripts" / "ceilings.toml"
QUESTION = "EC2 비용 줄이는 방법?"
ANSWER = "예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다 [1]."
TOOL = sys.monitoring.PROFILER_ID


def classes_of(root: Path) -> Iterator[tuple[Path, ast.ClassDef]]:
    """Yields every class with the path of its module, relative to the root."""
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield path.relative_to(root), node


def is_protocol(node: ast.ClassDef) -> bool:
    """Whether a class is a Protocol, generic or not."""
    bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    names = [getattr(base, "id", getattr(base, "attr", "")) for base in bases]
    return "Protocol" in names


def duplicates(root: Path) -> list[str]:
    """Returns class names that more than one module defines, except in the client, which mirrors
    the server."""
    found = Counter(
        node.name
        for module, node in classes_of(root)
        if module.parts[0] != "client" and not node.name.startswith("_")
    )
    return sorted(name for name, count in found.items() if count > 1)


def largest_folder(root: Path) -> tuple[str, int]:
    """Returns the folder with the most modules, and their number."""
    count = Counter(
        path.parent
        for path in root.rglob("*.py")
        if path.name not in ("__init__.py", "__main__.py")
    )
    folder, modules = max(count.items(), key=lambda item: item[1])
    return str(folder.relative_to(root)), modules


def figures(root: Path) -> dict[str, float]:
    """Returns the figures that need only the source."""
    modules = list(root.rglob("*.py"))
    return {
        "protocols": sum(is_protocol(node) for _, node in classes_of(root)),
        "duplicate_class_names": len(duplicates(root)),
        "src.lines": sum(len(path.read_text("utf-8").splitlines()) for path in modules),
        "src.modules": len(modules),
        "largest_folder.modules": largest_folder(root)[1],
        **rule_size(root),
    }


Part = tuple[str, str, int]
"""A figure, the name of something that counts in it, and by how much."""


def parts() -> Iterator[Part]:
    """Yields all that has a ceiling and needs no server to be counted."""
    # ruff: noqa: PLC0415 - the program itself, which only these figures need
    import typer
    from fastapi import FastAPI
    from pydantic import BaseModel

    from saegim.api.app import add_routes
    from saegim.api.openapi import document
    from saegim.app.settings import Settings
    from saegim.cli.main import app as cli

    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        yield "modules", name, 1
        yield "lines", name, len(path.read_text("utf-8").splitlines())
    for name in _commands(typer.main.get_command(cli)):
        yield "commands", name, 1
    api = FastAPI(title="Saegim")
    add_routes(api)
    for path, operations in document(api)["paths"].items():
        yield "routes", path, len(operations)
    for name, setting in Settings.model_fields.items():
        group = setting.annotation
        within = isinstance(group, type) and issubclass(group, BaseModel) and group.model_fields
        yield "settings", name, 1 + len(within or ())


def _commands(group: Any, before: str = "") -> Iterator[str]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield before + name


def exceeded(ceilings: Mapping[str, Any], counted: Iterable[Part]) -> tuple[list[str], list[str]]:
    """Compares with the ceilings; returns what is too high, and which ceilings can be lowered."""
    added: dict[str, dict[str, Any]] = ceilings.get("added", {})
    found: Counter[tuple[str, str]] = Counter()
    figures_of: set[str] = set()
    for figure, name, amount in counted:
        owners = (key for key, own in added.items() if name.startswith(tuple(own["begins"])))
        found[next(owners, "all"), figure] += amount
        figures_of.add(figure)
    too_high: list[str] = []
    too_loose: list[str] = []
    for owner, own in {"all": ceilings["all"], **added}.items():
        for figure in sorted(figures_of):
            number, ceiling = found[owner, figure], own.get(figure, 0)
            line = f"{figure} ({owner}): {number}, ceiling {ceiling}"
            if number != ceiling:
                (too_high if number > ceiling else too_loose).append(line)
    return too_high, too_loose


def check(counted: Iterable[Part]) -> int:
    """Prints what differs from its ceiling; returns the exit status."""
    too_high, too_loose = exceeded(tomllib.loads(CEILINGS.read_text("utf-8")), counted)
    name = CEILINGS.relative_to(ROOT)
    for line in too_loose:
        print(f"{line}: please lower it in {name}")
    for line in too_high:
        print(f"{line}: take out as much as you put in ({name})", file=sys.stderr)
    return 1 if too_high else 0


@contextlib.contextmanager
def executed(root: Path) -> Iterator[dict[str, None]]:
    """Records the files below the root whose functions run, in the order of their first call.

    Test doubles and code that runs on import do not count.
    """
    found: dict[str, None] = {}
    doubles = root / "testing"

    def started(code: CodeType, _offset: int) -> object:
        path = Path(code.co_filename)
        ours = path.is_relative_to(root) and not path.is_relative_to(doubles)
        # Neither modules nor bodies of classes: they run on import.
        if ours and code.co_flags & CO_OPTIMIZED and not code.co_name.startswith("<generic"):
            found.setdefault(str(path.relative_to(root)))
        return sys.monitoring.DISABLE

    monitoring = sys.monitoring
    monitoring.use_tool_id(TOOL, "structure")
    monitoring.register_callback(TOOL, monitoring.events.PY_START, started)
    monitoring.restart_events()
    monitoring.set_events(TOOL, monitoring.events.PY_START)
    try:
        yield found
    finally:
        monitoring.set_events(TOOL, monitoring.events.NO_EVENTS)
        monitoring.free_tool_id(TOOL)


async def reply_files() -> list[str]:
    """Returns the files that one grounded reply executes, over the API with scripted models."""
    # ruff: noqa: PLC0415 - the tests' own stack, which only this figure needs
    from benchmarks.prepared_cluster import start_servers
    from tests.conftest import copied
    from tests.integration.chat.library_stack import assessor, library_stack, reviewed, scripted

    def ranked(shown: Any) -> Any:
        blocks = shown.blocks("passage")
        number = next(n for n, block in enumerate(blocks) if "72%" in block)
        return reviewed(number, confidence=0.95)

    models = scripted(assessor=assessor(ranked), lite=lambda _: ANSWER)
    with (
        tempfile.TemporaryDirectory(prefix="saegim-structure-") as folder,
        start_servers(Path(folder) / "servers", durable=False) as servers,
        copied(servers, "structure", Path(folder) / "index") as databases,
    ):
        async with library_stack(databases, models) as stack:
            with executed(SOURCE) as found:
                reply = await stack.say(QUESTION)
    if not reply["citations"]:
        raise SystemExit(f"the reply is not grounded: {reply}")
    return list(found)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reply", action="store_true", help="count the files of one reply")
    parser.add_argument("--list", action="store_true", help="print those files in order")
    parser.add_argument("--check", action="store_true", help="fail above a ceiling")
    parser.add_argument("--ci-seconds", type=float, help="how long `.ci/run` took")
    given = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    from benchmarks import results

    files = asyncio.run(reply_files()) if given.reply or given.list else None
    if files is not None and given.list:
        print("\n".join(files))
    if given.check:
        return check(parts() if files is None else [("reply_files", name, 1) for name in files])
    measured = figures(SOURCE)
    if files is not None:
        measured["reply.files"] = len(files)
    if given.ci_seconds is not None:
        measured["ci.seconds"] = given.ci_seconds
    configuration = {
        "largest_folder": largest_folder(SOURCE)[0],
        "duplicate_class_names": duplicates(SOURCE),
    }
    print(results.merge("structure", measured, configuration).read_text("utf-8"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
