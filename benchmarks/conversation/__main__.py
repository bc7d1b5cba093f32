"""`python -m benchmarks.conversation [--half HALF ...] [--kind KIND] [--show]`."""

import argparse
import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

import saegim
from benchmarks import results
from benchmarks.conversation.about_oneself import (
    NAME,
    SETS,
    SelfAnswer,
    SelfSet,
    ask,
    figures_of,
    page,
    questions_of,
    summed,
)
from benchmarks.conversation.messages import KINDS, Half, Message, read
from benchmarks.conversation.run import JudgedAnswer, converse, figures
from benchmarks.page import everything, publish

_STACK = {"models": "none", "embedder": "bundled"}


def main() -> None:
    """Writes `benchmarks/results/conversation.json`; other halves keep their figures.

    With --kind, all messages are sent, since later ones build on earlier ones, but only those of
    the kind are shown, and nothing is written.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--half", nargs="+", choices=[*get_args(Half), "all"], default=["dev", "dev_two"]
    )
    parser.add_argument("--kind", choices=KINDS, help="show only messages of this kind")
    parser.add_argument("--user", help="send only the messages of this user")
    parser.add_argument(
        "--about-oneself",
        nargs="+",
        choices=[*SETS, "all"],
        help="ask the questions about oneself of these sets, with and without synthesis",
    )
    parser.add_argument("--show", action="store_true", help="print messages and answers")
    given = parser.parse_args()
    if given.about_oneself:
        _compare(SETS if "all" in given.about_oneself else given.about_oneself, given.show)
        return
    halves: Sequence[Half] = get_args(Half) if "all" in given.half else given.half
    for half in halves:
        messages = [each for each in read(half) if given.user in (None, each.user)]
        # The held-out half stays unseen unless it is asked for.
        show = given.show or half == "review"
        began = time.monotonic()
        answers = asyncio.run(_answers(messages, given.kind if show else None, show))
        found = figures(half, answers)
        print("\n".join(f"{name:32} {value:.3f}" for name, value in found.items()))
        print(f"{time.monotonic() - began:.0f} s")
        if not is_own_code(Path(saegim.__file__)):
            print(f"Not recorded: this measured {saegim.__file__}, not this working copy.")
        elif given.kind is None and given.user is None:
            results.merge("conversation", found, {"measured": half} | _STACK)
            publish("conversation", everything(_of_messages(results.known("conversation"))))


def _compare(sets: Sequence[SelfSet], show: bool) -> None:
    """Measures questions about oneself with and without synthesis, and writes one table."""
    for half in sets:
        began = time.monotonic()
        without = asyncio.run(_self_answers(half, False, show))
        found = figures_of(half, without, asyncio.run(_self_answers(half, True, show)))
        print("\n".join(f"{name:48} {value:.3f}" for name, value in found.items()))
        print(f"{time.monotonic() - began:.0f} s", flush=True)
        if not is_own_code(Path(saegim.__file__)):
            print(f"Not recorded: this measured {saegim.__file__}, not this working copy.")
            continue
        found |= summed(results.known("conversation") | found)
        results.merge("conversation", found, {"measured": f"about_oneself.{half}"} | _STACK)
        publish("about_oneself", page(results.known("conversation")))


async def _self_answers(half: SelfSet, synthesis: bool, show: bool) -> list[SelfAnswer]:
    answers: list[SelfAnswer] = []
    async for each in ask(questions_of(half), synthesis=synthesis):
        answers.append(each)
        if show:
            named = f"answer {each.facts:.2f}, prompt {each.context:.2f}, {each.tokens} tokens"
            print(f"{'with' if synthesis else 'without'}: {named}")
            _print(each.judged)
    return answers


def is_own_code(package: Path) -> bool:
    """Returns whether the measured package is the one of the commit that a result names."""
    return package.resolve().is_relative_to(results.ROOT.resolve() / "src")


def _of_messages(figures: Mapping[str, float]) -> dict[str, float]:
    """Returns the figures without those of `--about-oneself`, which have their own table."""
    return {name: value for name, value in figures.items() if not name.startswith(f"{NAME}.")}


async def _answers(messages: Sequence[Message], kind: str | None, show: bool) -> list[JudgedAnswer]:
    answers: list[JudgedAnswer] = []
    async for judged in converse(messages):
        answers.append(judged)
        if show and kind in (None, judged.message.kind):
            _print(judged)
    return answers


def _print(judged: JudgedAnswer) -> None:
    message = judged.message
    print(f"{'+' if judged.right else '-'} {message.id} {message.kind} {message.message}")
    print("\n".join(f"    {line}" for line in judged.answer.text.splitlines()))
    for failure in judged.failures:
        print(f"    ! {failure}")
    print(flush=True)


if __name__ == "__main__":
    main()
