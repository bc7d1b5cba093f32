"""Questions with three passages, and the answers of a model that never cites.

KorQuAD has short answers, AutoRAG-ko whole ones of several sentences. An unanswerable question has
three similar passages without its own.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np

from benchmarks.library.in_memory import Postings
from benchmarks.library.sets import BenchDocument, RetrievalSet, held_out_ids, load
from saegim.chat.types import Evidence, EvidenceKind, marker
from saegim.text.analysis import passage_terms, query_terms, sentences

PASSAGES = 3


@dataclass(frozen=True, slots=True)
class GroundingCase:
    """A question, the passages of its prompt, and an answer that a scripted model writes.

    `gold` are the markers of the passages that hold the answer; none if it is unanswerable.
    """

    id: str
    question: str
    evidence: tuple[Evidence, ...]
    gold: frozenset[str]
    expected: str
    answer: str

    @property
    def is_answerable(self) -> bool:
        return bool(self.gold)


@dataclass(frozen=True, slots=True)
class _Row:
    id: str
    text: str
    gold: frozenset[str]
    expected: str


@dataclass(frozen=True)
class _Library:
    """A data set with keyword search."""

    documents: tuple[BenchDocument, ...]
    rows: tuple[_Row, ...]
    words: Postings

    @classmethod
    def of(cls, found: RetrievalSet, answers: dict[str, str], *, held_out: bool) -> "_Library":
        chosen = held_out_ids(found.name)
        rows = [
            _Row(one.id, one.text, one.gold, answers[one.id])
            for one in found.questions
            if (one.id in chosen) is held_out and answers.get(one.id)
        ]
        rows.sort(key=lambda row: sha256(row.id.encode()).digest())
        terms = [passage_terms(one.title or "", one.text) for one in found.documents]
        return cls(found.documents, tuple(rows), Postings(terms))

    def nearest(self, question: str) -> Iterator[BenchDocument]:
        points = self.words.scores(query_terms(question))
        yield from (self.documents[int(at)] for at in np.argsort(-points, kind="stable"))

    def text_of(self, document: str) -> str:
        return next(one.text for one in self.documents if one.id == document)


def load_cases(
    root: Path, name: str, answerable: int, unanswerable: int, *, held_out: bool
) -> list[GroundingCase]:
    """Return so many questions of a half of a set; the same ones each time."""
    library = _Library.of(load(root, name), _answers(root, name), held_out=held_out)
    rows = library.rows
    first = [_answerable(library, row, name) for row in rows[:answerable]]
    others = rows[answerable : answerable + unanswerable]
    return first + [
        _unanswerable(library, row, rows[-1 - number], name, number)
        for number, row in enumerate(others)
    ]


def _answers(root: Path, name: str) -> dict[str, str]:
    if name == "korquad":
        data = json.loads((root / name / "KorQuAD_v1.0_dev.json").read_text())["data"]
        asked = (one for each in data for part in each["paragraphs"] for one in part["qas"])
        return {one["id"]: one["answers"][0]["text"] for one in asked}
    lines = (root / name / "queries.jsonl").read_text().splitlines()
    return {row["_id"]: (row.get("answers") or [""])[0] for row in map(json.loads, lines)}


def _answerable(library: _Library, row: _Row, name: str) -> GroundingCase:
    gold = [one for one in library.documents if one.id in row.gold][:PASSAGES]
    near = [one for one in library.nearest(row.text) if one.id not in row.gold]
    shown = [*gold, *near[: PASSAGES - len(gold)]]
    # The right passage must not always be the first.
    turn = _digit(row.id, len(shown))
    shown = shown[turn:] + shown[:turn]
    evidence = _numbered(shown)
    markers = frozenset(each.marker for each in evidence if each.id in row.gold)
    passage = gold[0].text
    answer = _sentence(row, row.expected, passage) if name == "korquad" else row.expected
    return GroundingCase(f"{name}/{row.id}", row.text, evidence, markers, row.expected, answer)


def _unanswerable(
    library: _Library, row: _Row, other: _Row, name: str, number: int
) -> GroundingCase:
    near = (one for one in library.nearest(row.text) if one.id not in row.gold | other.gold)
    shown = [next(near) for _ in range(PASSAGES)]
    # Every second answer is the true one, which the passages do not have.
    source = row if number % 2 else other
    answer = source.expected
    if name == "korquad":
        shown = [one for one in shown if source.expected not in one.text]
        while len(shown) < PASSAGES:
            shown += [one for one in (next(near),) if source.expected not in one.text]
        answer = _sentence(
            replace(row, gold=source.gold), answer, library.text_of(min(source.gold))
        )
    return GroundingCase(
        f"{name}/{row.id}/unanswerable", row.text, _numbered(shown), frozenset(), "", answer
    )


def _sentence(row: _Row, answer: str, passage: str) -> str:
    """Return the answer in a sentence, in one of the ways that models write."""
    match _digit(row.id, 4):
        case 0:
            return f"{answer}입니다."
        case 1:
            return f"문서에 따르면 {answer}입니다."
        case 2:
            return f"{row.text.rstrip('? ')}에 대한 답은 {answer}입니다."
        case _:
            quoted = [one for one in sentences(passage) if answer in one]
            return quoted[0] if quoted else f"정답은 {answer}입니다."


def _numbered(documents: Sequence[BenchDocument]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            EvidenceKind.PASSAGE,
            one.id,
            marker(EvidenceKind.PASSAGE, number),
            one.title or "",
            one.text,
        )
        for number, one in enumerate(documents, start=1)
    )


def _digit(name: str, most: int) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[4:8]) % most
