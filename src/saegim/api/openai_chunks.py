"""Turn events as chunks of a streamed OpenAI completion."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi.encoders import jsonable_encoder
from fastapi.sse import format_sse_event

from saegim.api.problems import openai_error
from saegim.api.schemas.openai import (
    Usage,
    completion_id,
    extras_of,
    finish_reason,
    tool_calls,
)
from saegim.api.sse import HEARTBEAT, beating
from saegim.chat.events import Done, Event, Restart, Token
from saegim.chat.types import Reply
from saegim.conversations.types import Turn, TurnState
from saegim.domain.errors import SaegimError, Unavailable
from saegim.domain.scope import Locale

END = format_sse_event(data_str="[DONE]")


@dataclass(frozen=True, slots=True)
class Chunks:
    """The chunks of one turn. `usage` is called at the end, if the client asked for usage."""

    turn: Turn
    model: str
    locale: Locale
    usage: Callable[[Reply], Awaitable[Usage]] | None = None

    async def lines(self, events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
        yield self._choice({"role": "assistant", "content": ""})
        try:
            async for event in beating(events):
                match event:
                    case None:
                        yield HEARTBEAT
                    case Token(text=text):
                        yield self._choice({"content": text})
                    case Restart():
                        # The protocol cannot retract text.
                        raise Unavailable("the answer was restarted; send the request again")
                    case Done(reply=reply):
                        async for line in self._last(reply):
                            yield line
                    case _:
                        pass
        except SaegimError as error:
            yield _data({"error": openai_error(error, self.locale).model_dump()})
        yield END

    async def _last(self, reply: Reply) -> AsyncIterator[bytes]:
        raise_if_failed(reply)
        calls = [
            each.model_dump(exclude={"index"}) | {"index": number}
            for number, each in enumerate(tool_calls(reply.calls))
        ]
        if calls:
            yield self._choice({"tool_calls": calls})
        extras = jsonable_encoder(extras_of(reply))
        yield self._choice({}, finish_reason(reply), extras)
        if self.usage is not None:
            used = await self.usage(reply)
            yield self._chunk([], {"usage": used.model_dump()})

    def _choice(
        self,
        delta: Mapping[str, Any],
        finished: str | None = None,
        extras: Mapping[str, Any] | None = None,
    ) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finished, "logprobs": None}
        return self._chunk([choice], extras or {})

    def _chunk(self, choices: list[dict[str, Any]], extras: Mapping[str, Any]) -> bytes:
        return _data(
            {
                "id": completion_id(self.turn.id),
                "object": "chat.completion.chunk",
                "created": int(self.turn.created_at.timestamp()),
                "model": self.model,
                "choices": choices,
                **extras,
            }
        )


def raise_if_failed(reply: Reply) -> None:
    """Raises Unavailable for a failed turn: the protocol has no failed state."""
    if reply.state is TurnState.FAILED:
        raise Unavailable(reply.error or "")


def _data(body: Mapping[str, Any]) -> bytes:
    return format_sse_event(data_str=json.dumps(body, ensure_ascii=False))
