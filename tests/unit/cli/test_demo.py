import json
from pathlib import Path

from saegim.cli.demo.command import DOCUMENTS, QUESTIONS

LABELLED = Path(__file__).parents[3] / "examples/cost-analysis/questions.jsonl"


def test_each_suggested_question_is_answered_by_a_document_of_the_package() -> None:
    lines = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    labelled = {line["question"]: line for line in lines}
    for language, questions in QUESTIONS.items():
        assert len(questions) == 3
        for question, document in questions.items():
            assert labelled[question]["language"] == language
            assert document in labelled[question]["doc_ids"]
            assert list(DOCUMENTS.glob(f"{document}.*"))
