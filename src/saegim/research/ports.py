from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from saegim.domain.scope import Caller
from saegim.library.index_ports import Place
from saegim.library.service import Searched
from saegim.library.types import Counts, Document


class LibraryReader(Protocol):
    """What research asks of the library. Searching never raises for an index that is down."""

    async def search_all(
        self, caller: Caller, question: str, counts: Counts | None = None
    ) -> Searched:
        """FAQ entries and other passages in their shares."""
        ...

    async def search_together(
        self, caller: Caller, questions: Sequence[str], counts: Counts | None = None
    ) -> list[Searched]:
        """`search_all` of each question."""
        ...

    async def search(
        self, caller: Caller, question: str, *, count: int | None = None, **narrowed: object
    ) -> Searched:
        """The best passages, narrowed by what the index knows of them."""
        ...

    async def get_section(self, caller: Caller, passage: UUID) -> Sequence[Place]:
        """The whole section around a passage. Raises NotFound."""
        ...

    async def lookup(self, caller: Caller, outside_id: str) -> tuple[Document, list[Place]]:
        """A document and its passages in order. Raises NotFound."""
        ...

    async def related(self, caller: Caller, document: Document, count: int = 3) -> list[Document]:
        """Other documents that say much the same."""
        ...
