"""Answers of models that do not cite, or state what no source has."""

import asyncio
from typing import Any

import pytest

from benchmarks.doubles.models import Pieces
from saegim.chat.answer import ABSTAINED
from saegim.chat.grounding.support import no_source
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
LINE = no_source(["45%"], "ko")


def on_reserved(shown: Any) -> Any:
    """Ranks the passage on reserved instances, whatever its number is."""
    blocks = shown.blocks("passage")
    first = next(n for n, block in enumerate(blocks) if "72%" in block)
    return reviewed(first, confidence=0.95)


def cited(text: str, marker: str) -> str:
    return text.replace(".", f" [{marker}].")


def source(reply: Any) -> str:
    """Return the marker of the only citation of a reply."""
    [citation] = reply["citations"]
    return citation["marker"]


async def test_a_model_that_never_cites_is_cited(databases: Databases) -> None:
    pieces = Pieces(tuple(RIGHT))
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: pieces)
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, EC2)

    assert (reply["answer"], reply["grounded"]) == (cited(RIGHT, source(reply)), True)
    assert [each["title"] for each in reply["citations"]] == ["EC2 비용 줄이기"]
    used = reply["trace"]["answer"]
    assert (used["sentences"], used["supported_sentences"]) == (1, 1)


async def test_a_line_names_what_has_no_source(databases: Databases) -> None:
    answers = iter([INVENTED, f"{RIGHT} {INVENTED}", f"{INVENTED[:-1]} [1]."])
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: next(answers))
    async with stored_library_stack(databases, models, careful=True) as stack:
        alone = await ask(stack, EC2)
        beside = await ask(stack, EC2)
        miscited = await ask(stack, EC2)

    assert (alone["answer"], alone["grounded"]) == (f"{INVENTED}\n\n{LINE}", False)
    assert beside["answer"] == f"{cited(RIGHT, source(beside))} {INVENTED}\n\n{LINE}"
    assert beside["grounded"] is False
    used = beside["trace"]["answer"]
    assert (used["sentences"], used["supported_sentences"]) == (2, 1)
    assert miscited["answer"] == f"{INVENTED[:-1]} [1].\n\n{LINE}"
    assert (miscited["grounded"], len(miscited["citations"])) == (False, 1)


async def test_an_invented_number_has_no_source_when_it_is_recalled(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: INVENTED)
    async with stored_library_stack(databases, models, careful=True) as stack:
        first = await stack.say(EC2, **{"Saegim-Session": "first"})
        async with stack.working():
            while not await idle(stack):
                await asyncio.sleep(0.05)
        again = await stack.say(EC2, **{"Saegim-Session": "second"})
        shown = models.requests[-1]
        texts = [shown.system, *(message.text for message in shown.messages)]

    assert INVENTED in "".join(texts), "the first answer is recalled"
    assert (again["answer"], again["citations"]) == (first["answer"], [])


async def test_a_translation_is_not_checked(databases: Databases) -> None:
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: f"{RIGHT} {INVENTED}")
    async with stored_library_stack(databases, models, careful=True) as stack:
        reply = await ask(stack, "번역해 줘: “EC2 reserved instances are up to 72% cheaper.”")

    assert (reply["answer"], reply["grounded"]) == (f"{RIGHT} {INVENTED}", None)


async def test_a_draft_is_attributed(databases: Databases) -> None:
    def unsure(shown: Any) -> Any:
        return on_reserved(shown).model_copy(update={"confidence": 0.6})

    models = scripted(
        assessor=assessor(review=unsure),
        lite=lambda _: drafted(RIGHT),
        strong=lambda _: "쓰이지 않습니다.",
    )
    async with stored_library_stack(databases, models, careful=True) as stack:
        await configure(stack, **CAREFUL)
        reply = await ask(stack, EC2)

    assert reply["trace"]["answer"]["choice"] == "draft"
    assert reply["answer"] == cited(RIGHT, source(reply))


async def test_a_strict_assistant_shows_what_is_supported_and_withholds_the_rest(
    databases: Databases,
) -> None:
    answers = iter([RIGHT, INVENTED])
    models = scripted(assessor=assessor(review=on_reserved), lite=lambda _: next(answers))
    async with stored_library_stack(databases, models, careful=True) as stack:
        await configure(stack, strict=True, **CAREFUL)
        right = await ask(stack, EC2)
        invented = await ask(stack, EC2)

    assert (right["answer"], right["outcome"]) == (cited(RIGHT, source(right)), "answered")
    assert (invented["answer"], invented["outcome"]) == (translate(ABSTAINED, "ko"), "abstained")


async def test_nothing_is_checked_where_no_documents_are_asked(databases: Databases) -> None:
    models = scripted(assessor=assessor(), lite=lambda _: "반갑습니다. 오늘은 화성에 45번 갑시다.")
    async with stored_library_stack(databases, models) as stack:
        reply = await ask(stack, "안녕하세요")
    assert reply["answer"] == "반갑습니다. 오늘은 화성에 45번 갑시다."
    assert reply["grounded"] is None
