"""`python -m benchmarks.answers [--half HALF …] [--questions N] [--baseline SOURCE]`."""

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import results
from benchmarks.answers.figures import Baseline, background, cached_share, figures
from benchmarks.answers.questions import HALVES, KORQUAD, SETS, Half, questions
from benchmarks.answers.run import Answers, run
from benchmarks.library.sets import folder
from benchmarks.page import everything, publish

QUESTIONS = 40


def main() -> None:
    """Writes `benchmarks/results/answers.json`, or the baseline of another release."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", nargs="+", choices=HALVES, default=list(HALVES))
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of each set and half")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--without-long", action="store_true", help="no conversation of 50 turns")
    parser.add_argument("--only-long", action="store_true", help="only that conversation")
    parser.add_argument("--baseline", type=Path, metavar="SOURCE", help="another release's tree")
    parser.add_argument("--keep", type=Path, help="folder that keeps the stores for the next run")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    root = folder()
    if root is None:
        sys.exit("set SAEGIM_BENCH_DATA to the folder of the data sets")
    if given.only_long:
        _measure_long(root, given.keep)
        return
    asked = questions(root, given.questions, given.sets)
    if given.without_long:
        asked.long = ()
    source = given.baseline and given.baseline.resolve() / "src"
    made = asyncio.run(run(asked, given.half, source, kept=given.keep))
    baseline = None if given.baseline else Baseline.load()
    found = measured(made, given.half, baseline)
    print("\n".join(f"{name:44} {value:.4g}" for name, value in found.items()))
    if given.dry:
        return
    if given.baseline:
        share = found.get("cached_share", 0.0)
        release, commit = (_git(given.baseline, *each) for each in DESCRIBED)
        measured_now = Baseline(release, commit, tuple(made.answered), share)
        measured_now.with_earlier(Baseline.load()).save()
        return
    configuration = {"questions": given.questions, "halves": given.half, "sets": given.sets}
    against = {} if baseline is None else {"baseline": baseline.release}
    results.merge("answers", found, {**configuration, **against, "embedder": "bundled"})
    publish("answers", everything(results.known("answers")))


def _measure_long(root: Path, kept: Path | None) -> None:
    """Write the figures of the long conversation alone."""
    made = asyncio.run(run(questions(root, QUESTIONS, [KORQUAD]), (), kept=kept))
    found = cached_share(made.long)
    print(found)
    results.merge("answers", found, {"measured": "long conversation", "embedder": "bundled"})
    publish("answers", everything(results.known("answers")))


DESCRIBED = (("describe", "--tags"), ("rev-parse", "--short", "HEAD"))


def measured(made: Answers, halves: Sequence[Half], baseline: Baseline | None) -> dict[str, float]:
    """Returns all figures of a run."""
    found: dict[str, float] = {}
    for half in sorted(halves, reverse=True):
        found |= figures(made.answered, half, baseline)
    return found | cached_share(made.long) | background(made.background, len(made.answered))


def _git(tree: Path, *arguments: str) -> str:
    command = ["git", "-C", str(tree), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    main()
