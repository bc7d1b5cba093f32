"""The client. All requests can be repeated: a lost connection never creates a second turn."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache, partial
from ssl import SSLContext
from typing import Any, Literal, Self
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2

from saegim.client.admin import AdminCalls
from saegim.client.calls import parse, parse_pages
from saegim.client.community import CommunityCalls
from saegim.client.errors import TOO_MANY, TRY_AGAIN, StreamInterrupted, Unreachable, problem_of
from saegim.client.events import Done, Event, TurnOpened, read
from saegim.client.library import LibraryCalls, encoded
from saegim.client.memories import Memories
from saegim.client.models import ModelCalls
from saegim.client.types import (
    AssistantSaid,
    ChannelContext,
    ChatReply,
    Evaluation,
    Ready,
    Session,
    SessionContext,
    Trace,
    Turn,
    TurnRemembered,
    UserSaid,
)


@dataclass(frozen=True, slots=True)
class Retry:
    """Retries with exponential backoff."""

    retries: int = 4
    first_pause: float = 0.25
    longest_pause: float = 10.0

    def pause(self, failures: int, retry_after: str | None = None) -> float | None:
        """Return the seconds to wait after so many failures, or None to give up.

        Respects `Retry-After` in seconds, up to the longest pause; ignores its date form.
        """
        if failures > self.retries:
            return None
        seconds = self.first_pause * 2 ** (failures - 1)
        if retry_after is not None and retry_after.isascii() and retry_after.isdigit():
            seconds = max(seconds, float(retry_after[:9]))
        return min(seconds, self.longest_pause)


@cache
def trusted(environment: bool) -> SSLContext:
    """Return the certificates of the system or of the environment.

    Cached: loading them takes 15 ms or more, too long for a client per request."""
    return httpx2.create_ssl_context(trust_env=environment)


LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
SOON = frozenset(str(seconds) for seconds in range(11))
VISIBLE_ASCII = "".join(map(chr, range(0x21, 0x7F)))


class SaegimClient(AdminCalls, LibraryCalls, CommunityCalls, ModelCalls):
    """Calls one server with one key. Use as an async context manager.

    `user`, `profile` and `session` are names of your choice, in any language. A key that is bound
    to a user takes no `user`. Without a session, every message starts a new one.
    """

    def __init__(  # noqa: PLR0913 - optional keywords
        self,
        base_url: str,
        key: str,
        *,
        user: str | None = None,
        profile: str | None = None,
        session: str | None = None,
        timeout: float = 60.0,
        retry: Retry | None = None,
        language: str | None = None,
        headers: Mapping[str, str] | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        names = {"Saegim-User": user, "Saegim-Profile": profile}
        sent = {name: encoded(value) for name, value in names.items() if value is not None}
        if key:  # `ready` needs none
            sent["Authorization"] = f"Bearer {key}"
        if language is not None:
            sent["Accept-Language"] = language
        self._session = session
        self._speaker: dict[str, str] = {}
        self._retry = retry or Retry()
        # No proxy for loopback addresses.
        environment = httpx2.URL(base_url).host not in LOOPBACK
        self._http = httpx2.AsyncClient(
            base_url=base_url,
            headers=sent | dict(headers or {}),
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 5.0)),
            transport=transport,
            trust_env=environment,
            verify=trusted(environment),
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._http.__aexit__(*error)

    def speaking_for(
        self, user: str, profile: str | None = None, language: str | None = None
    ) -> "SaegimClient":
        """Return a client for another user, with the connections and the key of this one."""
        names = {"Saegim-User": user, "Saegim-Profile": profile}
        speaker = {name: encoded(value) for name, value in names.items() if value}
        if language is not None:
            speaker["Accept-Language"] = language
        other = copy(self)
        other._speaker = speaker  # noqa: SLF001 - of the same class
        return other

    async def chat(
        self,
        message: str,
        *,
        session: str | None = None,
        idempotency_key: str | None = None,
        chat_history: Sequence[UserSaid | AssistantSaid] | None = None,
        selected_doc_ids: Sequence[str] = (),
        temporary: bool = False,
    ) -> ChatReply:
        """Send a message and return the answer. Raises `SaegimProblem` or `Unreachable`.

        With `temporary`, long-term memory stores nothing of the session."""
        body = _body(message, chat_history, selected_doc_ids)
        if temporary:
            body["temporary"] = True
        headers = self._turn_headers(session, idempotency_key)
        return await parse(ChatReply, self._call("POST", "/v1/chat", json=body, headers=headers))

    async def stream(
        self,
        message: str,
        *,
        session: str | None = None,
        idempotency_key: str | None = None,
        chat_history: Sequence[UserSaid | AssistantSaid] | None = None,
        selected_doc_ids: Sequence[str] = (),
        channel_context: ChannelContext | None = None,
    ) -> AsyncIterator[Event]:
        """Send a message and yield the events of the answer; the last is `Done`. Reconnects if
        needed."""
        body = _body(message, chat_history, selected_doc_ids) | {"stream": True}
        if channel_context is not None:
            body["channel_context"] = channel_context.model_dump(mode="json")
        headers = self._speaker | self._turn_headers(session, idempotency_key)
        start = self._http.build_request("POST", "/v1/chat", json=body, headers=headers)
        async for event in self._follow(start, None):
            yield event

    async def follow(self, turn: UUID, last_event_id: str | None = None) -> AsyncIterator[Event]:
        """Yield the events of a turn that was sent before."""
        async for event in self._follow(self._rest_of(turn, last_event_id), turn):
            yield event

    async def turn(self, turn: UUID) -> Turn:
        return await parse(Turn, self._call("GET", f"/v1/turns/{turn}"))

    async def trace(self, turn: UUID) -> Trace:
        """Return the trace of a finished turn."""
        return await parse(Trace, self._call("GET", f"/v1/turns/{turn}/trace"))

    async def cancel(self, turn: UUID) -> Turn:
        """Cancel a turn; keeps the part of the answer that was shown."""
        return await parse(Turn, self._call("POST", f"/v1/turns/{turn}/cancel"))

    def turns(self, session_id: UUID) -> AsyncIterator[Turn]:
        """Yield the turns of a session, in order."""
        path = f"/v1/sessions/{session_id}/turns"
        return parse_pages(Turn, "turns", partial(self._call, "GET", path), after=0)

    async def last_turn(self) -> Turn | None:
        """Return the last turn of the session that the user used last."""
        async for session in self.sessions(count=1):
            path = f"/v1/sessions/{session.session_id}/turns"
            get, last = partial(self._call, "GET", path), None
            # The numbers begin at one and may have gaps.
            async for turn in parse_pages(Turn, "turns", get, after=max(0, session.turns - 1)):
                last = turn
            if last is None:
                # The newest turn is on another branch.
                async for turn in parse_pages(Turn, "turns", get, after=0):
                    last = turn
            return last
        return None

    def sessions(self, count: int = 50) -> AsyncIterator[Session]:
        """Yield the sessions of the user, last used first, in pages of `count`."""
        get = partial(self._call, "GET", "/v1/sessions")
        return parse_pages(Session, "sessions", get, count=count)

    async def context(self, session_id: UUID) -> SessionContext:
        """Return the context the model would get for the next message of a session."""
        return await parse(SessionContext, self._call("GET", f"/v1/sessions/{session_id}/context"))

    async def remembered(self, turn: UUID) -> TurnRemembered:
        """Return the memories of a turn; `reading` is `waiting` until it is processed."""
        return await parse(TurnRemembered, self._call("GET", f"/v1/turns/{turn}/memories"))

    async def take_back(self, turn: UUID) -> int:
        """Forget the memories of a turn, and return how many."""
        response = await self._call("DELETE", f"/v1/turns/{turn}/memories")
        return int(response.json()["forgotten"])

    async def delete_session(self, session_id: UUID, *, derived: bool = False) -> int:
        """Delete a session, and with `derived` the memories that come only from it. Returns the
        number of turns."""
        params = {"derived": int(derived)}
        response = await self._call("DELETE", f"/v1/sessions/{session_id}", params=params)
        return int(response.json()["turns"])

    async def consent(self, memory: bool | None = None) -> bool:
        """Turn long-term memory on or off, if a value is given, and return the setting."""
        if memory is None:
            response = await self._call("GET", "/v1/consent")
        else:
            response = await self._call(
                "PUT", "/v1/consent", json=dict.fromkeys(("learning", "using"), memory)
            )
        return all(response.json().values())

    async def feedback(
        self,
        turn: UUID,
        thumb: Literal["up", "down"],
        correction: str | None = None,
        *,
        for_evaluation: bool = False,
    ) -> None:
        """Rate an answer; replaces an earlier rating.

        `for_evaluation` allows a masked copy of the conversation to be used for evaluation."""
        body = {"thumb": thumb, "correction": correction, "for_evaluation": for_evaluation}
        await self._call("PUT", f"/v1/turns/{turn}/feedback", json=body)

    async def evaluate(self, session_id: UUID, query: str) -> Evaluation:
        """Score how well memory helps with a query in a session."""
        path = f"/v1/sessions/{session_id}/eval"
        return await parse(Evaluation, self._call("POST", path, json={"query": query}))

    @property
    def memories(self) -> Memories:
        """The memory of the user."""
        return Memories(self._call)

    async def ready(self) -> Ready:
        """Return whether the server is ready; without retries. Raises `Unreachable`."""
        try:
            response = await self._http.get("/health/ready")
        except httpx2.TransportError as error:
            raise Unreachable(str(error)) from error
        if response.status_code not in (200, 503):
            raise problem_of(response.status_code, response.reason_phrase, response.text)
        return Ready.model_validate_json(response.text)

    async def _call(
        self,
        method: str,
        path: str,
        json: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        content: bytes | None = None,
    ) -> httpx2.Response:
        """Send a request, with retries, and return a successful response."""
        merged = self._speaker | dict(headers or {})
        request = self._http.build_request(
            method, path, json=json, headers=merged, params=params, content=content
        )
        failures = 0
        while True:
            try:
                with _interruptions():
                    response = await self._http.send(request)
                    await _check(response)
                    return response
            except StreamInterrupted as cut:
                failures += 1
                await self._pause(failures, cut)

    async def _follow(self, request: httpx2.Request, turn: UUID | None) -> AsyncIterator[Event]:
        """Yield the events of a turn over several connections if needed; the last is `Done`."""
        failures, last_id = 0, request.headers.get("Last-Event-ID")
        while True:
            try:
                async with aclosing(self._listen(request)) as events:
                    async for event, event_id in events:
                        failures, last_id = 0, event_id or last_id
                        if isinstance(event, TurnOpened):
                            turn = event.turn_id
                        yield event
                        if isinstance(event, Done):
                            return
            except StreamInterrupted as cut:
                failures += 1
                await self._pause(failures, cut)
            if turn is not None:
                request = self._rest_of(turn, last_id)

    async def _listen(self, request: httpx2.Request) -> AsyncGenerator[tuple[Event, str]]:
        """Yield the events of a connection with their IDs; `StreamInterrupted` at its end."""
        with _interruptions():
            response = await self._http.send(request, stream=True)
            async with aclosing(response):
                await _check(response)
                if "Saegim-Turn" in response.headers:
                    turn = UUID(response.headers["Saegim-Turn"])
                    yield TurnOpened(turn, UUID(response.headers["Saegim-Session"])), ""
                async for sent in httpx2.EventSource(response):
                    event = read(sent)
                    if event is not None:
                        yield event, sent.id
        raise StreamInterrupted(Unreachable("the stream ended before its turn"))

    async def _pause(self, failures: int, cut: StreamInterrupted) -> None:
        """Wait before the next try; raise the error if there is none."""
        seconds = self._retry.pause(failures, cut.retry_after)
        if seconds is None:
            raise cut.error from cut
        await asyncio.sleep(seconds)

    def _turn_headers(self, session: str | None, idempotency_key: str | None) -> dict[str, str]:
        headers = {"Idempotency-Key": quote(idempotency_key or uuid4().hex, safe=VISIBLE_ASCII)}
        name = session or self._session
        if name is not None:
            headers["Saegim-Session"] = encoded(name)
        return headers

    def _rest_of(self, turn: UUID, last_event_id: str | None) -> httpx2.Request:
        last = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        headers = self._speaker | last
        return self._http.build_request("GET", f"/v1/turns/{turn}/events", headers=headers)


@contextmanager
def _interruptions() -> Generator[None]:
    """Raise `StreamInterrupted` for a lost connection."""
    try:
        yield
    except httpx2.TransportError as error:
        raise StreamInterrupted(Unreachable(str(error) or type(error).__name__)) from error


async def _check(response: httpx2.Response) -> None:
    if response.is_success:
        return
    await response.aread()
    problem = problem_of(response.status_code, response.reason_phrase, response.text)
    retry_after = response.headers.get("Retry-After")
    # Waits for a rate limit of seconds, not for a budget of a day.
    soon = response.status_code == TOO_MANY and retry_after in SOON
    if response.status_code in TRY_AGAIN or soon:
        raise StreamInterrupted(problem, retry_after)
    raise problem


def _body(
    message: str,
    history: Sequence[UserSaid | AssistantSaid] | None,
    selected_doc_ids: Sequence[str],
) -> dict[str, Any]:
    body: dict[str, Any] = {"message": message}
    if history is not None:
        entries = [entry.model_dump(mode="json") for entry in history]
        body["chat_history"] = [
            {name: value for name, value in entry.items() if name != "entities" or value}
            for entry in entries
        ]
    if selected_doc_ids:
        body["selected_doc_ids"] = list(selected_doc_ids)
    return body
