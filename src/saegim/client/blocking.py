"""The client without `await`: for scripts, and for notebooks, whose own loop already runs."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from saegim.client.client import SaegimClient
from saegim.client.events import Event
from saegim.client.library_types import SearchResult
from saegim.client.memory_types import Memory, Recollection
from saegim.client.types import ChatReply


class BlockingClient:
    """One client on a loop of its own, in a thread of its own; use it as a context manager.

    The common calls are here; `run` makes any other: `client.run(lambda c: c.trace(turn))`.
    """

    def __init__(self, client: SaegimClient) -> None:
        self._client = client
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.run(lambda client: client.__aenter__())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.run(lambda client: client.__aexit__(kind, error, trace))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit[T](self, work: Callable[[SaegimClient], Awaitable[T]]) -> Future[T]:
        """Starts any work of the client's; its result comes later."""

        async def do() -> T:
            return await work(self._client)

        return asyncio.run_coroutine_threadsafe(do(), self._loop)

    def run[T](self, work: Callable[[SaegimClient], Awaitable[T]]) -> T:
        """Any work of the client's, waited for."""
        future = self.submit(work)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def chat(self, message: str, **options: Any) -> ChatReply:
        """The answer to one message; takes what the client's own `chat` takes."""
        return self.run(lambda client: client.chat(message, **options))

    def stream(self, message: str, **options: Any) -> Iterator[Event]:
        """The answer as it is written, ending with `Done`."""
        events: AsyncIterator[Event] = self._client.stream(message, **options)
        while (event := self.run(lambda _: anext(events, None))) is not None:
            yield event

    def search(self, query: str, **filters: object) -> SearchResult:
        """Passages that we may read, best first."""
        return self.run(lambda client: client.search(query, **filters))

    def remember(self, content: str, type: str = "note", topic: str = "") -> Memory:  # noqa: A002 - the API's word
        """Remembers a statement about the user."""
        return self.run(lambda client: client.memories.add(content, type, topic))

    def recall(self, message: str, **narrowed: object) -> Recollection:
        """What memory has to a message."""
        return self.run(lambda client: client.memories.recall(message, **narrowed))
