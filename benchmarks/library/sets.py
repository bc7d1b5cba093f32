"""The retrieval sets under `SAEGIM_BENCH_DATA`: read where they are, never copied."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDS = 5


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
        """Which fold it is left out in, by a stable hash of its id."""
        return int.from_bytes(sha256(self.id.encode()).digest()[:4]) % FOLDS


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    name: str
    documents: tuple[BenchDocument, ...]
    questions: tuple[Question, ...]


def folder() -> Path | None:
    """Where the sets are, if they are."""
    named = os.environ.get("SAEGIM_BENCH_DATA")
    return Path(named) if named and Path(named).is_dir() else None


def load(root: Path, name: str) -> RetrievalSet:
    """One of `NAMES`."""
    if name == "korquad":
        return _korquad(root / name / "KorQuAD_v1.0_dev.json")
    return _beir(root / _FOLDERS.get(name, name), name)


def small(whole: RetrievalSet, questions: int | None, documents: int | None) -> RetrievalSet:
    """The first questions, with what answers them and others up to so many documents."""
    asked = whole.questions[:questions]
    gold = frozenset[str]().union(*(one.gold for one in asked))
    left = None if documents is None else max(0, documents - len(gold))
    others = [one for one in whole.documents if one.id not in gold][:left]
    chosen = {one.id for one in others} | gold
    kept = tuple(one for one in whole.documents if one.id in chosen)
    return RetrievalSet(whole.name, kept, asked)


NAMES = ("korquad", "autorag_ko", "ko_strategyqa_facts", "twowiki", "mtragun_last")
# Of several turns, the last one is the question, as it was asked.
_FOLDERS = {"mtragun_last": "mtragun"}


def _beir(path: Path, name: str) -> RetrievalSet:
    gold: dict[str, set[str]] = {}
    for line in (path / "qrels.tsv").read_text().splitlines()[1:]:
        question, document, score = line.split("\t")
        if int(score) > 0:
            gold.setdefault(question, set()).add(document)
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
    """Passages are the unique contexts; a question's gold is its own."""
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
