"""`python -m benchmarks.turn [--passages N] [--memories N] [--turns N] [--only PART]`."""

import argparse
import asyncio

from benchmarks import results
from benchmarks.library.sets import folder
from benchmarks.page import everything, publish
from benchmarks.turn import questions, speed


def main() -> None:
    """Writes `benchmarks/results/turn.json`; figures that are not measured keep their values."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=320)
    parser.add_argument("--only", choices=["questions", "speed"])
    given = parser.parse_args()
    figures: dict[str, float] = {}
    root = folder()
    if given.only != "speed" and root is not None:
        figures |= asyncio.run(questions.measure(root))
    if given.only != "questions":
        figures |= asyncio.run(speed.measure(given.passages, given.memories, given.turns))
    configuration: dict[str, object] = {"measured": given.only or "questions and speed"}
    if given.only != "questions":
        configuration |= {"passages": given.passages, "memories": given.memories}
        configuration |= {"turns": given.turns, "models": "at once", "embedder": "bundled"}
    path = results.merge("turn", figures, configuration)
    publish("turn", everything(results.known("turn")))
    print(path.read_text())


if __name__ == "__main__":
    main()
