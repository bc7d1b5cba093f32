"""Users that `benchmarks.erasure` erases, and the search of every file for their data."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from saegim.encryption.master_key import MasterKey
from saegim.encryption.sealed_file import MasterLock, SealedReader
from saegim.localservers.servers import LocalServers

TENANT = "a name that is not sealed"
DATABASES = ("saegim", "restored")
# Tables that have or had rows. Where there never was one, a table has no page, and each of its
# indexes, and that of its long values, has one.
TABLES = b"""
select relname from pg_class t, cast(current_setting('block_size') as bigint) page
where relnamespace = 'saegim'::regnamespace and relkind = 'r' and (
    pg_table_size(oid) > case when reltoastrelid = 0 then 0 else page end
    or exists (
        select from pg_index i
        where i.indrelid = t.oid and pg_relation_size(i.indexrelid) > page
    )
)
"""


@dataclass
class Person:
    """A user with unique words."""

    number: int
    said: list[str] = field(default_factory=list[str])
    session: str = ""

    @property
    def name(self) -> str:
        return f"사람{self.number:04d}-outside-{self.number * 7919 % 10007}"

    def sentence(self, turn: int) -> str:
        mark = f"카나리아{self.number:04d}x{turn:03d}"
        return f"나는 {mark} 알레르기가 있어. 내 고양이 이름은 {mark}나비야."

    @property
    def file(self) -> str:
        return f"attached-{self.number:04d}-of-mine.md"

    def attached(self) -> bytes:
        """Returns a private file with unique words."""
        word = f"zoeprivate{self.number:04d}"
        return f"# {word} 개요\n\n{word}의 예산은 3억이고 책임자는 {word}입니다.".encode()

    def marks(self) -> list[bytes]:
        words = [self.name, f"카나리아{self.number:04d}", f"profile-{self.number:04d}-of-mine"]
        return [word.encode() for word in words]

    def attached_marks(self) -> list[bytes]:
        return [self.file.encode(), f"zoeprivate{self.number:04d}".encode()]


@dataclass
class Findings:
    """Results of a run; everything but the counts must be empty or equal."""

    left_on_disk: list[str] = field(default_factory=list[str])
    attached_left: list[str] = field(default_factory=list[str])
    attached_in_pages: int = 0
    """Files of Postgres with deleted rows of attached files, before its pages are rewritten."""
    left_in_rows: dict[str, int] = field(default_factory=dict[str, int])
    others_changed: list[str] = field(default_factory=list[str])
    receipt_differs: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    receipt_forged: bool = False
    came_back: list[str] = field(default_factory=list[str])
    searched_files: int = 0
    erased_rows: int = 0
    seconds: float = 0.0

    @property
    def clean(self) -> bool:
        bad = (
            self.left_on_disk,
            self.attached_left,
            self.left_in_rows,
            self.others_changed,
            self.receipt_differs,
            self.came_back,
        )
        return not any(bad) and not self.receipt_forged


async def rewrite_pages(servers: LocalServers, folder: Path, gone: list[Person]) -> int:
    """Rewrites every table with pages; returns how many files had deleted rows of attached
    files."""
    marks = [mark for person in gone for mark in person.attached_marks()]

    def rewrite() -> int:
        for database in DATABASES:
            with psycopg.connect(servers.postgres.url(database), autocommit=True) as owner:
                owner.execute("checkpoint")
        files = _files(folder / "servers" / "postgres" / "data" / "base")
        held = sum(any(mark in content for mark in marks) for content in _contents(files))
        for database in DATABASES:
            with psycopg.connect(servers.postgres.url(database), autocommit=True) as owner:
                for [table] in owner.execute(TABLES).fetchall():
                    owner.execute(f"vacuum full saegim.{table}".encode())
        return held

    return await asyncio.to_thread(rewrite)


def _contents(files: list[Path]) -> Iterator[bytes]:
    for path in files:
        with contextlib.suppress(FileNotFoundError):  # removed by Postgres in the meantime
            yield path.read_bytes()


async def search_bytes(
    folder: Path, findings: Findings, gone: list[Person], master: MasterKey
) -> None:
    """Searches every file for planted strings; the WAL and the old backup may still contain
    attached files."""
    marks = [mark for person in gone for mark in person.marks()]
    attached = [mark for person in gone for mark in person.attached_marks()]
    found_tenant = False
    for path in await asyncio.to_thread(_files, folder):
        content = await _content(path, master)
        findings.searched_files += 1
        found_tenant = found_tenant or TENANT.encode() in content
        if any(mark in content for mark in marks):
            findings.left_on_disk.append(str(path.relative_to(folder)))
        expires = "pg_wal" in path.parts or path.name == "old.backup"
        if not expires and any(mark in content for mark in attached):
            findings.attached_left.append(str(path.relative_to(folder)))
    if not found_tenant:
        findings.left_on_disk.append("the search finds nothing at all")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


async def _content(path: Path, master: MasterKey) -> bytes:
    """Returns a file's bytes; a backup is decrypted with the master key."""
    if path.suffix != ".backup":
        return await asyncio.to_thread(path.read_bytes)
    with path.open("rb") as file:
        reader = await SealedReader.open(file, MasterLock(master))
        return b"\n".join(item for item in reader.parts() if isinstance(item, bytes))
