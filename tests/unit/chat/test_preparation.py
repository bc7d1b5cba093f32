"""A message is cut to its bounds before it is masked."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast
from uuid import UUID, uuid4

import pytest

from saegim.chat.feedback.repository import PostgresFeedback
from saegim.chat.feedback.service import FeedbackService
from saegim.chat.feedback.types import Feedback
from saegim.chat.relay import LeaseTimes
from saegim.chat.service import (
    LONGEST_ENTRY,
    LONGEST_HISTORY,
    LONGEST_REF,
    MOST_REFS,
    prepare,
)
from saegim.chat.types import ChatRequest
from saegim.conversations.types import (
    RECENT_TURNS,
    ChannelMessage,
    Entity,
    HistoryEntry,
    Lease,
    NewTurn,
)
from saegim.domain.errors import Invalid, NotFound, TooLarge
from saegim.domain.ids import SystemClock
from saegim.domain.scope import Scope
from saegim.text.masking import MaskedText, mask
from saegim.text.masking_pool import MaskWorkers
from saegim.usage.repository import PostgresUsage

ID = "900101-1234568"


class RecordingMasking(MaskWorkers):
    def __init__(self) -> None:
        super().__init__()
        self.characters = 0

    async def mask(self, texts: Sequence[str]) -> list[MaskedText]:
        self.characters += sum(map(len, texts))
        return [mask(text) for text in texts]


async def prepared(request: ChatRequest) -> tuple[NewTurn, int]:
    masking = RecordingMasking()
    lease, now = Lease(uuid4(), 1), datetime.now(UTC)
    new = await prepare(request, LeaseTimes(), lease, uuid4(), now, masking=masking)
    return new, masking.characters


async def test_only_turns_that_are_read_are_masked() -> None:
    history = tuple(HistoryEntry(f"{ID} {'가 ' * 2_000}{n}", "답") for n in range(100))
    new, characters = await prepared(ChatRequest("질문", history=history))
    assert new.inputs.history is not None
    assert [entry.message[-2:] for entry in new.inputs.history] == ["95", "96", "97", "98", "99"]
    assert "900101" not in new.inputs.history[0].message
    assert characters < RECENT_TURNS * 4_100


async def test_long_entries_and_long_histories_are_cut_before_masking() -> None:
    entry = HistoryEntry("a b " * 50_000, "c d " * 50_000, ("r" * 200_000,) * 30)
    new, characters = await prepared(ChatRequest("질문", history=(entry,) * 5))
    assert new.inputs.history is not None
    assert new.inputs.history, "the newest turn stays"
    assert characters <= LONGEST_HISTORY + 10
    for kept in new.inputs.history:
        assert max(len(kept.message), len(kept.summary)) <= LONGEST_ENTRY
        assert len(kept.refs) == MOST_REFS
        assert max(map(len, kept.refs)) == LONGEST_REF


async def test_every_text_of_a_request_is_masked_in_its_place() -> None:
    request = ChatRequest(
        f"내 번호 {ID}",
        instructions=f"말투 {ID}",
        channel_messages=(ChannelMessage(f"민지 {ID}", f"들은 말 {ID}"),),
        history=(HistoryEntry(f"물음 {ID}", f"답 {ID}", entities=(Entity("k", ID, 3),)),),
    )
    new, _ = await prepared(request)
    one = "[NATIONAL_ID]"
    assert new.message == f"내 번호 {one}"
    assert new.inputs.masked == ("national_id",)
    assert new.inputs.instructions == f"말투 {one}"
    assert new.inputs.channel_messages == (ChannelMessage(f"민지 {one}", f"들은 말 {one}"),)
    assert new.inputs.history == (
        HistoryEntry(f"물음 {one}", f"답 {one}", entities=(Entity("k", one, 3),)),
    )


async def test_too_long_and_empty_messages_are_refused_unmasked() -> None:
    for message, refusal in (("낱말 " * 20_000, TooLarge), (" \n", Invalid)):
        with pytest.raises(refusal):
            await prepared(ChatRequest(message))


class NobodysTurns:
    """A store in which no turn is the caller's."""

    async def require_turn(self, scope: Scope, turn: UUID) -> None:
        raise NotFound("turn")


async def test_feedback_looks_its_turn_up_before_masking() -> None:
    masking = RecordingMasking()
    opinions = FeedbackService(
        cast("PostgresFeedback", NobodysTurns()),
        masking,
        SystemClock(),
        cast("PostgresUsage", None),
    )
    with pytest.raises(NotFound):
        await opinions.give(
            Scope(uuid4(), uuid4(), uuid4()), uuid4(), Feedback("up", "1234 " * 4_000)
        )
    assert masking.characters == 0
