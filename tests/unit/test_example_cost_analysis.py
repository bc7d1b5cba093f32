import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from saegim.library.parsing.formats.markdown import split_front_matter

EXAMPLE = Path(__file__).parents[2] / "examples/cost-analysis"
LABELLED = ("conversation.ko.jsonl", "conversation.en.jsonl", "questions.jsonl")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLE / name).read_text("utf-8").splitlines()]


def texts() -> Iterator[tuple[str, str]]:
    """The id and text of every document, each entry of the FAQ being one."""
    for path in sorted((EXAMPLE / "documents").glob("*.md")):
        matter, text = split_front_matter(path.read_text("utf-8"))
        assert matter.id is not None
        assert matter.title is not None
        assert path.name == f"{matter.id}.{matter.others['language']}.md"
        assert re.fullmatch(rf"{matter.type}-\d+", matter.id)
        yield matter.id, text
    for entry in json.loads((EXAMPLE / "documents/faq.json").read_text("utf-8")):
        yield entry["id"], f"{entry['question']} {entry['answer']}"


def test_there_are_sixty_documents_and_their_ids_are_their_own() -> None:
    ids = [name for name, _ in texts()]
    assert len(set(ids)) == len(ids)
    faq = json.loads((EXAMPLE / "documents/faq.json").read_text("utf-8"))
    groups = {entry["group"] for entry in faq}
    assert len(faq) >= 40
    assert len(ids) - len(faq) + len(groups) == 60


@pytest.mark.parametrize("name", LABELLED)
def test_every_expected_answer_stands_in_an_expected_document(name: str) -> None:
    documents = dict(texts())
    for row in rows(name):
        if row["doc_ids"]:
            answering = [documents[found] for found in row["doc_ids"]]
            assert row["answer_holds"] in answering[0], row


def test_a_document_that_names_another_names_one_that_exists() -> None:
    documents = dict(texts())
    named = {
        (source, found)
        for source, text in documents.items()
        for found in re.findall(r"`((?:guide|setup|ts|sop|manual|myservice|gcb|faq)-\d+)`", text)
    }
    assert len(named) > 10
    assert [pair for pair in sorted(named) if pair[1] not in documents] == []


def test_the_conversations_and_questions_are_whole() -> None:
    for name in LABELLED[:2]:
        assert [row["turn"] for row in rows(name)] == list(range(1, 21))
    questions = rows(LABELLED[2])
    assert sum(bool(row["doc_ids"]) for row in questions) >= 60
    assert sum(not row["doc_ids"] for row in questions) == 20
