"""Services of the library and its sources."""

from dataclasses import dataclass

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Infrastructure
from saegim.library.active_index import ActiveIndex
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index.maintenance import IndexMaintenance
from saegim.library.index.repository import PostgresIndexState
from saegim.library.index.sync import IndexSync
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.ingest_service import Ingests
from saegim.library.ingestion import Ingestion
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.ranking_service import PostgresRankings, Rankings
from saegim.library.repository import PostgresLibrary
from saegim.library.service import Library, Retrievers
from saegim.library.tuning import RankingTuner
from saegim.sources.repository import PostgresSources
from saegim.sources.service import Sources
from saegim.sources.sync import Sync


@dataclass(frozen=True, kw_only=True)
class LibraryServices:
    """Documents, search index and ranking."""

    search: Library
    rankings: Rankings
    tuning: RankingTuner
    ingests: Ingests
    ingestion: Ingestion
    index: LanceIndex
    index_sync: IndexSync
    index_maintenance: IndexMaintenance
    active_index: ActiveIndex
    repository: PostgresLibrary
    ingest_repository: PostgresIngests


@dataclass(frozen=True, slots=True)
class SourceServices:
    """Connectors and their synchronisation."""

    sources: Sources
    sync: Sync


def build_library(on: Infrastructure, closing: list[Close]) -> LibraryServices:
    settings, cells, queue, clock = on.settings, on.db.cells, on.jobs.queue, on.clock
    index = LanceIndex(settings.index_url or str(settings.data / "index"), settings.index_options)
    active_index = from_settings.active_index(settings, queue, clock)
    documents = PostgresLibrary(cells, queue, clock)
    index_state = PostgresIndexState(cells, queue, clock, active_index)
    sync = IndexSync(documents, index_state, index)
    files = PostgresIngests(cells, queue, clock, on.quotas.storage)
    retrievers, rankings = Retrievers(index, on.llm.embedders), PostgresRankings(cells, clock)
    reranker = from_settings.reranker(settings)
    closing += [index.close, *([reranker.close] if reranker else [])]
    return LibraryServices(
        search=Library(documents, retrievers, reranker, index_state.maintain_now),
        rankings=Rankings(rankings),
        tuning=RankingTuner(documents, retrievers, rankings),
        ingests=Ingests(files, documents, clock, on.grants),
        ingestion=Ingestion(files, documents, SandboxedParser(), on.llm.embedders, clock),
        index=index,
        index_sync=sync,
        index_maintenance=IndexMaintenance(index_state, index, sync),
        active_index=active_index,
        repository=documents,
        ingest_repository=files,
    )


def build_sources(on: Infrastructure, library: LibraryServices) -> SourceServices:
    queue, documents = on.jobs.queue, library.repository
    keyring, storage = on.encryption.keyring, on.quotas.storage
    store = PostgresSources(on.db.cells, keyring, queue, on.clock, storage)
    readers = from_settings.readers(on.settings, on.clock)
    return SourceServices(
        Sources(store, documents, readers, on.clock, on.grants),
        Sync(store, library.ingest_repository, documents, readers),
    )
