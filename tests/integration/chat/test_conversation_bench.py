"""One session of the conversation benchmark, sent and judged as `make bench-conversation` does."""

from datetime import UTC, datetime
from typing import Any

from benchmarks.conversation.messages import Message
from benchmarks.conversation.run import Users, figures
from saegim.app.infrastructure import Fakes
from saegim.evaluation.play import StageClock
from saegim.llm.bundled_embedders import BundledEmbedder
from tests.stack import Databases, new_stack

START = datetime(2037, 6, 8, 9, tzinfo=UTC)


def message(number: int, kind: str, text: str, **expected: Any) -> Message:
    return Message.model_validate(
        {
            "id": f"t-{number}",
            "user": "junho",
            "documents": "office",
            "session": "first",
            "at": START.replace(minute=number),
            "language": "ko",
            "kind": kind,
            "message": text,
            **expected,
        }
    )


async def test_a_session_is_sent_in_order_and_judged_by_its_answers(databases: Databases) -> None:
    known = {"first": [["갑각류"]], "cites": []}
    fakes = Fakes(embedder=BundledEmbedder())
    async with new_stack(databases, fakes) as stack, stack.working():
        users = Users(stack.services, StageClock(START), {"office": stack.tenant.key})
        # As if the user had asked to forget it; the product was never told, so it repeats it.
        stated = await users.send(
            message(1, "statement", "저는 갑각류 알레르기가 있어요.", forgets=["갑각류"])
        )
        right = await users.send(message(2, "self_now", "제가 무슨 알레르기 있다고 했죠?", **known))
        wrong = await users.send(
            message(3, "self_now", "제가 무슨 알레르기 있다고 했죠?", first=[["땅콩"]])
        )

    assert stated.answer.text
    assert not stated.repeats_forgotten
    assert right.repeats_forgotten, right.answer.text
    assert list(right.failures) == ["repeats what was forgotten: 갑각류"], right.answer.text
    assert "does not begin with 땅콩" in wrong.failures
    found = figures("dev", [stated, right, wrong])
    assert found["dev.forgotten_repeated"] == 2
    assert found["dev.messages"] == 3
