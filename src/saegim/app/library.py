"""Documents in, passages out."""

from dataclasses import dataclass
from datetime import timedelta

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Ground
from saegim.governance.reembedding.record_vectors import RecordVectors
from saegim.governance.reembedding.repository import PostgresReembeds
from saegim.governance.reembedding.service import Reembedding
from saegim.governance.reembedding.vector_tables import EpisodeVectors, PassageVectors
from saegim.library.active_index import Pointing
from saegim.library.index.lance.index import LanceIndex
from saegim.library.index.maintenance import Upkeep
from saegim.library.index.schedule import IndexSchedule
from saegim.library.index.sync import Indexing
from saegim.library.ingest_repository import PostgresIngests
from saegim.library.ingest_service import Ingests
from saegim.library.ingestion import Ingestion
from saegim.library.parsing.sandbox.parser import SandboxedParser
from saegim.library.ranking_repository import PostgresRankings
from saegim.library.ranking_service import Rankings
from saegim.library.repository import PostgresLibrary
from saegim.library.retrievers import Arms
from saegim.library.service import Library
from saegim.library.tuning import Tuning
from saegim.sources.repository import PostgresSources
from saegim.sources.service import Sources
from saegim.sources.sync import Sync


@dataclass(frozen=True, kw_only=True)
class LibraryServices:
    """Documents in, passages out."""

    index: LanceIndex
    library: Library
    rankings: Rankings
    tuning: Tuning
    ingests: Ingests
    ingestion: Ingestion
    indexing: Indexing
    ingest_store: PostgresIngests
    reembedding: Reembedding
    upkeep: Upkeep
    sources: Sources
    sync: Sync


def build_library(on: Ground, closing: list[Close]) -> LibraryServices:
    """The library, on the ground."""
    settings, cells, queue, clock = on.settings, on.cells, on.queue, on.clock
    index = LanceIndex(settings.index_url or str(settings.data / "index"), settings.index_options)
    pointing = Pointing(queue, clock, timedelta(minutes=settings.keep_old_index_minutes))
    documents = PostgresLibrary(cells, queue, clock, pointing)
    schedule = IndexSchedule(cells, queue)
    indexing = Indexing(documents, schedule, index)
    tables = (
        PassageVectors(cells, queue),
        EpisodeVectors(cells, on.keyring),
        RecordVectors(cells, on.keyring),
    )
    moves = PostgresReembeds(cells, queue, clock, pointing, tables)
    files = PostgresIngests(cells, queue, clock, on.quotas)
    arms, rankings = Arms(index, on.embedders), PostgresRankings(cells, clock)
    reranker = from_settings.reranker(settings)
    sources, readers = (
        PostgresSources(cells, on.keyring, queue, clock, on.quotas),
        from_settings.readers(settings, clock),
    )
    closing += [index.close, *([reranker.close] if reranker else [])]
    return LibraryServices(
        index=index,
        library=Library(documents, arms, reranker, schedule.tend_now),
        rankings=Rankings(rankings),
        tuning=Tuning(documents, arms, rankings),
        ingests=Ingests(files, documents, clock, on.grants),
        ingestion=Ingestion(files, documents, SandboxedParser(), on.embedders, clock),
        indexing=indexing,
        ingest_store=files,
        reembedding=Reembedding(moves, indexing, index, on.embedders),
        upkeep=Upkeep(documents, index, indexing, schedule),
        sources=Sources(sources, documents, readers, clock, on.grants),
        sync=Sync(sources, files, documents, readers),
    )
