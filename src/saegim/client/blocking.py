"""The client without `await`, for scripts and for notebooks."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future
from typing import Any, Self

from saegim.client.client import SaegimClient
from saegim.client.events import Event
from saegim.client.library_types import SearchResult
from saegim.client.memory_types import Memory, Recollection
from saegim.client.types import ChatReply


class BlockingClient:
    """Runs a client on an event loop in a thread. Use as a context manager.

    Has the common calls; `run` makes any other: `client.run(lambda c: c.trace(turn))`.
    """

    def __init__(self, client: SaegimClient) -> None:
        self._client = client
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(lambda client: client.__aenter__())
        return self

    def __exit__(self, *error: Any) -> None:
        self.run(lambda client: client.__aexit__(*error))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit[T](self, work: Callable[[SaegimClient], Awaitable[T]]) -> Future[T]:
        """Start a call and return its future."""

        async def call() -> T:
            return await work(self._client)

        return asyncio.run_coroutine_threadsafe(call(), self._loop)

    def run[T](self, work: Callable[[SaegimClient], Awaitable[T]]) -> T:
        """Make a call and wait for its result."""
        future = self.submit(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def chat(self, message: str, **options: Any) -> ChatReply:
        """Send a message and return the answer; takes the options of `SaegimClient.chat`."""
        return self.run(lambda client: client.chat(message, **options))

    def stream(self, message: str, **options: Any) -> Iterator[Event]:
        """Send a message and yield the events of the answer; the last is `Done`."""
        events: AsyncIterator[Event] = self._client.stream(message, **options)
        while (event := self.run(lambda _: anext(events, None))) is not None:
            yield event

    def search(self, query: str, **filters: object) -> SearchResult:
        """Search the passages that the user may read, best first."""
        return self.run(lambda client: client.search(query, **filters))

    def remember(self, content: str, type: str = "note", topic: str = "") -> Memory:  # noqa: A002 - the API's word
        """Add a memory of the user."""
        return self.run(lambda client: client.memories.add(content, type, topic))

    def recall(self, message: str, **filters: object) -> Recollection:
        """Recall memories for a message."""
        return self.run(lambda client: client.memories.recall(message, **filters))
