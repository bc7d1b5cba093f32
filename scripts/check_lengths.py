"""Report the lengths of functions. It never fails: a long one is only a hint."""

import ast
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SHOWN = 10
GOAL = 45


@dataclass(frozen=True, slots=True, order=True)
class Function:
    lines: int
    name: str
    place: str


def functions_of(source: str, path: str) -> Iterator[Function]:
    """Yields every function with its number of lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            end = node.end_lineno or node.lineno
            yield Function(end - node.lineno + 1, node.name, f"{path}:{node.lineno}")


def percentile(lengths: Sequence[int], share: float) -> int:
    """Returns the smallest length that at least this share of the functions does not exceed."""
    ordered = sorted(lengths)
    # Integers, because 0.95 * 20 > 19 in floating point.
    rank = -(-len(ordered) * round(share * 100) // 100)
    return ordered[max(rank, 1) - 1] if ordered else 0


def report(functions: Sequence[Function]) -> Iterator[str]:
    for function in sorted(functions, reverse=True)[:SHOWN]:
        yield f"{function.lines:5}  {function.name}  {function.place}"
    found = percentile([function.lines for function in functions], 0.95)
    verdict = "under" if found < GOAL else "NOT under"
    yield f"{len(functions)} functions, 95th percentile {found} lines: {verdict} {GOAL}"


def main(arguments: Sequence[str]) -> None:
    root = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "src"
    found = [
        function
        for path in sorted(root.rglob("*.py"))
        for function in functions_of(path.read_text("utf-8"), str(path.relative_to(root.parent)))
    ]
    print("\n".join(report(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
