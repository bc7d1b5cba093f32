"""The questions that the product suggests with its demo are answered, in both languages."""

from pathlib import Path

from saegim.app.infrastructure import Fakes
from saegim.chat.types import NOTHING_FOUND
from saegim.cli.demo.command import DOCUMENTS, QUESTIONS
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.locales import translate
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, new_stack

FILES = {each.name: each.read_text("utf-8") for each in Path(DOCUMENTS).glob("*.*")}


async def test_suggested_questions_are_answered_without_a_model(databases: Databases) -> None:
    embedder = BundledEmbedder()
    async with new_stack(databases, Fakes(embedder=embedder)) as stack:
        await stack.services.warm_up()
        await bring_in(stack, FILES)
        for language, questions in QUESTIONS.items():
            for number, (question, expected) in enumerate(questions.items()):
                reply = await stack.say(question, **{"Saegim-Session": f"{language}-{number}"})
                first = reply["answer"].partition("\n")[0]
                assert expected.answer in first, (question, reply["answer"])
                assert reply["outcome"] in ("answered", "search_mode"), question
            hello = {"ko": "안녕하세요", "en": "Hello"}[language]
            offered = (await stack.say(hello, **{"Saegim-Session": language}))["answer"]
            starters = [line[2:] for line in offered.splitlines() if line.startswith("- ")]
            assert starters
            assert all(each.endswith("?") for each in starters), offered
        nothing = await stack.say("회사 대표 전화번호가 뭐예요?", **{"Saegim-Session": "none"})
        assert nothing["answer"] == translate(NOTHING_FOUND, "ko")
    await embedder.close()
