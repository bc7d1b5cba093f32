"""Answers of models that do not cite, or cite wrongly."""

import asyncio
from typing import Any

import pytest

from benchmarks.doubles.models import Pieces
from saegim.chat.answer import ABSTAINED, NOT_GROUNDED
from saegim.chat.types import UNSUPPORTED_MEANING
from saegim.locales import translate
from tests.integration.chat.library_stack import (
    CAREFUL,
    ask,
    assessor,
    configure,
    drafted,
    reviewed,
    scripted,
    stored_library_stack,
)
from tests.integration.library.conftest import idle
from tests.stack import Databases

pytestmark = pytest.mark.requirement("TN7")

EC2 = "EC2 비용 줄이는 방법?"
RIGHT = "예약 인스턴스는 3년 약정으로 최대 72%까지 할인됩니다."
INVENTED = "야간에 서버를 끄면 전기 요금이 45% 절약됩니다."
NOTE = translate(NOT_GROUNDED, "ko")


def on_reserved(shown: Any) -> Any:
    """Ranks the passage on reserved instances, whatever its number is."""
    blocks = shown.blocks("passage")
    first = next(n for n, block in enumerate(blocks) if "72%" in block)
    return reviewed(first, confidence=0.95)


def cited(text: str, marker: str = "1") -> str:
    return text.replace(".", f" [{marker}].")


async def test_a_model_that_never_cites_is_cited(databases: Databases) -> None:
    pieces = Pieces(tuple(RIGHT))
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: pieces)
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, EC2)

    assert (reply["answer"], reply["grounded"]) == (cited(RIGHT), True)
    assert [each["title"] for each in reply["citations"]] == ["EC2 비용 줄이기"]
    used = reply["trace"]["answer"]
    assert (used["sentences"], used["supported_sentences"]) == (1, 1)


async def test_an_invented_sentence_is_marked(databases: Databases) -> None:
    answers = iter([INVENTED, f"{RIGHT} {INVENTED}", f"{INVENTED[:-1]} [1]."])
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: next(answers))
    async with stored_library_stack(databases, models, careful=True) as stack:
        alone = await ask(stack, EC2)
        beside = await ask(stack, EC2)
        miscited = await ask(stack, EC2)

    assert alone["answer"] == f"{cited(INVENTED, '?')}\n\n{NOTE}"
    assert alone["grounded"] is False
    assert beside["answer"] == f"{cited(RIGHT)} {cited(INVENTED, '?')}"
    assert (beside["grounded"], len(beside["citations"])) == (False, 1)
    used = beside["trace"]["answer"]
    assert (used["sentences"], used["supported_sentences"]) == (2, 1)
    assert miscited["answer"] == f"{INVENTED[:-1]} [1] [?]."
    assert (miscited["grounded"], len(miscited["citations"])) == (False, 1)


async def test_an_invented_sentence_is_marked_when_it_is_recalled(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: INVENTED)
    async with stored_library_stack(databases, models, careful=True) as stack:
        first = await stack.say(EC2, **{"Saegim-Session": "first"})
        async with stack.working():
            while not await idle(stack):
                await asyncio.sleep(0.05)
        again = await stack.say(EC2, **{"Saegim-Session": "second"})
        shown = models.requests[-1]
        texts = [shown.system, *(message.text for message in shown.messages)]

    assert cited(INVENTED, "?") in "".join(texts), "the first answer is recalled"
    assert (again["answer"], again["citations"]) == (first["answer"], [])


async def test_a_translation_gets_no_markers(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: f"{RIGHT} {INVENTED}")
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, "번역해 줘: EC2 reserved instances are up to 72% cheaper.")

    assert f"{RIGHT} {INVENTED}" in reply["answer"]
    assert "[" not in reply["answer"]


async def test_a_draft_is_attributed(databases: Databases) -> None:
    def unsure(shown: Any) -> Any:
        return on_reserved(shown).model_copy(update={"confidence": 0.6})

    models = scripted(
        assessor=assessor(review=unsure),
        lite=lambda _: drafted(RIGHT),
        strong=lambda _: "쓰이지 않습니다.",
    )
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, EC2)

    assert reply["trace"]["answer"]["choice"] == "draft"
    assert reply["answer"] == cited(RIGHT)


async def test_a_strict_assistant_shows_what_is_supported_and_withholds_the_rest(
    databases: Databases,
) -> None:
    answers = iter([RIGHT, INVENTED])
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: next(answers))
    async with stored_library_stack(databases, models, careful=True) as stack:
        await configure(stack, strict=True, thresholds=CAREFUL)
        right = await ask(stack, EC2)
        invented = await ask(stack, EC2)

    assert (right["answer"], right["outcome"]) == (cited(RIGHT), "answered")
    assert (invented["answer"], invented["outcome"]) == (translate(ABSTAINED, "ko"), "abstained")


async def test_nothing_is_marked_where_no_documents_are_asked(databases: Databases) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: "반갑습니다. 오늘은 화성에 갑시다.")
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "안녕하세요")
    assert reply["answer"] == "반갑습니다. 오늘은 화성에 갑시다."


async def test_an_openai_client_reads_what_the_mark_means(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: INVENTED)
    async with stored_library_stack(databases, models, careful=True) as stack:
        body = {"model": "saegim", "messages": [{"role": "user", "content": EC2}]}
        whole = await stack.http.post("/v1/chat/completions", json=body, headers=stack.headers())
        streamed = await stack.http.post(
            "/v1/chat/completions", json={**body, "stream": True}, headers=stack.headers()
        )

    text = whole.json()["choices"][0]["message"]["content"]
    meaning = f"[?] {translate(UNSUPPORTED_MEANING, 'ko')}"
    assert text.endswith(f"{NOTE}\n\n{meaning}")
    assert meaning in streamed.text
