"""Check names: no module or class is a bare participle, no class name is defined twice outside
`client/`, no identifier contains a word of FORBIDDEN, and no test name is longer than 80
characters.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PACKAGE = Path("src/saegim")
TEST_FOLDERS = ("tests",)
LONGEST_TEST_NAME = 80
# Words without meaning for a newcomer. `held_out` is a term of evaluation.
FORBIDDEN = re.compile(r"(?<![a-z])(twin|told|held(?!_out)|struck|door|house)s?(?![a-z])")
CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
IRREGULAR = frozenset(
    [
        "begun",
        "built",
        "chosen",
        "found",
        "given",
        "gone",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "left",
        "lost",
        "made",
        "meant",
        "met",
        "paid",
        "said",
        "seen",
        "sent",
        "shown",
        "sought",
        "spoken",
        "struck",
        "taken",
        "told",
        "worn",
        "written",
        "forgotten",
        "fallen",
    ]
)
# Nouns that end like participles.
NOUNS = frozenset(
    [
        "blocking",
        "cutting",
        "embed",
        "embedding",
        "encoding",
        "feed",
        "finding",
        "heading",
        "keyring",
        "listing",
        "masking",
        "matching",
        "need",
        "ranking",
        "reembed",
        "reembedding",
        "seed",
        "signing",
        "speed",
        "splitting",
        "stemming",
        "string",
        "tagging",
        "testing",
        "thing",
        "timing",
        "tracing",
        "tuning",
        "understanding",
        "warning",
        "metering",
        "numbering",
        "parsing",
        "rendering",
        "routing",
        "scoring",
        "setting",
        "streaming",
        "batching",
    ]
)


def is_bare_participle(name: str) -> bool:
    """Whether a name is a single word and a participle."""
    word = name.strip("_")
    if not re.fullmatch(r"[A-Z]?[a-z]+", word) or word.lower() in NOUNS:
        return False
    word = word.lower()
    return word in IRREGULAR or word.endswith(("ed", "ing"))


def participles(sources: dict[Path, ast.Module]) -> Iterator[str]:
    for path, tree in sources.items():
        if is_bare_participle(path.stem):
            yield f"{path}: a module named by a bare participle"
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and is_bare_participle(node.name):
                yield f"{path}:{node.lineno}: class {node.name} is a bare participle"


def duplicates(sources: dict[Path, ast.Module]) -> Iterator[str]:
    places: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in sources.items():
        if "client" in path.parts:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(f"{path}:{node.lineno}")
    for name, found in sorted(places.items()):
        if len(found) > 1:
            yield f"class {name} is defined {len(found)} times: {', '.join(found)}"


def identifiers(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the names that a module defines or uses, with their lines."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for field in ("name", "id", "attr", "arg", "asname", "rest"):
            if isinstance(name := getattr(node, field, None), str):
                yield line, name


def forbidden_words(sources: dict[Path, ast.Module]) -> Iterator[str]:
    for path, tree in sources.items():
        if has_forbidden_word(path.stem):
            yield f"{path}: a module named by a forbidden word"
        for line, name in sorted(set(identifiers(tree))):
            if has_forbidden_word(name):
                yield f"{path}:{line}: {name} has a forbidden word"


def has_forbidden_word(name: str) -> bool:
    return FORBIDDEN.search(CAPITAL.sub("_", name).lower()) is not None


def long_test_names(sources: dict[Path, ast.Module]) -> Iterator[str]:
    for path, tree in sources.items():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and node.name.startswith("test_")
                and len(node.name) > LONGEST_TEST_NAME
            ):
                yield f"{path}:{node.lineno}: {node.name} has {len(node.name)} characters"


def read(root: Path, *folders: str) -> dict[Path, ast.Module]:
    """Parses the Python files below some folders, by their path from the root."""
    files = [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]
    return {file.relative_to(root): ast.parse(file.read_text("utf-8")) for file in files}


def problems(root: Path) -> list[str]:
    package = read(root, str(PACKAGE))
    tests = read(root, *TEST_FOLDERS)
    return [
        *participles(package),
        *duplicates(package),
        *forbidden_words(package),
        *long_test_names(tests),
    ]


def main() -> None:
    found = problems(REPOSITORY)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
