"""Everything a door needs, put together."""

import asyncio
import contextlib
from dataclasses import dataclass, fields

from saegim.app.auth import AccessServices, build_access
from saegim.app.chat import ChatServices, build_chat, build_finders
from saegim.app.data_lifecycle import KeepingServices, build_keeping
from saegim.app.from_settings import Close, MissingSetting, owners, required
from saegim.app.infrastructure import Fakes, Ground, build_ground
from saegim.app.library import LibraryServices, build_library
from saegim.app.memory import MemoryServices, build_memory
from saegim.app.settings import Settings
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import Degraded, StoreUnavailable
from saegim.governance.backup.backups import Backups
from saegim.governance.backup.bucket import BackupBucket
from saegim.governance.backup.tenant_file import TenantFiles
from saegim.governance.tenant_move.moves import Moves
from saegim.jobs.instrumentation import observed
from saegim.jobs.types import JobKind
from saegim.jobs.worker import Handler, Handlers, Worker
from saegim.jobs.worker_timing import WorkerTimes
from saegim.llm.bundled_embedder import OfflineEmbedder
from saegim.sources.signing import Credentials as BucketCredentials
from saegim.text import tokens


@dataclass(frozen=True, kw_only=True)
class Services(
    Ground, AccessServices, MemoryServices, LibraryServices, ChatServices, KeepingServices
):
    """Everything a door needs. `closing` ends what we made: fakes stay their owner's."""

    closing: tuple[Close, ...] = ()

    async def open(self) -> None:
        """Starts connecting; parts that are down are met when they are used."""
        await self.cells.open()
        await self.keys.open()

    async def close(self) -> None:
        """Hands running turns over and lets go of every connection; fakes stay their owner's."""
        await self.chat.close()
        for close in self.closing:
            await close()
        await self.redis.close()
        await self.keys.close()
        await self.cells.close()

    async def warm_up(self) -> None:
        """Loads what takes seconds, so that no first turn or search waits for it."""
        await asyncio.to_thread(tokens.count, "")
        with contextlib.suppress(Degraded):
            await self.index.warm_up()
        with contextlib.suppress(StoreUnavailable):
            for name in {self.embedder.name, *await self.health.embedders_in_use()}:
                if isinstance(embedder := self.embedders.find(name), OfflineEmbedder):
                    await embedder.warm_up()

    def backups(self) -> Backups:
        """Backup and restore, for operators: it takes the owner's login."""
        url = required(self.settings.postgres_admin_url, "SAEGIM_POSTGRES_ADMIN_URL")
        return Backups(url, self.keyring, self.keys)

    def backup_bucket(self) -> BackupBucket:
        """Where backups of `s3://` go. Raises MissingSetting."""
        settings = self.settings
        if settings.backup_endpoint is None:
            raise MissingSetting("SAEGIM_BACKUP_ENDPOINT is not set")
        who = BucketCredentials(
            required(settings.backup_access_key, "SAEGIM_BACKUP_ACCESS_KEY"),
            required(settings.backup_secret_key, "SAEGIM_BACKUP_SECRET_KEY"),
            settings.backup_region,
        )
        return BackupBucket(settings.backup_endpoint, who, ca=settings.store_ca)

    def moves(self) -> Moves:
        """Moves of tenants between cells, for operators: it takes the owners' logins."""
        return Moves(owners(self.settings), self.queue, self.clock)

    def tenant_files(self) -> TenantFiles:
        """Whole tenants in files, for operators: it takes the owners' logins."""
        return TenantFiles(owners(self.settings), self.keyring, self.keys, self.clock)

    def worker(self, times: WorkerTimes | None = None, cell: str = HOME_CELL) -> Worker:
        """A worker for a cell, with every job there is. Raises NotFound."""
        of_cell = self.cells.named(cell)
        jobs = observed(self._handlers(), self.metrics)
        by_rule: dict[JobKind, Handler] = {
            JobKind.FOLD: self.folding.fold_by_rule,
            JobKind.EXTRACT: self.writing.extract_by_rule,
        }
        handlers = Handlers(jobs, by_rule, patient=frozenset({JobKind.EXTRACT}))
        return Worker(
            url=of_cell.url,
            cell=of_cell,
            queue=self.queue,
            handlers=handlers,
            concurrency=self.settings.worker_concurrency,
            times=times,
        )

    def _handlers(self) -> dict[JobKind, Handler]:
        return {
            JobKind.CLEAN_UP: self.retention.clean_up,
            JobKind.CONSOLIDATE: self.consolidation.consolidate,
            JobKind.EXTRACT: self.writing.extract,
            JobKind.FOLD: self.folding.fold,
            JobKind.INDEX_EPISODE: self.episodes.index,
            JobKind.WATCH_TURN: self.chat.watch,
            JobKind.INGEST_FILE: self.ingestion.ingest,
            JobKind.FOLLOW_INDEX: self.indexing.follow_job,
            JobKind.REBUILD_INDEX: self.indexing.rebuild_job,
            JobKind.RESEAL: self.resealing.reseal,
            JobKind.ERASE: self.erasures.erase,
            JobKind.SEAL_AUDIT: self.trail.seal,
            JobKind.REEMBED: self.reembedding.job,
            JobKind.DROP_INDEX: self.reembedding.drop_job,
            JobKind.TEND_INDEX: self.upkeep.tend,
            JobKind.SYNC_SOURCE: self.sync.sync,
            JobKind.DELIVER: self.webhooks.deliver,
            JobKind.SWEEP_UPLOADS: self.ingests.sweep,
            JobKind.IMPORT_MEMORIES: self.imports.run,
        }


def build(settings: Settings, fakes: Fakes | None = None) -> Services:
    """Everything, connected to nothing yet. Raises MissingSetting where a secret is unset."""
    fakes, closing = fakes or Fakes(), list[Close]()
    ground = build_ground(settings, fakes, closing)
    access = build_access(ground, fakes)
    memory = build_memory(ground, closing)
    library = build_library(ground, closing)
    chat = build_chat(ground, access, build_finders(ground, memory, library, closing), fakes)
    keeping = build_keeping(ground, access, memory, library, fakes, closing)
    groups = (ground, access, memory, library, chat, keeping)
    parts = {each.name: getattr(group, each.name) for group in groups for each in fields(group)}
    return Services(**parts, closing=tuple(closing))
