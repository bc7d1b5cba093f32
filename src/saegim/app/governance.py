"""Services of governance."""

from datetime import timedelta

from saegim.app import from_settings
from saegim.app.auth import AuditServices, AuthServices
from saegim.app.infrastructure import Fakes, Infrastructure, KeyTimes
from saegim.app.library import LibraryServices
from saegim.app.memory import MemoryServices
from saegim.conversations.search import TurnSearch
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.governance.erasure.repository import PostgresErasure
from saegim.governance.erasure.service import Erasures
from saegim.governance.export import Exports
from saegim.governance.export_repository import PostgresExport
from saegim.governance.memory_expiry import PostgresExpiry
from saegim.governance.reembedding.repository import PostgresReembeds
from saegim.governance.reembedding.service import ReembedService
from saegim.governance.reembedding.vector_tables import (
    EpisodeVectors,
    PassageVectors,
    RecordVectors,
)
from saegim.governance.reencryption import Reencryption
from saegim.governance.retention import Retention
from saegim.usage.repository import PostgresUsage
from saegim.webhooks.outbox import Outbox


class GovernanceServices:
    """Erasure, export, retention, key rotation and re-embedding."""

    def __init__(  # noqa: PLR0913 - services of other folders
        self,
        on: Infrastructure,
        auth: AuthServices,
        audit: AuditServices,
        memory: MemoryServices,
        library: LibraryServices,
        search: TurnSearch,
        fakes: Fakes,
    ) -> None:
        cells, keyring, queue = on.db.cells, on.encryption.keyring, on.jobs.queue
        rotation, times = on.encryption.rotation, fakes.key_times or KeyTimes()
        self.erasures = _erasures(on, auth, audit, library)
        self.exports = Exports(PostgresExport(cells, keyring), audit.trail, on.clock, on.grants)
        self.retention = _retention(on, memory, library, search)
        self.reencryption = Reencryption(cells, keyring, rotation, queue, times.last_look)
        self.reembedding = _reembedding(on, library)


def _erasures(
    on: Infrastructure, auth: AuthServices, audit: AuditServices, library: LibraryServices
) -> Erasures:
    store = PostgresErasure(
        cells=on.db.cells,
        keyring=on.encryption.keyring,
        rotation=on.encryption.rotation,
        queue=on.jobs.queue,
        redis=on.db.redis,
        outbox=Outbox(on.jobs.queue, on.clock),
        audit=audit.writer,
    )
    return Erasures(
        store=store,
        members=auth.member_repository,
        index=library.index_maintenance,
        clock=on.clock,
        grace=timedelta(hours=on.settings.erasure_grace_hours),
        backups_for=timedelta(days=on.settings.backup_days),
        grants=on.grants,
    )


def _retention(
    on: Infrastructure, memory: MemoryServices, library: LibraryServices, search: TurnSearch
) -> Retention:
    cells = on.db.cells
    return Retention(
        store=PostgresTranscripts(cells, on.jobs.queue),
        memories=PostgresExpiry(cells, memory.records, on.clock),
        ingests=library.ingest_repository,
        originals=library.originals,
        imports=memory.import_repository,
        usage=PostgresUsage(cells),
        search=search,
        clock=on.clock,
        keep=from_settings.retention_periods(on.settings),
    )


def _reembedding(on: Infrastructure, library: LibraryServices) -> ReembedService:
    cells, keyring, queue = on.db.cells, on.encryption.keyring, on.jobs.queue
    tables = (
        PassageVectors(cells, queue),
        EpisodeVectors(cells, keyring),
        RecordVectors(cells, keyring),
    )
    moves = PostgresReembeds(cells, queue, on.clock, library.active_index, tables)
    return ReembedService(moves, library.index_sync, library.index, on.llm.embedders)
