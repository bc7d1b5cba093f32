"""The example tenant as a new user tries it, without a model."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.integration.chat.library_stack import trace
from tests.integration.library.conftest import bring_in
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack

EXAMPLE = Path(__file__).parents[2] / "examples/cost-analysis"
# Of the questions that documents answer, how many have to show one of those documents.
LEAST_FOUND = 0.85
# And of those that nothing answers, how many have to be declined without a model.
LEAST_DECLINED = 0.4


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLE / name).read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
async def example(databases: Databases) -> AsyncIterator[Stack]:
    """The example's documents behind the bundled embedder."""
    embedder = BundledEmbedder()
    async with new_stack(databases, Fakes(embedder=embedder), name="코스트렌즈") as stack:
        await stack.services.warm_up()
        files = {path.name: path.read_bytes() for path in (EXAMPLE / "documents").iterdir()}
        await bring_in(stack, files, seconds=600)
        yield stack
    await embedder.close()


async def say(stack: Stack, message: str, user: str, session: str) -> dict[str, Any]:
    response = await stack.http.post(
        "/v1/chat",
        json={"message": message},
        headers=stack.headers(user, **{"Saegim-Session": session}),
    )
    assert response.status_code == 200, response.text
    return response.json()


@pytest.mark.requirement("TN7", "TN4", "LB11")
@pytest.mark.parametrize("language", ["ko", "en"])
async def test_a_whole_conversation_in_search_mode(example: Stack, language: str) -> None:
    turns = rows(f"conversation.{language}.jsonl")
    found: list[bool] = []
    report: list[str] = []
    for turn in turns:
        reply = await say(example, turn["message"], f"user-{language}", language)
        assert reply["state"] == "done"
        assert reply["answer"].strip()
        shown = {one["document"] for one in reply["citations"]} | set(reply["ref_doc_ids"])
        markers = {one["marker"] for one in reply["citations"]}
        assert all(f"[{mark}]" in reply["answer"] for mark in markers)
        if turn["answered_from"] == "documents":
            found.append(bool(shown & set(turn["doc_ids"])))
        if turn["answered_from"] == "history" and turn["answer_holds"]:
            found.append(turn["answer_holds"] in reply["answer"])
        if turn["answered_from"] == "statement":
            assert reply["outcome"] == "search_mode"
        good = bool(shown & set(turn["doc_ids"])) or turn["answered_from"] != "documents"
        report.append(
            f"{'+' if good else '-'} {turn['answered_from']:10} {turn['message']} → "
            f"{reply['route']} {reply['outcome']} {sorted(filter(None, shown))} {turn['doc_ids']}"
        )
    assert sum(found) / len(found) >= LEAST_FOUND, "\n".join(report)


@pytest.mark.sized
@pytest.mark.requirement("TN4", "LB3")
async def test_single_questions_find_their_documents_and_others_are_declined(
    example: Stack,
) -> None:
    found: list[bool] = []
    declined: list[bool] = []
    report: list[str] = []
    for row in rows("questions.jsonl")[:: sized(5, 1)]:
        reply = await say(example, row["question"], "asker", row["id"])
        shown = {one["document"] for one in reply["citations"]}
        confidence = (await trace(example, reply["turn_id"], "asker"))["findings"]["confidence"]
        if row["doc_ids"]:
            found.append(bool(shown & set(row["doc_ids"])))
        else:
            declined.append(reply["outcome"] in ("nothing_found", "nothing_ready"))
        report.append(
            f"{confidence:.2f} {bool(row['doc_ids'])} {reply['outcome']} {row['question']}"
        )
    assert sum(found) / len(found) >= LEAST_FOUND, "\n".join(report)
    assert sum(declined) / len(declined) >= LEAST_DECLINED, "\n".join(report)
