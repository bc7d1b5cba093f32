"""Measure which notes are kept without a model: `make bench-notes`.

A note is right if it overlaps the quote of a label; each label counts once. The held-out half is
reported; `--split dev --show` prints the mistakes in the other half. `dev_two` and `check` are a
second set: `check` is measured like the held-out half, without reading it.
"""

import argparse
import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.results import write
from saegim.domain.scope import Locale
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.offline.heads import read
from saegim.text.masking import mask

DATA = Path(__file__).parent / "data"
LOCALES: tuple[Locale, ...] = ("ko", "en")
Split = Literal["dev", "held_out", "dev_two", "check"]
SPLITS: tuple[Split, ...] = ("dev", "held_out", "dev_two", "check")
# The splits whose mistakes may be read.
OPEN_SPLITS = frozenset[Split](("dev", "dev_two"))
# Share of common pairs of letters (Jaccard) from which a note and a quote say the same.
SAME_WORDS = 0.5
# A busy machine decides nothing.
SECONDS = 60.0


@dataclass
class Counts:
    """Kept, labelled and matching statements."""

    notes: int = 0
    labelled: int = 0
    matched: int = 0
    quiet: int = 0
    kept_quiet: int = 0
    utterances: int = 0

    def figures(self, prefix: str) -> dict[str, float]:
        return {
            f"{prefix}.precision": round(self.matched / max(1, self.notes), 3),
            f"{prefix}.recall": round(self.matched / max(1, self.labelled), 3),
            f"{prefix}.f1": round(2 * self.matched / max(1, self.notes + self.labelled), 3),
            f"{prefix}.quiet_on_nothing": round(self.kept_quiet / max(1, self.quiet), 3),
            f"{prefix}.utterances": float(self.utterances),
        }


def utterances(locale: Locale, split: Split) -> Iterator[dict[str, Any]]:
    """Yields the labelled utterances of one split."""
    for path in sorted(DATA.glob(f"memory_utterances*.{locale}.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            utterance = json.loads(line)
            if utterance["split"] == split:
                yield utterance


def score(counts: Counts, notes: Sequence[str], facts: Sequence[dict[str, Any]]) -> list[str]:
    """Counts one utterance; returns the notes without a label."""
    counts.utterances += 1
    counts.notes += len(notes)
    counts.labelled += len(facts)
    if not facts:
        counts.quiet += 1
        counts.kept_quiet += not notes
    quotes = [mask(fact["quote"]).text for fact in facts]
    wrong: list[str] = []
    for note in notes:
        best = max(quotes, key=lambda quote: _likeness(note, quote), default=None)
        if best is None or _likeness(note, best) < SAME_WORDS:
            wrong.append(note)
            continue
        quotes.remove(best)
        counts.matched += 1
    return wrong


def _likeness(note: str, quote: str) -> float:
    one, other = _letters(note), _letters(quote)
    if one in other or other in one:
        return 1.0 if len(other) >= len(one) else max(SAME_WORDS, len(other) / len(one))
    shared, every = {*_pairs(one)} & {*_pairs(other)}, {*_pairs(one)} | {*_pairs(other)}
    return len(shared) / max(1, len(every))


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _pairs(text: str) -> Iterator[str]:
    return (text[at : at + 2] for at in range(len(text) - 1))


async def run(
    split: Split, *, show: bool, locales: tuple[Locale, ...] = LOCALES
) -> dict[str, float]:
    embedder = BundledEmbedder()
    figures: dict[str, float] = {}
    for locale in locales:
        counts = Counts()
        for utterance in utterances(locale, split):
            reading = await read(embedder, mask(utterance["message"]).text, seconds=SECONDS)
            before = counts.matched
            wrong = score(counts, reading.notes, utterance["facts"])
            if show and (wrong or counts.matched - before < len(utterance["facts"])):
                _show(utterance, reading.notes, wrong)
        figures |= counts.figures(f"{locale}.{split}")
    return figures


def _show(utterance: dict[str, Any], notes: Sequence[str], wrong: Sequence[str]) -> None:
    print(f"\n{utterance['id']} [{utterance['kind']}] {utterance['message']}")
    for fact in utterance["facts"]:
        print(f"    label {fact['quote']}")
    for note in notes:
        print(f"    {'WRONG' if note in wrong else 'kept '} {note}")


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
        write("notes", figures, {"split": split, "same_words": SAME_WORDS, "model": None})


if __name__ == "__main__":
    main()
