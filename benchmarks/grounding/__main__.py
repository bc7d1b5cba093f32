"""`python -m benchmarks.grounding [--half dev] [--show] [--model-url URL --model NAME]`.

With `--keep FILE`, what the model wrote is read from that file and written to it, so that a change
of the attribution alone is measured in seconds.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import numpy as np

from benchmarks import results
from benchmarks.grounding.cases import GroundingCase, load_cases
from benchmarks.grounding.measure import JudgedAnswer, attribute, figures, missed
from benchmarks.grounding.model import KeptAnswers, ask, prompt, shortened
from benchmarks.library.sets import folder
from benchmarks.page import everything, publish

# AutoRAG-ko has 57 questions in each half.
SCRIPTED = {"korquad": (80, 32), "autorag_ko": (40, 16)}
OF_MODEL = {"korquad": (40, 20)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes `benchmarks/results/grounding.json`; fails if a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=["dev", "held_out"], default="held_out")
    parser.add_argument("--show", action="store_true", help="print the answers that fail")
    parser.add_argument(
        "--model-url", help="an OpenAI-compatible API; without it, scripted answers"
    )
    parser.add_argument("--model", default="local")
    parser.add_argument("--keep", type=Path, help="where the model's own answers are kept")
    given = parser.parse_args(arguments)
    root = folder()
    if root is None:
        sys.exit("SAEGIM_BENCH_DATA names no folder")
    held_out = given.half == "held_out"
    if given.model_url:
        cases = [shortened(each) for each in _cases(root, OF_MODEL, held_out)]
        kept = KeptAnswers(given.keep, given.model)
        answers = asyncio.run(_asked(cases, kept, given.model_url, given.model))
        found = {f"model.{name}": value for name, value in figures(answers).items()}
    else:
        answers = [attribute(each, each.answer) for each in _cases(root, SCRIPTED, held_out)]
        found = _scripted(answers)
    if given.show:
        _show(answers)
    for name, value in found.items():
        print(f"{name:40} {value:.4g}")
    if held_out:
        configuration = {"model": given.model if given.model_url else "scripted, never cites"}
        results.merge("grounding", found, configuration)
        publish("grounding", everything(results.known("grounding")))
    if goals := missed(figures(answers)):
        sys.exit(f"missed: {', '.join(goals)}")


def _cases(root: Path, counts: dict[str, tuple[int, int]], held_out: bool) -> list[GroundingCase]:
    return [
        case
        for name, (answerable, unanswerable) in counts.items()
        for case in load_cases(root, name, answerable, unanswerable, held_out=held_out)
    ]


def _scripted(answers: Sequence[JudgedAnswer]) -> dict[str, float]:
    found = {f"scripted.{name}": value for name, value in figures(answers).items()}
    for name in SCRIPTED:
        own = figures([each for each in answers if each.case.id.startswith(name)])
        found |= {f"scripted.{name}.{key}": value for key, value in own.items()}
    found["wrong_attribution"] = found["scripted.wrong_attribution"]
    took = np.percentile([each.took_ms for each in answers], [50, 95])
    return found | {"answer_cpu_ms.p50": float(took[0]), "answer_cpu_ms.p95": float(took[1])}


async def _asked(
    cases: Sequence[GroundingCase], kept: KeptAnswers, url: str, model: str
) -> list[JudgedAnswer]:
    answers: list[JudgedAnswer] = []
    async with httpx.AsyncClient() as client:
        for number, case in enumerate(cases, start=1):
            messages = prompt(case)
            written = kept.get(messages)
            if written is None:
                written = await ask(client, url, model, messages)
                kept.put(messages, written)
            answers.append(attribute(case, written))
            print(f"{number}/{len(cases)} {answers[-1].shown!r}", flush=True)
    return answers


def _show(answers: Sequence[JudgedAnswer]) -> None:
    for each in answers:
        good = (
            each.cites_right and not each.is_marked if each.case.is_answerable else each.is_marked
        )
        if not good:
            print(
                f"{each.case.id} {sorted(each.case.gold)}\n  {each.case.question}\n  {each.shown}"
            )


if __name__ == "__main__":
    main()
