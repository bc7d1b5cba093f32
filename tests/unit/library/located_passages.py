"""Passages with their places, for tests that need no store."""

from datetime import UTC, datetime
from uuid import UUID

from saegim.library.types import Document, Passage, PassageLocation, Tags

TENANT, COLLECTION = UUID(int=901), UUID(int=902)


def place(number: int, text: str, title: str | None, path: tuple[str, ...]) -> PassageLocation:
    passage, document, section = (UUID(int=base + number) for base in (1_000, 2_000, 3_000))
    return PassageLocation(
        Passage(passage, document, section, 0, text, 10, Tags(False, False, False, "ko")),
        Document(
            id=document,
            tenant=TENANT,
            collection=COLLECTION,
            outside_id=f"doc-{number}",
            type="guide",
            title=title,
            version="1",
            metadata={},
            updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        ),
        path,
    )
