"""Parse the files inside a file: of an archive, or attached to a message."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import BinaryIO

from saegim.domain.errors import Unreadable
from saegim.library.parsing.limits import ParseLimits, Reason
from saegim.library.parsing.outline import heading_text
from saegim.library.types import ParsedDocument
from saegim.text.analysis import normalise

# A message in an archive may have an attachment that is a message.
DEEPEST = 3
_NAMES_SHOWN = 20

type ReadInner = Callable[[BinaryIO, str, "InnerFiles"], list[ParsedDocument]]


@dataclass(slots=True)
class ByteBudget:
    """The bytes that the files inside a file may still have, at all depths together."""

    left: int

    def take(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Unreadable(Reason.TOO_LARGE)


@dataclass(slots=True)
class InnerFiles:
    """Collects the documents of the files inside `name`; unreadable ones are noted."""

    name: str
    limits: ParseLimits
    read: ReadInner
    budget: ByteBudget
    depth: int = 0
    in_archive: bool = False
    documents: list[ParsedDocument] = field(default_factory=list[ParsedDocument])
    unread: list[str] = field(default_factory=list[str])
    reason: str | None = None

    def add(self, path: str, data: bytes) -> None:
        """Parse an inner file. Raises Unreadable if all together are too large."""
        self.budget.take(len(data))
        path = normalise(path).strip("/") or "file"
        try:
            self._add(path, data)
        except Unreadable as error:
            if self.budget.left < 0:
                raise
            self.unread.append(path)
            self.reason = self.reason or error.detail
        if len(self.documents) > self.limits.documents:
            raise Unreadable(Reason.TOO_LARGE)

    def inside(self, name: str, *, in_archive: bool) -> "InnerFiles":
        """Return the collector for an inner file that has files itself."""
        nested = self.in_archive or in_archive
        return InnerFiles(name, self.limits, self.read, self.budget, self.depth, nested)

    def note_unread(self) -> dict[str, str]:
        """Return metadata that names the files that could not be read."""
        return {"unread_files": ", ".join(self.unread[:_NAMES_SHOWN])}

    def _add(self, path: str, data: bytes) -> None:
        if self.depth >= DEEPEST:
            raise Unreadable(Reason.UNSAFE)
        inner = InnerFiles(
            path, self.limits, self.read, self.budget, self.depth + 1, self.in_archive
        )
        found = self.read(BytesIO(data), path, inner)
        for number, document in enumerate(found, 1):
            self.documents.append(self._named(document, path, number if len(found) > 1 else None))

    def _named(self, document: ParsedDocument, path: str, number: int | None) -> ParsedDocument:
        """Name a document by the file that holds it, and its path there."""
        own = document.outside_id
        within = own if own and own.startswith(path) else path
        if within == path and number is not None:
            within = f"{path}#{own or number}"
        name = PurePosixPath(path).name
        return replace(
            document,
            outside_id=heading_text(f"{self.name}/{within}"),
            title=document.title or PurePosixPath(path).stem,
            metadata={"file": name} | dict(document.metadata) | {"inside": self.name},
        )
