"""The client: every call may be repeated, so that a lost connection never doubles a turn."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from copy import copy
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2

from saegim.client.admin import AdminCalls
from saegim.client.community import CommunityCalls
from saegim.client.errors import TOO_MANY, TRY_AGAIN, StreamInterrupted, Unreachable, problem_of
from saegim.client.events import Done, Event, TurnOpened, read
from saegim.client.library import LibraryCalls, encoded
from saegim.client.memories import Memories
from saegim.client.retry import Retry
from saegim.client.tls import trusted
from saegim.client.types import (
    AssistantSaid,
    ChannelContext,
    ChatReply,
    Evaluation,
    Ready,
    Session,
    SessionContext,
    SessionPage,
    Trace,
    Turn,
    TurnPage,
    TurnRemembered,
    UserSaid,
)

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
SOON = frozenset(str(seconds) for seconds in range(11))
VISIBLE_ASCII = "".join(map(chr, range(0x21, 0x7F)))


class SaegimClient(AdminCalls, LibraryCalls, CommunityCalls):
    """Talks to one server with one key; use it as an async context manager.

    `user`, `profile` and `session` are names of your own, in any language. A key that is bound to
    one user takes no `user`. Without a session every message starts a new one.
    """

    def __init__(  # noqa: PLR0913 - who speaks, and how: each is optional and named by the caller
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
        named = {"Saegim-User": user, "Saegim-Profile": profile}
        sent = {name: encoded(value) for name, value in named.items() if value is not None}
        if key:  # `ready` needs none
            sent["Authorization"] = f"Bearer {key}"
        if language is not None:
            sent["Accept-Language"] = language
        self._session = session
        self._speaker: dict[str, str] = {}
        self._retry = retry or Retry()
        # A proxy of the environment cannot reach our own machine.
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

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    def speaking_for(
        self, user: str, profile: str | None = None, language: str | None = None
    ) -> "SaegimClient":
        """The same connections and key for another user; closed with the client it comes from."""
        named = {"Saegim-User": user, "Saegim-Profile": profile}
        speaker = {name: encoded(value) for name, value in named.items() if value}
        if language is not None:
            speaker["Accept-Language"] = language
        other = copy(self)
        other._speaker = speaker  # noqa: SLF001 - one of our own kind, made a line before
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
        """The answer to one message. Raises `SaegimProblem` or `Unreachable`.

        A `temporary` one leaves nothing of its session in long-term memory."""
        body = _body(message, chat_history, selected_doc_ids)
        response = await self._call(
            "POST",
            "/v1/chat",
            json=body | {"temporary": True} if temporary else body,
            headers=self._turn_headers(session, idempotency_key),
        )
        return ChatReply.model_validate_json(response.text)

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
        """The answer as it is written, ending with `Done`; goes on by itself where it broke off."""
        body = _body(message, chat_history, selected_doc_ids) | {"stream": True}
        if channel_context is not None:
            body["channel_context"] = channel_context.model_dump(mode="json")
        headers = self._speaker | self._turn_headers(session, idempotency_key)
        start = self._http.build_request("POST", "/v1/chat", json=body, headers=headers)
        async for event in self._follow(start, None):
            yield event

    async def follow(self, turn: UUID, last_event_id: str | None = None) -> AsyncIterator[Event]:
        """The events of a turn that was sent before."""
        async for event in self._follow(self._rest_of(turn, last_event_id), turn):
            yield event

    async def turn(self, turn: UUID) -> Turn:
        """A turn of ours as stored."""
        return Turn.model_validate_json((await self._call("GET", f"/v1/turns/{turn}")).text)

    async def trace(self, turn: UUID) -> Trace:
        """Why a settled turn came out as it did."""
        return Trace.model_validate_json((await self._call("GET", f"/v1/turns/{turn}/trace")).text)

    async def cancel(self, turn: UUID) -> Turn:
        """Stops a turn; what was shown of its answer is kept."""
        response = await self._call("POST", f"/v1/turns/{turn}/cancel")
        return Turn.model_validate_json(response.text)

    async def turns(self, session_id: UUID) -> AsyncIterator[Turn]:
        """Every turn of a session of ours, in order."""
        after: int | None = 0
        while after is not None:
            path = f"/v1/sessions/{session_id}/turns"
            response = await self._call("GET", path, params={"after": after})
            page = TurnPage.model_validate_json(response.text)
            for turn in page.turns:
                yield turn
            after = page.next_after

    async def sessions(self, count: int = 50) -> AsyncIterator[Session]:
        """Our conversations, the last used first; so many are asked for at a time."""
        params: dict[str, int | str] = {"count": count}
        while True:
            response = await self._call("GET", "/v1/sessions", params=params)
            page = SessionPage.model_validate_json(response.text)
            for session in page.sessions:
                yield session
            if page.next_before is None:
                return
            params["before"] = str(page.next_before)

    async def context(self, session_id: UUID) -> SessionContext:
        """What the model would see of a session of ours if a message came now."""
        response = await self._call("GET", f"/v1/sessions/{session_id}/context")
        return SessionContext.model_validate_json(response.text)

    async def remembered(self, turn: UUID) -> TurnRemembered:
        """What a turn of ours was remembered by; `waiting` until it was read."""
        response = await self._call("GET", f"/v1/turns/{turn}/memories")
        return TurnRemembered.model_validate_json(response.text)

    async def take_back(self, turn: UUID) -> int:
        """Forgets what a turn alone told; how many records."""
        response = await self._call("DELETE", f"/v1/turns/{turn}/memories")
        return int(response.json()["forgotten"])

    async def delete_session(self, session_id: UUID, *, derived: bool = False) -> int:
        """Deletes a conversation of ours, with what it alone told if asked; how many turns."""
        params = {"derived": int(derived)}
        response = await self._call("DELETE", f"/v1/sessions/{session_id}", params=params)
        return int(response.json()["turns"])

    async def consent(self, memory: bool | None = None) -> bool:
        """Whether memory is on for us, after turning it on or off if asked."""
        if memory is None:
            response = await self._call("GET", "/v1/consent")
        else:
            response = await self._call("PUT", "/v1/consent", json={"memory": memory})
        return bool(response.json()["memory"])

    async def feedback(
        self,
        turn: UUID,
        thumb: Literal["up", "down"],
        correction: str | None = None,
        *,
        for_evaluation: bool = False,
    ) -> None:
        """What we think of an answer of ours; the last one holds.

        `for_evaluation` gives leave to make a masked case of it, with what was said before."""
        body = {"thumb": thumb, "correction": correction, "for_evaluation": for_evaluation}
        await self._call("PUT", f"/v1/turns/{turn}/feedback", json=body)

    async def evaluate(self, session_id: UUID, query: str) -> Evaluation:
        """How well memory helps with a query in a session of ours."""
        path = f"/v1/sessions/{session_id}/eval"
        response = await self._call("POST", path, json={"query": query})
        return Evaluation.model_validate_json(response.text)

    @property
    def memories(self) -> Memories:
        """What is remembered of the user we speak for."""
        return Memories(self._call)

    async def ready(self) -> Ready:
        """Whether the server can serve right now; asked once. Raises `Unreachable`."""
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
        """A good response, however many tries it takes."""
        named = self._speaker | dict(headers or {})
        request = self._http.build_request(
            method, path, json=json, headers=named, params=params, content=content
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
        """The events of a turn over as many connections as it takes; the last one is `Done`."""
        failures, last_id = 0, request.headers.get("Last-Event-ID")
        while True:
            try:
                async with aclosing(self._listen(request)) as heard:
                    async for event, event_id in heard:
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
        """Events with their ids, from one connection. Raises `Interrupted` when it ends."""
        with _interruptions():
            response = await self._http.send(request, stream=True)
            async with aclosing(response):
                await _check(response)
                if "Saegim-Turn" in response.headers:
                    yield _opened(response.headers), ""
                async for sent in httpx2.EventSource(response):
                    event = read(sent)
                    if event is not None:
                        yield event, sent.id
        raise StreamInterrupted(Unreachable("the stream ended before its turn"))

    async def _pause(self, failures: int, cut: StreamInterrupted) -> None:
        """Waits before the next try; raises what it came to where there is none."""
        seconds = self._retry.pause(failures, cut.retry_after)
        if seconds is None:
            raise cut.error from cut
        await asyncio.sleep(seconds)

    def _turn_headers(self, session: str | None, idempotency_key: str | None) -> dict[str, str]:
        headers = {"Idempotency-Key": quote(idempotency_key or uuid4().hex, safe=VISIBLE_ASCII)}
        named = session or self._session
        if named is not None:
            headers["Saegim-Session"] = encoded(named)
        return headers

    def _rest_of(self, turn: UUID, last_event_id: str | None) -> httpx2.Request:
        seen = {} if last_event_id is None else {"Last-Event-ID": last_event_id}
        headers = self._speaker | seen
        return self._http.build_request("GET", f"/v1/turns/{turn}/events", headers=headers)


@contextmanager
def _interruptions() -> Generator[None]:
    """Turns a lost connection into `Interrupted`."""
    try:
        yield
    except httpx2.TransportError as error:
        raise StreamInterrupted(Unreachable(str(error) or type(error).__name__)) from error


async def _check(response: httpx2.Response) -> None:
    if response.is_success:
        return
    await response.aread()
    problem = problem_of(response.status_code, response.reason_phrase, response.text)
    asked = response.headers.get("Retry-After")
    # A limit that opens again within seconds is waited for; a day's budget is not.
    soon = response.status_code == TOO_MANY and asked in SOON
    if response.status_code in TRY_AGAIN or soon:
        raise StreamInterrupted(problem, asked)
    raise problem


def _opened(headers: httpx2.Headers) -> TurnOpened:
    return TurnOpened(UUID(headers["Saegim-Turn"]), UUID(headers["Saegim-Session"]))


def _entry(said: UserSaid | AssistantSaid) -> dict[str, Any]:
    entry = said.model_dump(mode="json")
    if not entry.get("entities"):
        entry.pop("entities", None)
    return entry


def _body(
    message: str,
    history: Sequence[UserSaid | AssistantSaid] | None,
    selected_doc_ids: Sequence[str],
) -> dict[str, Any]:
    body: dict[str, Any] = {"message": message}
    if history is not None:
        body["chat_history"] = [_entry(entry) for entry in history]
    if selected_doc_ids:
        body["selected_doc_ids"] = list(selected_doc_ids)
    return body
