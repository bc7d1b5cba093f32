"""The questions that the product suggests with its demo are answered, in both languages."""

from pathlib import Path
from typing import Any
from uuid import uuid4

from saegim.app.infrastructure import Fakes
from saegim.chat.types import NOTHING_FOUND
from saegim.cli.demo.command import DOCUMENTS, QUESTIONS
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.locales import translate
from saegim.offline.texts import CLOSEST
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack

FILES = {each.name: each.read_text("utf-8") for each in Path(DOCUMENTS).glob("*.*")}


async def test_suggested_questions_are_answered_without_a_model(databases: Databases) -> None:
    embedder = BundledEmbedder()
    async with new_stack(databases, Fakes(embedder=embedder)) as stack:
        await stack.services.warm_up()
        await bring_in(stack, FILES)
        for language, questions in QUESTIONS.items():
            turns: list[str] = []
            for question, expected in questions.items():
                reply = await ask(stack, question)
                assert expected.answer in reply["answer"].partition("\n")[0], (question, reply)
                turns.append(reply["turn_id"])
            starters = (await get(stack, "/v1/assistant/starters", language))["starters"]
            hello = await ask(stack, {"ko": "안녕하세요", "en": "Hello"}[language])
            offered = [line[2:] for line in hello["answer"].splitlines() if line.startswith("- ")]
            assert offered
            assert set(offered) <= set(starters)
            near = (await get(stack, f"/v1/turns/{turns[0]}/suggestions", language))["suggestions"]
            assert len(starters) == 4
            assert near
            for question in [*starters, *near]:
                reply = await ask(stack, question)
                assert reply["citations"], (question, reply["answer"])
                assert reply["citations"][0]["title"] in question, (question, reply["answer"])
        nothing = await stack.say("회사 대표 전화번호가 뭐예요?", **{"Saegim-Session": "none"})
        assert nothing["outcome"] == "nothing_found"
        assert nothing["answer"].startswith(
            tuple(translate(each, "ko") for each in (NOTHING_FOUND, CLOSEST))
        )
    await embedder.close()


async def ask(stack: Stack, question: str) -> dict[str, Any]:
    """Ask in a new session; the reply must be an answer."""
    reply = await stack.say(question, **{"Saegim-Session": f"new {uuid4()}"})
    assert reply["outcome"] in ("answered", "search_mode"), (question, reply["answer"])
    return reply


async def get(stack: Stack, path: str, language: str) -> dict[str, Any]:
    headers = stack.headers("alice", **{"Accept-Language": language})
    return (await stack.http.get(path, headers=headers)).json()
