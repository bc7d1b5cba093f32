"""Services of the library and its sources."""

from datetime import timedelta

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Fakes, Infrastructure
from saegim.library.active_index import ActiveIndex
from saegim.library.cited_passages import CitedPassages
from saegim.library.documents import Documents
from saegim.library.import_repository import PostgresImports
from saegim.library.index.lance.handles import DEFAULT_LIMITS
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index.maintenance import IndexMaintenance
from saegim.library.index.repository import PostgresIndexState
from saegim.library.index.sync import IndexSync
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.ingest_service import Ingests
from saegim.library.ingestion import Ingestion
from saegim.library.originals import Originals
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.ranking_service import Rankings
from saegim.library.repository import PostgresLibrary
from saegim.library.service import Library, Retrievers
from saegim.library.tuning import RankingTuner
from saegim.sources.repository import PostgresSources
from saegim.sources.service import Sources
from saegim.sources.sync import Sync


class LibraryServices:
    """Documents, search index and ranking."""

    def __init__(self, on: Infrastructure, fakes: Fakes, closing: list[Close]) -> None:
        settings, cells, queue, clock = on.settings, on.db.cells, on.jobs.queue, on.clock
        location, embedders = settings.index_url or str(settings.data / "index"), on.llm.embedders
        limits = fakes.index_limits or DEFAULT_LIMITS
        self.index = LanceIndex(location, settings.index_options, limits)
        retention = timedelta(minutes=settings.old_index_retention_minutes)
        self.active_index = ActiveIndex(queue, clock, retention)
        self.repository = PostgresLibrary(cells, queue, clock)
        self.ingest_repository = PostgresIngests(cells, queue, clock, on.quotas.storage)
        index_state = PostgresIndexState(cells, queue, clock, self.active_index)
        retrievers, self.rankings = Retrievers(self.index, embedders), Rankings(cells, clock)
        reranker = from_settings.reranker(settings)
        closing += [self.index.close, *([reranker.close] if reranker else [])]
        self.search = Library(self.repository, retrievers, reranker, index_state.maintain_now)
        self.documents = Documents(self.repository)
        self.cited = CitedPassages(cells, self.repository)
        self.tuning = RankingTuner(self.repository, retrievers, self.rankings)
        self.ingests = Ingests(self.ingest_repository, self.repository, clock, on.grants)
        self.originals = Originals(
            cells, self.repository, on.encryption.keyring, clock, settings.original_mb * 1_000_000
        )
        self.ingestion = Ingestion(
            self.ingest_repository,
            self.repository,
            PostgresImports(cells, queue, clock),
            SandboxedParser(),
            embedders,
            self.originals,
            clock,
        )
        self.index_sync = IndexSync(self.repository, index_state, self.index)
        self.index_maintenance = IndexMaintenance(index_state, self.index, self.index_sync)


class SourceServices:
    """Connectors and their synchronisation."""

    def __init__(self, on: Infrastructure, library: LibraryServices) -> None:
        queue, documents = on.jobs.queue, library.repository
        keyring, storage = on.encryption.keyring, on.quotas.storage
        store = PostgresSources(on.db.cells, keyring, queue, on.clock, storage)
        readers = from_settings.readers(on.settings, on.clock)
        self.sources = Sources(store, documents, readers, on.clock, on.grants)
        self.sync = Sync(store, library.ingest_repository, documents, readers)
