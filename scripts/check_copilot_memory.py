"""Check the copilot memory set: conversations, lengths, questions, labelled turns and halves."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from saegim.text import tokens

DATA = Path(__file__).parents[1] / "benchmarks/data/copilot"
LEAST_CONVERSATIONS = 12
LEAST_QUESTIONS = 500
LEAST_TURNS = 32
LEAST_SESSIONS = 10
LEAST_SPAN = timedelta(weeks=8)
LONG_REPLY = 200
MOST_REPLY = 800
# Replies of at least LONG_REPLY tokens in each conversation, and in the set as a share.
LEAST_LONG = 6
LEAST_LONG_SHARE = 0.3
ANSWERED = frozenset(
    (
        "single",
        "update",
        "contradiction",
        "multi",
        "time",
        "order",
        "preference",
        "instruction",
        "assistant_said",
        "cascade",
    )
)
UNANSWERED = frozenset(("unanswerable", "absence", "deletion"))
FIELDS = frozenset(("id", "class", "question", "answer", "evidence", "also", "stale"))
DELETION_FIELDS = FIELDS | {"deleted", "gone"}
_ID = re.compile(r"(?:en|ko)\d{2}-q\d{2}")
_HANGUL = re.compile(r"[가-힣]")

type Conversation = dict[str, Any]


def read(folder: Path = DATA) -> list[Conversation]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def turns_of(told: Conversation) -> dict[str, dict[str, str]]:
    """Maps turn ids to turns, in order."""
    return {turn["id"]: turn for session in told["sessions"] for turn in session["turns"]}


def session_problems(told: Conversation) -> Iterator[str]:
    """Lists problems of the sessions: ids, order, number, span."""
    name = told["person"]["id"]
    for number, session in enumerate(told["sessions"], 1):
        place = f"{name}-s{number:02}"
        if session["id"] != place:
            yield f"{session['id']}: should be {place}"
        for count, turn in enumerate(session["turns"], 1):
            if turn["id"] != f"{place}-t{count:02}":
                yield f"{turn['id']}: should be {place}-t{count:02}"
            if not turn["message"].strip() or not turn["reply"].strip():
                yield f"{turn['id']}: message or reply is empty"
    starts = [datetime.fromisoformat(session["started_at"]) for session in told["sessions"]]
    if starts != sorted(set(starts)) or any(start.tzinfo is None for start in starts):
        yield f"{name}: sessions are out of order or have no time zone"
    elif starts[-1] - starts[0] < LEAST_SPAN:
        yield f"{name}: fewer than {LEAST_SPAN.days} days from first to last session"
    elif starts[-1] >= datetime.fromisoformat(told["asked_at"]):
        yield f"{name}: asked before the last session"
    if len(starts) < LEAST_SESSIONS or len(turns_of(told)) < LEAST_TURNS:
        yield f"{name}: {len(starts)} sessions, {len(turns_of(told))} turns"


def reply_problems(told: Conversation) -> Iterator[str]:
    """Lists problems of the lengths of replies."""
    lengths = {name: tokens.count(turn["reply"]) for name, turn in turns_of(told).items()}
    yield from (f"{name}: reply of {size}" for name, size in lengths.items() if size > MOST_REPLY)
    if (long := sum(size >= LONG_REPLY for size in lengths.values())) < LEAST_LONG:
        yield f"{told['person']['id']}: only {long} long replies"


def question_problems(question: dict[str, Any], told: Conversation) -> Iterator[str]:
    """Lists problems of one question."""
    kind = question["class"]
    wanted = DELETION_FIELDS if kind == "deletion" else FIELDS
    if set(question) != wanted:
        yield f"fields differ: {sorted(set(question) ^ wanted)}"
        return
    turns = turns_of(told)
    evidence, stale = question["evidence"], question["stale"]
    cited = [*evidence, *question["also"], *stale]
    if missing := [turn for turn in [*cited, *question.get("deleted", [])] if turn not in turns]:
        yield f"no such turn: {', '.join(missing)}"
        return
    if _ID.fullmatch(question["id"]) is None or kind not in ANSWERED | UNANSWERED:
        yield f"unknown id or class {kind!r}"
    if (told["language"] == "ko") != bool(_HANGUL.search(question["question"])):
        yield "the question is in the wrong language"
    if len(set(cited)) != len(cited):
        yield "a turn is cited twice"
    if (kind in ANSWERED) != bool(evidence) or bool(evidence) != bool(question["answer"]):
        yield "evidence and answer are given for what can be answered, and only for that"
    order = list(turns)
    last = max((order.index(turn) for turn in evidence), default=0)
    if any(order.index(turn) > last for turn in stale):
        yield "what is stale was said after the evidence"
    if kind == "deletion":
        yield from _deletion_problems(question, turns)


def _deletion_problems(question: dict[str, Any], turns: dict[str, dict[str, str]]) -> Iterator[str]:
    texts = "\n".join(
        f"{turns[name]['message']}\n{turns[name]['reply']}" for name in question["deleted"]
    )
    for value in question["gone"]:
        if value.casefold() not in texts.casefold():
            yield f"{value!r} is not in the deleted turns"
        for name in turns.keys() - set(question["deleted"]):
            text = f"{turns[name]['message']}\n{turns[name]['reply']}"
            if value.casefold() in text.casefold():
                yield f"{value!r} is also in {name}"


def set_problems(conversations: Sequence[Conversation]) -> Iterator[str]:
    """Lists problems of the whole set: size, classes, halves, languages."""
    questions = [question for told in conversations for question in told["questions"]]
    if len(conversations) < LEAST_CONVERSATIONS or len(questions) < LEAST_QUESTIONS:
        yield f"{len(conversations)} conversations, {len(questions)} questions"
    for field in ("split", "language"):
        counts = Counter(told[field] for told in conversations)
        if len(counts) != 2 or len(set(counts.values())) != 1:
            yield f"{field}: {dict(counts)}, not two halves"
    for split in ("dev", "held_out"):
        half = {
            q["class"]
            for told in conversations
            if told["split"] == split
            for q in told["questions"]
        }
        if missing := (ANSWERED | UNANSWERED) - half:
            yield f"{split}: no question of class {', '.join(sorted(missing))}"
    for field in ("id", "question"):
        counts = Counter(question[field] for question in questions)
        yield from (f"{field} repeats: {text}" for text, times in counts.items() if times > 1)
    replies = [turn["reply"] for told in conversations for turn in turns_of(told).values()]
    share = sum(tokens.count(reply) >= LONG_REPLY for reply in replies) / max(len(replies), 1)
    if share < LEAST_LONG_SHARE:
        yield f"{share:.0%} of the replies are long"


def problems(conversations: Sequence[Conversation]) -> Iterator[str]:
    for told in conversations:
        yield from session_problems(told)
        yield from reply_problems(told)
        for question in told["questions"]:
            yield from (f"{question['id']}: {text}" for text in question_problems(question, told))
    yield from set_problems(conversations)


def main() -> int:
    conversations = read()
    found = list(problems(conversations))
    for text in found:
        print(text, file=sys.stderr)
    count = sum(len(told["questions"]) for told in conversations)
    print(f"{len(conversations)} conversations, {count} questions, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
