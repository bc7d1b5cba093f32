"""What a reader may see of passages that an answer cited, and the headings around them."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from saegim.db.cells import Cells
from saegim.domain.scope import Caller
from saegim.library.repository import PostgresLibrary


@dataclass(frozen=True, slots=True)
class NearbyHeading:
    """The headings of a passage, or of a section that is `distance` sections after it."""

    passage: UUID
    document: UUID
    type: str
    title: str | None
    path: tuple[str, ...]
    distance: int


class CitedPassages:
    def __init__(self, cells: Cells, documents: PostgresLibrary) -> None:
        self._cells = cells
        self._documents = documents

    async def readable(self, caller: Caller, passages: Collection[UUID]) -> set[UUID]:
        """Return those of the passages that the caller may read."""
        if not passages:
            return set()
        collections = await self._documents.readable_collections(caller)
        return set(await self._documents.places(caller.scope.tenant, passages, collections))

    async def headings_near(
        self, caller: Caller, cited: Collection[UUID], considered: Collection[UUID]
    ) -> list[NearbyHeading]:
        """Return the headings of passages that the caller may read, and of the sections around
        those that are cited."""
        collections = await self._documents.readable_collections(caller)
        rows = await self._cells.read(
            caller.scope.tenant,
            "headings_near_passages",
            passages=list({*cited, *considered}),
            cited=list(cited),
            collections=list(collections),
        )
        return [
            NearbyHeading(
                row["passage_id"],
                row["document_id"],
                row["type"],
                row["title"],
                tuple(row["path"]),
                row["distance"],
            )
            for row in rows
        ]
