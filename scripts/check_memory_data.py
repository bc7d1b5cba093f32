"""Check the labelled utterances of benchmarks/data: each line, and the set as a whole."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

DATA = Path(__file__).parents[1] / "benchmarks/data"
FILES = ("memory_utterances.ko.jsonl", "memory_utterances.en.jsonl")
SECOND_FILES = ("memory_utterances_two.ko.jsonl", "memory_utterances_two.en.jsonl")
LEAST_UTTERANCES = 320
LEAST_OF_SECOND = 220
# Ids from here on belong to the second set.
FIRST_OF_SECOND = 501
# Allowed share of utterances with nothing to remember, about 45 % by design.
SILENT_SHARE = (0.40, 0.50)
MOST_FACTS = 3
TYPES = frozenset(
    ("fact", "preference", "constraint", "decision", "todo", "timeline", "profile", "note")
)
SILENT_KINDS = frozenset(("trivial", "joke", "hypothetical", "third-party", "dont-remember"))
KINDS = SILENT_KINDS | frozenset(
    ("question", "command", "statement", "update", "contradiction", "negation", "secret")
)
FIELDS = frozenset(("id", "split", "kind", "said_at", "previous", "message", "reply", "facts"))
FACT_FIELDS = frozenset(("type", "content", "attribute", "value", "quote", "core"))
_ATTRIBUTE = re.compile(r"[a-z][a-z_0-9]*(\.[a-z][a-z_0-9]*)?")
_ID = re.compile(r"(ko|en)-(\d{3})")
_RELATIVE = re.compile(
    r"어제|그저께|오늘|내일|모레|작년|내년|지난달|지난주|다음\s?달|다음\s?주|이번\s?달|이번\s?주"
    r"|\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:week|month|year|night))\b",
    re.IGNORECASE,
)

type Split = Literal["dev", "held_out", "dev_two", "check"]
type Utterance = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def split_of(language: str, number: int) -> Split:
    """Returns the split of an utterance. A hash decides which one of each neighbouring pair is
    held out. Of the second set, every third one is for checking."""
    if number >= FIRST_OF_SECOND:
        return "dev_two" if number % 3 else "check"
    pair = sha256(f"{language} {(number - 1) // 2}".encode()).digest()[0]
    return "held_out" if (number + pair) % 2 else "dev"


def read(path: Path) -> list[Utterance]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def line_problems(utterance: Utterance) -> Iterator[str]:
    """Lists the problems of one utterance."""
    if set(utterance) != FIELDS:
        yield f"fields differ: {sorted(set(utterance) ^ FIELDS)}"
        return
    named = _ID.fullmatch(utterance["id"])
    if named is None:
        yield "the id is not like ko-001"
    elif utterance["split"] != split_of(named[1], int(named[2])):
        yield "the split does not follow the id"
    if utterance["kind"] not in KINDS:
        yield f"unknown kind {utterance['kind']!r}"
    if datetime.fromisoformat(utterance["said_at"]).tzinfo is None:
        yield "said_at has no time zone"
    if not utterance["message"].strip() or not utterance["reply"].strip():
        yield "message or reply is empty"
    for turn in utterance["previous"]:
        if set(turn) != {"role", "content"} or turn["role"] not in ("user", "assistant"):
            yield "an earlier turn needs a role and content"
    facts = utterance["facts"]
    if len(facts) > MOST_FACTS:
        yield f"more than {MOST_FACTS} facts"
    if facts and utterance["kind"] in SILENT_KINDS | {"secret"}:
        yield f"{utterance['kind']} yields no fact"
    for fact in facts:
        yield from fact_problems(fact, utterance["message"])


def fact_problems(fact: dict[str, Any], message: str) -> Iterator[str]:
    if set(fact) != FACT_FIELDS:
        yield f"fields of a fact differ: {sorted(set(fact) ^ FACT_FIELDS)}"
        return
    if fact["type"] not in TYPES:
        yield f"unknown type {fact['type']!r}"
    if not fact["quote"] or fact["quote"] not in message:
        yield f"not a span of the message: {fact['quote']!r}"
    if _ATTRIBUTE.fullmatch(fact["attribute"]) is None:
        yield f"attribute {fact['attribute']!r} is not like pet.name"
    if not fact["content"].endswith(".") or not fact["value"]:
        yield f"content is no sentence, or value is empty: {fact['content']!r}"
    if found := _RELATIVE.search(fact["content"]):
        yield f"relative date {found.group()!r} in {fact['content']!r}"
    if not isinstance(fact["core"], bool):
        yield "core is not true or false"


def set_problems(utterances: Sequence[Utterance]) -> Iterator[str]:
    """Lists the problems of a whole file: size, duplicates, shares."""
    second = utterances[0]["split"] in ("dev_two", "check")
    least = LEAST_OF_SECOND if second else LEAST_UTTERANCES
    if len(utterances) < least:
        yield f"{len(utterances)} utterances, fewer than {least}"
    for name in ("id", "message"):
        counts = Counter(utterance[name] for utterance in utterances)
        yield from (f"{name} repeats: {value!r}" for value, times in counts.items() if times > 1)
    low, high = SILENT_SHARE
    silent = sum(not utterance["facts"] for utterance in utterances) / max(len(utterances), 1)
    if not low <= silent <= high:
        yield f"{silent:.0%} of the utterances yield no fact"
    held = sum(utterance["split"] == "held_out" for utterance in utterances)
    if not second and abs(2 * held - len(utterances)) > 1:
        yield f"{held} of {len(utterances)} are held out, not half"
    seen = {fact["type"] for utterance in utterances for fact in utterance["facts"]}
    if missing := sorted(TYPES - seen):
        yield f"no fact of type {', '.join(missing)}"


def problems(path: Path) -> Iterator[Problem]:
    utterances = read(path)
    for number, utterance in enumerate(utterances, 1):
        for text in line_problems(utterance):
            yield Problem(f"{path.name}:{number}", text)
    for text in set_problems(utterances):
        yield Problem(path.name, text)


def main() -> int:
    paths = [path for name in FILES + SECOND_FILES if (path := DATA / name).exists()]
    found = [problem for path in paths for problem in problems(path)]
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{len(paths)} files, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
