"""Read the retrieval data sets in `SAEGIM_BENCH_DATA`."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDS = 5
DATA = Path(__file__).parents[1] / "data"
KOREAN_MEMORY = DATA / "korean_memory"
HELD_OUT_FILE = DATA / "held_out.json"
CROSS_LANGUAGE = DATA / "cross_language.jsonl"


@dataclass(frozen=True, slots=True)
class BenchDocument:
    id: str
    title: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the documents that answer it."""

    id: str
    text: str
    gold: frozenset[str]

    @property
    def fold(self) -> int:
        """Returns the fold of a question, by a hash of its id."""
        return int.from_bytes(sha256(self.id.encode()).digest()[:4]) % FOLDS


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    name: str
    documents: tuple[BenchDocument, ...]
    questions: tuple[Question, ...]

    @property
    def held_out(self) -> tuple[Question, ...]:
        """Returns the questions that nothing is tuned on."""
        chosen = held_out_ids(self.name)
        return tuple(one for one in self.questions if one.id in chosen)

    @property
    def dev(self) -> tuple[Question, ...]:
        """Returns the questions to tune on."""
        chosen = held_out_ids(self.name)
        return tuple(one for one in self.questions if one.id not in chosen)


@cache
def held_out_ids(name: str) -> frozenset[str]:
    """Returns the held-out questions of a set: by SHA-256 of the id, every second one."""
    name = "cross_language" if name in CROSS_LANGUAGE_SETS else name
    return frozenset(json.loads(HELD_OUT_FILE.read_text("utf-8"))[name])


def folder() -> Path | None:
    """Returns the folder of the sets, if it is configured."""
    named = os.environ.get("SAEGIM_BENCH_DATA")
    return Path(named) if named and Path(named).is_dir() else None


def load(root: Path, name: str) -> RetrievalSet:
    """Load one of `NAMES`."""
    if name == "korquad":
        return _korquad(root / name / "KorQuAD_v1.0_dev.json")
    if name == "locomo_sessions":
        return _locomo_sessions(root / "locomo")
    if name == "korean_memory_sessions":
        return _korean_memory_sessions()
    if name in CROSS_LANGUAGE_SETS:
        return _cross_language(root, name)
    return _beir(root / _FOLDERS.get(name, name), name)


def small(whole: RetrievalSet, questions: int | None, documents: int | None) -> RetrievalSet:
    """Returns the first questions, with their answers and others up to so many documents."""
    asked = whole.questions[:questions]
    gold = frozenset[str]().union(*(one.gold for one in asked))
    left = None if documents is None else max(0, documents - len(gold))
    others = [one for one in whole.documents if one.id not in gold][:left]
    chosen = {one.id for one in others} | gold
    kept = tuple(one for one in whole.documents if one.id in chosen)
    return RetrievalSet(whole.name, kept, asked)


# The ranking was tuned on the dev halves of these five (ADR 0007).
CHOSEN_ON = ("korquad", "autorag_ko", "ko_strategyqa_facts", "twowiki", "mtragun_last")
# Held out: chat logs as documents, one per session.
HELD_OUT = ("locomo_sessions", "korean_memory_sessions")
NAMES = CHOSEN_ON + HELD_OUT
# Our own questions in one language over the documents of a set in the other.
CROSS_LANGUAGE_SETS = {"cross_ko_en": "mtragun_last", "cross_en_ko": "korquad"}
# In a conversation, the last turn is the question.
_FOLDERS = {"mtragun_last": "mtragun"}


def _cross_language(root: Path, name: str) -> RetrievalSet:
    direction = name.removeprefix("cross_").replace("_", "-")
    questions = tuple(
        Question(row["_id"], row["text"], frozenset(row["gold"]))
        for row in _rows(CROSS_LANGUAGE)
        if row["_id"].startswith(direction)
    )
    return RetrievalSet(name, load(root, CROSS_LANGUAGE_SETS[name]).documents, questions)


def _beir_gold(path: Path) -> dict[str, set[str]]:
    gold: dict[str, set[str]] = {}
    for line in (path / "qrels.tsv").read_text().splitlines()[1:]:
        question, document, score = line.split("\t")
        if int(score) > 0:
            gold.setdefault(question, set()).add(document)
    return gold


def _beir(path: Path, name: str) -> RetrievalSet:
    gold = _beir_gold(path)
    documents = tuple(
        BenchDocument(row["_id"], row.get("title") or None, row["text"])
        for row in _rows(path / "corpus.jsonl")
    )
    questions = tuple(
        Question(row["_id"], row["text"], frozenset(gold[row["_id"]]))
        for row in _rows(path / "queries.jsonl")
        if row["_id"] in gold
    )
    return RetrievalSet(name, documents, questions)


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open() as lines:
        yield from map(json.loads, lines)


def _korquad(path: Path) -> RetrievalSet:
    """Passages are the unique contexts; the answer of a question is its own context."""
    ids: dict[str, str] = {}
    questions: list[Question] = []
    for article in json.loads(path.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            text = paragraph["context"].strip()
            document = ids.setdefault(text, f"k{len(ids)}")
            questions.extend(
                Question(asked["id"], asked["question"], frozenset({document}))
                for asked in paragraph["qas"]
            )
    documents = tuple(BenchDocument(document, None, text) for text, document in ids.items())
    return RetrievalSet("korquad", documents, tuple(questions))


def _locomo_sessions(path: Path) -> RetrievalSet:
    """All conversations in one library; answers are the sessions with a labelled turn."""
    sessions: dict[str, list[str]] = {}
    session_of: dict[str, str] = {}
    for row in _rows(path / "corpus.jsonl"):
        session = f"{row['group']}/{row['session']}"
        session_of[row["_id"]] = session
        # The first line of a session is its date, as in a chat log.
        lines = sessions.setdefault(session, [row["date"]])
        lines.append(f"{row['speaker']}: {row['text']}")
    turns = _beir_gold(path)
    gold = {
        question: frozenset(session_of[turn] for turn in found) for question, found in turns.items()
    }
    return _of_sessions("locomo_sessions", sessions, gold, _rows(path / "queries.jsonl"))


def _korean_memory_sessions() -> RetrievalSet:
    """Conversations of all five users in one library; questions of both halves."""
    sessions: dict[str, list[str]] = {}
    gold: dict[str, frozenset[str]] = {}
    queries: list[Mapping[str, Any]] = []
    for path in sorted(KOREAN_MEMORY.glob("p*.json")):
        person = json.loads(path.read_text("utf-8"))
        for session in person["sessions"]:
            turns = [
                f"{person['person']['name']}: {one['message']}\n{one['reply']}"
                for one in session["turns"]
            ]
            sessions[session["id"]] = [session["started_at"][:10], *turns]
        for one in person["questions"]:
            if one["evidence"]:
                found = (turn.rpartition("-")[0] for turn in one["evidence"])
                gold[one["id"]] = frozenset(found)
                queries.append({"_id": one["id"], "text": one["question"]})
    return _of_sessions("korean_memory_sessions", sessions, gold, queries)


def _of_sessions(
    name: str,
    sessions: Mapping[str, list[str]],
    gold: Mapping[str, frozenset[str]],
    queries: Iterable[Mapping[str, Any]],
) -> RetrievalSet:
    documents = tuple(
        BenchDocument(session, None, "\n\n".join(lines)) for session, lines in sessions.items()
    )
    questions = tuple(
        Question(row["_id"], row["text"], gold[row["_id"]]) for row in queries if row["_id"] in gold
    )
    return RetrievalSet(name, documents, questions)
