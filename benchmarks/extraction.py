"""Measure precision and recall of extraction without a model: `make bench-extraction`.

An extracted statement is correct if its quote overlaps the label's; each label counts once. The
held-out half is reported; `--split dev --show` prints the mistakes in the other half. `dev_two` and
`check` are a second set: `check` is measured like the held-out half, without reading it.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from benchmarks.results import write
from saegim.conversations.types import Exchange
from saegim.domain.scope import Locale
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.ports import Embedder
from saegim.memory.candidate import CandidateMemory, Speaker
from saegim.memory.extraction.rule_reader import statements_of
from saegim.memory.rules.facts import facts_in
from saegim.memory.small_talk import is_small_talk
from saegim.text.masking import mask

DATA = Path(__file__).parent / "data"
LOCALES: tuple[Locale, ...] = ("ko", "en")
Split = Literal["dev", "held_out", "dev_two", "check"]
SPLITS: tuple[Split, ...] = ("dev", "held_out", "dev_two", "check")
# The splits whose mistakes may be read.
OPEN_SPLITS = frozenset[Split](("dev", "dev_two"))
# Share of common words (Jaccard) from which two quotes are the same statement.
SAME_WORDS = 0.5


@dataclass
class Counts:
    """Extracted, labelled and matching statements."""

    told: int = 0
    labelled: int = 0
    matched: int = 0
    typed: int = 0
    dated: int = 0
    right_dates: int = 0
    quiet: int = 0
    kept_quiet: int = 0

    def figures(self, prefix: str) -> dict[str, float]:
        precision = self.matched / self.told if self.told else 0.0
        recall = self.matched / max(1, self.labelled)
        return {
            f"{prefix}.precision": round(precision, 3),
            f"{prefix}.recall": round(recall, 3),
            f"{prefix}.f1": round(2 * self.matched / max(1, self.told + self.labelled), 3),
            f"{prefix}.type_accuracy": round(self.typed / max(1, self.matched), 3),
            f"{prefix}.date_accuracy": round(self.right_dates / max(1, self.dated), 3),
            f"{prefix}.quiet_on_nothing": round(self.kept_quiet / max(1, self.quiet), 3),
        }


def utterances(locale: Locale, split: Split) -> Iterator[dict[str, Any]]:
    """Returns the labelled utterances of one split."""
    for path in sorted(DATA.glob(f"memory_utterances*.{locale}.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            utterance = json.loads(line)
            if utterance["split"] == split:
                yield utterance


async def told_by(embedder: Embedder, utterance: dict[str, Any]) -> tuple[CandidateMemory, ...]:
    """Returns what the product extracts from an utterance without a model."""
    message = mask(utterance["message"]).text
    if is_small_talk(message):
        return ()
    said_at = datetime.fromisoformat(utterance["said_at"])
    before = tuple(
        Exchange(number, turn.get("message", ""), turn.get("reply", ""), said_at)
        for number, turn in enumerate(utterance.get("previous") or ())
    )
    facts = await facts_in(embedder, message)
    return tuple(statements_of(message, before, facts, _speaker(said_at)))


def score(
    counts: Counts, told: tuple[CandidateMemory, ...], facts: list[dict[str, Any]]
) -> list[CandidateMemory]:
    """Counts one utterance; returns the statements without a label."""
    counts.told += len(told)
    counts.labelled += len(facts)
    if not facts:
        counts.quiet += 1
        counts.kept_quiet += not told
    left = list(facts)
    wrong: list[CandidateMemory] = []
    for statement in told:
        best = max(left, key=lambda fact: _likeness(statement, fact), default=None)
        if best is None or _likeness(statement, best) < SAME_WORDS:
            wrong.append(statement)
            continue
        left.remove(best)
        counts.matched += 1
        counts.typed += statement.type == best["type"]
        if (day := _day(best["value"])) is not None:
            counts.dated += 1
            counts.right_dates += _names(statement.content, day)
    return wrong


def _likeness(statement: CandidateMemory, fact: dict[str, Any]) -> float:
    one, other = _letters(statement.quote), _letters(mask(fact["quote"]).text)
    if one in other or other in one:
        return 1.0 if len(other) >= len(one) else max(SAME_WORDS, len(other) / len(one))
    shared = len({*_pairs(one)} & {*_pairs(other)})
    return shared / max(1, len({*_pairs(one)} | {*_pairs(other)}))


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _pairs(text: str) -> Iterator[str]:
    return (text[at : at + 2] for at in range(len(text) - 1))


def _day(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value[:10])
    except ValueError:
        return None


def _names(content: str, day: datetime) -> bool:
    forms = (
        f"{day.year}년 {day.month}월 {day.day}일",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%Y-%m-%d}",
        f"{day.month}월 {day.day}일",
        f"{day:%B} {day.day}",
    )
    return any(form in content for form in forms)


def _speaker(said_at: datetime) -> Speaker:
    """Returns a member whose time zone is the label's offset: whole hours east are `Etc/GMT-h`."""
    hours = int((said_at.utcoffset() or timedelta()).total_seconds() // 3600)
    return Speaker(said_at, f"Etc/GMT{-hours:+d}" if hours else "UTC")


async def run(
    split: Split, *, show: bool, locales: tuple[Locale, ...] = LOCALES
) -> dict[str, float]:
    embedder = BundledEmbedder()
    figures: dict[str, float] = {}
    for locale in locales:
        counts = Counts()
        for utterance in utterances(locale, split):
            told = await told_by(embedder, utterance)
            before = counts.matched
            wrong = score(counts, told, utterance["facts"])
            if show and (wrong or counts.matched - before < len(utterance["facts"])):
                _show(utterance, told, wrong)
        figures |= counts.figures(f"{locale}.{split}")
        figures[f"{locale}.{split}.utterances"] = counts.quiet + sum(
            bool(each["facts"]) for each in utterances(locale, split)
        )
    return figures


def _show(
    utterance: dict[str, Any], told: tuple[CandidateMemory, ...], wrong: list[CandidateMemory]
) -> None:
    print(f"\n{utterance['id']} [{utterance['kind']}] {utterance['message']}")
    for fact in utterance["facts"]:
        print(f"    label {fact['type']} {fact['attribute']}={fact['value']} | {fact['quote']}")
    for each in told:
        print(
            f"    {'WRONG' if each in wrong else 'told '} {each.type} {each.topic} | {each.quote}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=SPLITS, default="held_out")
    parser.add_argument("--language", choices=LOCALES, help="only this language")
    parser.add_argument("--show", action="store_true", help="print the mistakes of a dev split")
    chosen = parser.parse_args()
    split: Split = chosen.split
    if chosen.show and split not in OPEN_SPLITS:
        parser.error(f"the mistakes in {split} are not shown")
    locales = (chosen.language,) if chosen.language else LOCALES
    figures = asyncio.run(run(split, show=chosen.show, locales=locales))
    print(json.dumps(figures, indent=2))
    if split == "held_out" and locales == LOCALES:
        write("extraction", figures, {"split": split, "same_words": SAME_WORDS, "model": None})


if __name__ == "__main__":
    main()
