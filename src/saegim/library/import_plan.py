"""What an import changes: new documents, and their passages beside the stored ones."""

from collections import defaultdict, deque
from collections.abc import (
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import PurePath
from uuid import UUID

from saegim import __version__
from saegim.domain.ids import Clock, new_id
from saegim.library.duplicates import fingerprint
from saegim.library.media_types import SUFFIXES
from saegim.library.ports import (
    CompleteDocument,
    DocumentSource,
    FileFingerprint,
    NewDocument,
    NewPassage,
    StoredDocument,
)
from saegim.library.types import (
    Ingest,
    IngestFile,
    ParsedDocument,
    PassageDraft,
    in_context,
)

# Rows are found by their words. A vector of all of them says no more of the table than one of the
# first, and takes three times as long: a sheet of 100,000 rows has 8,000 passages.
MOST_OF_TABLE = 200
_HEADER_AND_ROW = 3


def embedded_text(text: str, path: tuple[str, ...], title: str | None) -> str:
    """Return the passage under its headings; of a table, the header and the first rows."""
    return in_context(_first_rows(text), path, title)


def _first_rows(text: str) -> str:
    lines = text.split("\n")
    if not all(line.startswith("|") for line in lines):
        return text
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if number >= _HEADER_AND_ROW and size > MOST_OF_TABLE:
            return "\n".join(lines[:number])
    return text


# The most that is lost when a worker dies: one to two seconds of embedding.
BATCH = 32
# Part of each document's hash, so that a better splitter reprocesses unchanged files.
PIPELINE = b"1"


@dataclass(frozen=True, slots=True)
class NewText:
    """A document of a file with its text, parsed and split."""

    new: NewDocument
    parsed: ParsedDocument
    drafts: Sequence[PassageDraft]

    @property
    def paths(self) -> list[tuple[str, ...]]:
        return [section.path for section in self.parsed.sections]

    def with_fingerprint(self) -> "NewText":
        """Return the document with what tells its copies."""
        new, texts = self.new, (draft.text for draft in self.drafts)
        return replace(self, new=replace(new, text=fingerprint(texts, new.title, new.type)))

    def in_context(self, index: int) -> str:
        """Return the text of a passage under its headings."""
        return in_context(*self._place(index))

    def embedded(self, index: int) -> str:
        """Return the text that the vector of a passage is made of."""
        return embedded_text(*self._place(index))

    def _place(self, index: int) -> tuple[str, tuple[str, ...], str | None]:
        draft = self.drafts[index]
        return draft.text, self.parsed.sections[draft.section].path, self.new.title


@dataclass(slots=True)
class PassageChanges:
    """Stored passages to keep, drafts to add and passages to remove."""

    kept: dict[UUID, int] = field(default_factory=dict[UUID, int])
    added: list[int] = field(default_factory=list[int])
    removed: set[UUID] = field(default_factory=set[UUID])


@dataclass(frozen=True, slots=True)
class DocumentPlan:
    """How a stored document becomes the new one."""

    text: NewText
    stored: StoredDocument
    hashes: Sequence[bytes]
    changes: PassageChanges

    @classmethod
    def of(cls, text: NewText, stored: StoredDocument) -> "DocumentPlan":
        hashes = [passage_hash(text.in_context(index)) for index in range(len(text.drafts))]
        return cls(text, stored, hashes, compare(hashes, stored.passages))

    def passage(self, index: int, clock: Clock) -> NewPassage:
        """Return a passage to add, with a new id."""
        draft = self.text.drafts[index]
        section = self.stored.sections[draft.section]
        new = new_id(clock.now())
        return NewPassage(new, self.stored.id, section, index, self.hashes[index], draft)

    def complete(self) -> CompleteDocument:
        """Return the document as it is once its new passages are stored."""
        drafts, sections = self.text.drafts, self.stored.sections
        kept = {
            passage: (sections[drafts[index].section], index, drafts[index].locator)
            for passage, index in self.changes.kept.items()
        }
        return CompleteDocument(self.stored.id, self.text.new, kept, self.changes.removed)


def with_fingerprints(documents: Iterable[NewText]) -> list[NewText]:
    return [each.with_fingerprint() for each in documents]


def grouped(documents: Iterable[NewText]) -> Iterator[list[NewText]]:
    """Group short documents, so that one batch has the passages of several. A group has no two
    documents with the same id: the later one replaces the earlier."""
    group: list[NewText] = []
    size = 0
    for each in documents:
        # One without passages counts, too.
        cost = max(len(each.drafts), 1)
        if group and (size + cost > BATCH or is_repeated(each, group)):
            yield group
            group, size = [], 0
        group.append(each)
        size += cost
    if group:
        yield group


def is_repeated(text: NewText, group: Sequence[NewText]) -> bool:
    return any(each.new.outside_id == text.new.outside_id for each in group)


def describe(
    ingest: Ingest,
    file: IngestFile,
    parsed: ParsedDocument,
    number: int,
    from_file: FileFingerprint,
) -> NewDocument:
    """Return the document's row, named by itself or by its file and number."""
    of = from_file.documents
    name = file.name if of == 1 else f"{file.name}#{number + 1}"
    new = NewDocument(
        collection=ingest.collection,
        outside_id=parsed.outside_id or name,
        type=parsed.type or ingest.type,
        title=parsed.title or (PurePath(file.name).stem if of == 1 else None),
        version="1",
        metadata=parsed.metadata,
        content_hash=b"",
        from_file=from_file,
        brought_by=origin_of(ingest, file),
        modified_at=parsed.modified_at or file.modified_at,
        added_by=ingest.added_by,
    )
    return replace(new, content_hash=document_hash(new, parsed))


def origin_of(ingest: Ingest, file: IngestFile) -> DocumentSource | None:
    """Return the source item of a file, if any."""
    return None if ingest.source is None else DocumentSource(ingest.source, file.name, file.id)


def parsed_as(file: IngestFile) -> str:
    """Return the name that decides a file's kind; a media type overrides the suffix."""
    suffix = SUFFIXES.get(file.media_type or "", "")
    return file.name if file.name.lower().endswith(suffix) else file.name + suffix


def document_hash(new: NewDocument, parsed: ParsedDocument) -> bytes:
    """Return the hash that identifies an unchanged document."""
    digest = sha256(PIPELINE)
    for part in (new.type, new.title or "", repr(sorted(new.metadata.items()))):
        digest.update(part.encode() + b"\0")
    for section in parsed.sections:
        digest.update("\1".join(section.path).encode() + b"\0")
        for block in section.blocks:
            digest.update(f"{block.kind}:{block.text}\0".encode())
            if block.locator is not None:
                digest.update(repr(block.locator.parts()).encode())
    return digest.digest()


def file_hash(name: str, type: str, content_hash: bytes) -> bytes:  # noqa: A002 - the API's word
    """Return the hash of a file and of all that decides what becomes of it.

    The release is part of it, so that files are parsed again by a better parser."""
    parts = (__version__, type, name)
    return sha256("\0".join(parts).encode() + b"\0" + content_hash).digest()


def passage_hash(text: str) -> bytes:
    """Return the hash of a passage's text in its context."""
    return sha256(PIPELINE + text.encode()).digest()


def compare(hashes: Sequence[bytes], stored: Mapping[UUID, bytes]) -> PassageChanges:
    """Compare drafts with stored passages by their hashes."""
    unused: dict[bytes, deque[UUID]] = defaultdict(deque)
    for passage, digest in stored.items():
        unused[digest].append(passage)
    changes = PassageChanges()
    for index, digest in enumerate(hashes):
        if unused[digest]:
            changes.kept[unused[digest].popleft()] = index
        else:
            changes.added.append(index)
    changes.removed = stored.keys() - changes.kept.keys()
    return changes
