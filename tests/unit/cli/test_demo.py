import json
from pathlib import Path

from saegim.cli.demo.command import DOCUMENTS, QUESTIONS

LABELLED = Path(__file__).parents[3] / "examples/cost-analysis/questions.jsonl"


def test_each_suggested_question_is_answered_by_a_document_of_the_package() -> None:
    lines = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    labelled = {line["question"]: line for line in lines}
    for language, questions in QUESTIONS.items():
        assert len(questions) == 3
        for question, expected in questions.items():
            assert labelled[question]["language"] == language
            assert expected.document in labelled[question]["doc_ids"]
            (document,) = DOCUMENTS.glob(f"{expected.document}.*")
            assert expected.answer in document.read_text("utf-8")
