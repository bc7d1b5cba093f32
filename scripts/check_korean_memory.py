"""Check the Korean long-term memory set: its people, sessions, questions and labelled evidence."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

DATA = Path(__file__).parents[1] / "benchmarks/data/korean_memory"
PEOPLE = 5
SESSIONS = 20
TURNS = 10
LEAST_QUESTIONS = 400
LEAST_SPAN = timedelta(days=700)
CLASSES = frozenset(
    ("single", "multi", "update", "contradiction", "time", "implicit", "unanswerable")
)
QUESTION_FIELDS = frozenset(
    ("id", "split", "class", "question", "answer", "evidence", "also", "stale")
)
_HANGUL = re.compile(r"[가-힣]")

type Split = Literal["dev", "held_out"]
type Person = dict[str, Any]


def split_of(person: str, number: int) -> Split:
    """Returns the half of a question. A hash decides which one of each neighbouring pair is held
    out."""
    pair = sha256(f"{person} {(number - 1) // 2}".encode()).digest()[0]
    return "held_out" if (number + pair) % 2 else "dev"


def read(folder: Path = DATA) -> list[Person]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("p*.json"))]


def said_at(person: Person) -> dict[str, datetime]:
    """Maps turn ids to the start of their session, in order."""
    return {
        turn["id"]: datetime.fromisoformat(session["started_at"])
        for session in person["sessions"]
        for turn in session["turns"]
    }


def session_problems(person: Person) -> Iterator[str]:
    name = person["person"]["id"]
    if len(person["sessions"]) != SESSIONS:
        yield f"{name}: {len(person['sessions'])} sessions, not {SESSIONS}"
    for number, session in enumerate(person["sessions"], 1):
        place = f"{name}-s{number:02}"
        if session["id"] != place:
            yield f"{session['id']}: should be {place}"
        if len(session["turns"]) != TURNS:
            yield f"{place}: {len(session['turns'])} turns, not {TURNS}"
        for count, turn in enumerate(session["turns"], 1):
            if turn["id"] != f"{place}-t{count:02}":
                yield f"{turn['id']}: should be {place}-t{count:02}"
            if not turn["message"].strip() or not turn["reply"].strip():
                yield f"{turn['id']}: message or reply is empty"
    starts = [datetime.fromisoformat(session["started_at"]) for session in person["sessions"]]
    if starts != sorted(set(starts)) or any(start.tzinfo is None for start in starts):
        yield f"{name}: sessions are out of order or have no time zone"
    elif starts[-1] - starts[0] < LEAST_SPAN:
        yield f"{name}: fewer than {LEAST_SPAN.days} days from first to last session"
    elif starts[-1] >= datetime.fromisoformat(person["asked_at"]):
        yield f"{name}: asked before the last session"


def question_problems(question: dict[str, Any], turns: Sequence[str]) -> Iterator[str]:
    """Lists the problems of one question, given the ids of all turns in order."""
    if set(question) != QUESTION_FIELDS:
        yield f"fields differ: {sorted(set(question) ^ QUESTION_FIELDS)}"
        return
    named = re.fullmatch(r"(p\d)-q(\d{2,3})", question["id"])
    if named is None or question["split"] != split_of(named[1], int(named[2])):
        yield "the split does not follow the id"
    kind, evidence, stale = question["class"], question["evidence"], question["stale"]
    if kind not in CLASSES:
        yield f"unknown class {kind!r}"
    if not _HANGUL.search(question["question"]):
        yield "the question is not Korean"
    cited = [*evidence, *question["also"], *stale]
    if missing := [turn for turn in cited if turn not in turns]:
        yield f"no such turn: {', '.join(missing)}"
        return
    if len(set(cited)) != len(cited):
        yield "a turn is cited twice"
    if (kind == "unanswerable") == bool(evidence) or bool(evidence) != bool(question["answer"]):
        yield "evidence and answer are given for what can be answered, and only for that"
    if kind == "contradiction" and not stale:
        yield "a contradiction names the turn that it corrects"
    if kind == "multi" and len(evidence) < 2:
        yield "a question of class multi rests on two turns or more"
    last = max((turns.index(turn) for turn in evidence), default=0)
    if any(turns.index(turn) > last for turn in stale):
        yield "what is stale was said after the evidence"


def person_problems(person: Person) -> Iterator[str]:
    yield from session_problems(person)
    turns = list(said_at(person))
    for question in person["questions"]:
        for text in question_problems(question, turns):
            yield f"{question['id']}: {text}"
    messages = Counter(question["question"] for question in person["questions"])
    yield from (f"question repeats: {text}" for text, times in messages.items() if times > 1)


def set_problems(people: Sequence[Person]) -> Iterator[str]:
    """Lists the problems of the whole set: size, classes, halves."""
    questions = [question for person in people for question in person["questions"]]
    if len(people) != PEOPLE:
        yield f"{len(people)} people, not {PEOPLE}"
    if len(questions) < LEAST_QUESTIONS:
        yield f"{len(questions)} questions, fewer than {LEAST_QUESTIONS}"
    held = sum(question["split"] == "held_out" for question in questions)
    if abs(2 * held - len(questions)) > len(people):
        yield f"{held} of {len(questions)} questions are held out, not half"
    if missing := CLASSES - {question["class"] for question in questions}:
        yield f"no question of class {', '.join(sorted(missing))}"
    ids = Counter(question["id"] for question in questions)
    yield from (f"id repeats: {name}" for name, times in ids.items() if times > 1)


def main() -> int:
    people = read()
    found = [text for person in people for text in person_problems(person)]
    found += set_problems(people)
    for text in found:
        print(text, file=sys.stderr)
    count = sum(len(person["questions"]) for person in people)
    print(f"{len(people)} people, {count} questions, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
