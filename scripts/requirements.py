"""Write docs/reference/requirements.md, or check that it is current.

The page combines docs/reference/requirements.toml with the markers of the tests
(`@pytest.mark.requirement("WM1", ...)`), which are parsed, not imported. `--check` fails if the
page is stale, if a test names an unknown id, or if a test does not use the folder that the
requirement names.
"""

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SOURCE = PurePosixPath("docs/reference/requirements.toml")
PAGE = PurePosixPath("docs/reference/requirements.md")
PACKAGE = PurePosixPath("src/saegim")
MARKERS = ("pytest.mark.requirement", "mark.requirement")
NOT_RUN = ("pytest.mark.skip", "mark.skip", "pytest.mark.xfail", "mark.xfail")
# Tests that `make test` excludes, by folder and by marker, and the command that runs them.
COMMANDS = {"web": "make test-web", "model": "make test-model"}
LONG = "pytest.mark.long"
LONG_COMMAND = "make test-long"


@dataclass(frozen=True, slots=True)
class Requirement:
    id: str
    folders: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Area:
    prefix: str
    title: str


@dataclass(frozen=True, slots=True)
class Register:
    """The content of docs/reference/requirements.toml."""

    areas: tuple[Area, ...]
    requirements: tuple[Requirement, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """A test, test class or test module with the marker of a requirement."""

    requirement: str
    path: PurePosixPath
    name: str
    imports: frozenset[str]
    command: str = ""
    """The command that runs it if `make test` does not."""

    def __str__(self) -> str:
        return f"{self.path}::{self.name}" if self.name else str(self.path)


@dataclass(frozen=True, slots=True)
class Marker:
    """One `pytest.mark.requirement(...)` in the source of a test."""

    call: ast.Call
    name: str
    runs: bool
    is_long: bool = False


def load(text: str) -> Register:
    data = tomllib.loads(text)
    areas = (Area(key, area["title"]) for key, area in data["areas"].items())
    requirements = (
        Requirement(line["id"], tuple(line["folders"]), " ".join(line["text"].split()))
        for line in data["requirements"]
    )
    return Register(tuple(areas), tuple(requirements), tuple(data["left_out"]))


def area_of(identifier: str) -> str:
    return identifier.rstrip("0123456789")


# --- reading tests


def marker_calls(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in MARKERS:
                yield node


def runs(decorators: Iterable[ast.expr]) -> bool:
    """Whether the test is neither skipped nor expected to fail."""
    bare = (d.func if isinstance(d, ast.Call) else d for d in decorators)
    return not any(ast.unparse(decorator) in NOT_RUN for decorator in bare)


def is_long(*nodes: ast.AST) -> bool:
    """Whether one of the decorators, or a module's `pytestmark`, is the marker `long`."""
    return any(
        isinstance(part, ast.Attribute) and ast.unparse(part) == LONG
        for node in nodes
        for part in ast.walk(node)
    )


def markers_in(body: Iterable[ast.stmt], owner: str = "") -> Iterator[Marker]:
    """Yields the markers that pytest would apply, with the names of their tests."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name.startswith("test"):
                name = f"{owner}::{node.name}" if owner else node.name
                for call in marker_calls(node.decorator_list):
                    yield Marker(call, name, runs(node.decorator_list), is_long(node))
            case ast.ClassDef() if node.name.startswith("Test"):
                name = f"{owner}::{node.name}" if owner else node.name
                for call in marker_calls(node.decorator_list):
                    yield Marker(call, name, runs(node.decorator_list), is_long(node))
                yield from markers_in(node.body, name)
            case ast.Assign(targets=[ast.Name(id="pytestmark")]):
                for call in marker_calls([node.value]):
                    yield Marker(call, owner, runs=True)
            case _:
                continue


def imported(tree: ast.AST) -> frozenset[str]:
    """Modules and names of saegim that the file imports."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(name for name in names if name.split(".")[0] == PACKAGE.name)


def read_test(path: PurePosixPath, source: str) -> tuple[list[Proof], list[str]]:
    """Returns the proofs in one test file, and the problems of its markers."""
    tree = ast.parse(source)
    imports = imported(tree)
    marks = [node for node in tree.body if isinstance(node, ast.Assign)]
    whole_file_is_long = is_long(*marks)
    proofs: list[Proof] = []
    problems: list[str] = []
    taken: set[ast.Call] = set()
    for marker in markers_in(tree.body):
        taken.add(marker.call)
        here = f"{path}:{marker.call.lineno}"
        ids = [arg.value for arg in marker.call.args if isinstance(arg, ast.Constant)]
        if not ids or len(ids) < len(marker.call.args):
            problems.append(f"{here}: a requirement marker takes ids as plain strings")
        if not marker.runs:
            problems.append(f"{here}: a skipped or xfailing test proves nothing")
        command = COMMANDS.get(path.parts[1], "")
        if not command and (marker.is_long or whole_file_is_long):
            command = LONG_COMMAND
        proofs += [Proof(str(i), path, marker.name, imports, command) for i in ids if marker.runs]
    stray = [call for call in marker_calls([tree]) if call not in taken]
    problems += [f"{path}:{call.lineno}: no test carries this requirement marker" for call in stray]
    return proofs, problems


def read_tests(root: Path) -> tuple[list[Proof], list[str]]:
    proofs: list[Proof] = []
    problems: list[str] = []
    for file in sorted((root / "tests").rglob("*.py")):
        path = PurePosixPath(file.relative_to(root).as_posix())
        found, wrong = read_test(path, file.read_text(encoding="utf-8"))
        proofs += found
        problems += wrong
    return proofs, problems


# --- checking


def folder_holds_code(root: Path, folder: str) -> bool:
    """Whether the folder has a module besides `__init__.py`, or is itself a module."""
    path = root / PACKAGE / folder
    if path.suffix == ".py":
        return path.is_file()
    return any(file.name != "__init__.py" for file in path.rglob("*.py"))


def reaches(proof: Proof, folder: str) -> bool:
    """Whether the test imports from the folder, or is in a tests folder of the same name."""
    module = ".".join((PACKAGE.name, *PurePosixPath(folder).with_suffix("").parts))
    if any(name == module or name.startswith(f"{module}.") for name in proof.imports):
        return True
    return PurePosixPath(folder).name in proof.path.parts[:-1]


def is_acceptance(proof: Proof) -> bool:
    """Acceptance tests use the interfaces, so their imports are not checked."""
    return proof.path.parts[:2] == ("tests", "acceptance")


def proof_problem(root: Path, requirement: Requirement, proof: Proof) -> str | None:
    named = ", ".join(f"{PACKAGE}/{folder}" for folder in requirement.folders)
    built = [folder for folder in requirement.folders if folder_holds_code(root, folder)]
    if not built:
        return f"{proof}: proves {requirement.id}, but there is no code in {named}"
    if is_acceptance(proof) or any(reaches(proof, folder) for folder in built):
        return None
    return (
        f"{proof}: proves {requirement.id}, whose code belongs in {named}, but neither imports "
        "from there nor is in a tests folder of that name"
    )


def proof_problems(root: Path, register: Register, proofs: Iterable[Proof]) -> Iterator[str]:
    known = {requirement.id: requirement for requirement in register.requirements}
    for proof in proofs:
        requirement = known.get(proof.requirement)
        if requirement is None:
            yield f"{proof}: {proof.requirement} is not in {SOURCE}"
        elif problem := proof_problem(root, requirement, proof):
            yield problem


def register_problems(root: Path, register: Register) -> Iterator[str]:
    areas = {area.prefix for area in register.areas}
    seen: set[str] = set()
    for requirement in register.requirements:
        if requirement.id in seen:
            yield f"{SOURCE}: {requirement.id} is defined twice"
        seen.add(requirement.id)
        if area_of(requirement.id) not in areas:
            yield f"{SOURCE}: {requirement.id} belongs to no area"
        if not requirement.folders:
            yield f"{SOURCE}: {requirement.id} names no folder"
        for folder in requirement.folders:
            if not (root / PACKAGE / PurePosixPath(folder).parts[0]).exists():
                yield f"{SOURCE}: {requirement.id} names {folder}, which is not in {PACKAGE}"


# --- writing


def render_proofs(proofs: Sequence[Proof]) -> str:
    """Lists the tests of one requirement by file, or "not yet"."""
    by_file: dict[PurePosixPath, list[str]] = {}
    for proof in proofs:
        name = f"`{proof.name}`" if proof.name else "the whole file"
        command = f" (`{proof.command}`)" if proof.command else ""
        by_file.setdefault(proof.path, []).append(name + command)
    if not by_file:
        return "- proof: not yet"
    lines = (
        f"  - [{path}](../../{path}): " + ", ".join(dict.fromkeys(names))
        for path, names in by_file.items()
    )
    return "\n".join(["- proof:", *lines])


def render_requirement(requirement: Requirement, proofs: Iterable[Proof]) -> str:
    own = [proof for proof in proofs if proof.requirement == requirement.id]
    folders = ", ".join(
        f"`{folder}`" if folder.endswith(".py") else f"`{folder}/`"
        for folder in requirement.folders
    )
    return (
        f"### {requirement.id}\n\n{requirement.text}\n\n- code: {folders}\n{render_proofs(own)}\n"
    )


def render_summary(register: Register, proofs: Iterable[Proof]) -> str:
    proven = {proof.requirement for proof in proofs}
    rows = ["| area | requirements | with a test |", "| --- | ---: | ---: |"]
    for area in register.areas:
        ids = [r.id for r in register.requirements if area_of(r.id) == area.prefix]
        done = sum(i in proven for i in ids)
        rows.append(f"| [{area.title}](#{area.prefix.lower()}1) | {len(ids)} | {done} |")
    return "\n".join(rows) + "\n"


def render_head() -> str:
    return f"""\
<!-- Written by scripts/requirements.py from {SOURCE.name} and the tests. Do not edit. -->

# Requirements

Look up what Saegim must do, and the tests that prove it. Each requirement has an id, which its
tests name, and the folders of `{PACKAGE}` with its code. `make test` and CI do not run tests with a
command behind them; that command does.

Numbers are defaults of [settings](settings.md), except for these constants: 5 turns of a client's
history, 150 characters of a reply's summary, 40 and 100 characters of an entity's key and value,
windows of 3 turns, 3 library calls per turn, weekly consolidation and daily clean-up.
"""


def render(register: Register, proofs: Sequence[Proof]) -> str:
    parts = [render_head(), render_summary(register, proofs)]
    for area in register.areas:
        parts.append(f"## {area.title}\n")
        parts += [
            render_requirement(requirement, proofs)
            for requirement in register.requirements
            if area_of(requirement.id) == area.prefix
        ]
    left_out = "\n".join(f"- {line}" for line in register.left_out)
    parts.append(f"## Left out on purpose\n\n{left_out}\n")
    return "\n".join(parts)


def main(arguments: Sequence[str], root: Path) -> int:
    parser = argparse.ArgumentParser(description=f"Write {PAGE}, or check it.")
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    check: bool = parser.parse_args(arguments).check

    register = load((root / SOURCE).read_text(encoding="utf-8"))
    proofs, problems = read_tests(root)
    problems += register_problems(root, register)
    problems += proof_problems(root, register, proofs)
    page = root / PAGE
    text = render(register, proofs)
    if not check:
        page.write_text(text, encoding="utf-8")
    elif not page.is_file() or page.read_text(encoding="utf-8") != text:
        problems.append(f"{PAGE}: stale, run scripts/requirements.py")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
