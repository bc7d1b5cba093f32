"""Documents in, passages out."""

from dataclasses import dataclass
from datetime import timedelta

from saegim.adapters.lance.index import LanceIndex
from saegim.adapters.parsers.sandbox import SandboxedParser
from saegim.adapters.postgres.ingests import PostgresIngests
from saegim.adapters.postgres.library import PostgresLibrary
from saegim.adapters.postgres.pointing import Pointing
from saegim.adapters.postgres.ranking import PostgresRankings
from saegim.adapters.postgres.record_vectors import RecordVectors
from saegim.adapters.postgres.reembeds import PostgresReembeds
from saegim.adapters.postgres.sources import PostgresSources
from saegim.adapters.postgres.vector_tables import EpisodeVectors, PassageVectors
from saegim.bootstrap import configured
from saegim.bootstrap.configured import Engine
from saegim.bootstrap.ground import Ground
from saegim.governance.reembedding import Reembedding
from saegim.library.arms import Arms
from saegim.library.indexing import Indexing
from saegim.library.ingest import Ingestion
from saegim.library.ingests import Ingests
from saegim.library.rankings import Rankings
from saegim.library.service import Library
from saegim.library.sources.service import Sources
from saegim.library.sources.sync import Sync
from saegim.library.tuning import Tuning
from saegim.library.upkeep import Upkeep


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
    reembedding: Reembedding
    upkeep: Upkeep
    sources: Sources
    sync: Sync


def build_library(on: Ground, engines: list[Engine]) -> LibraryServices:
    """The library, on the ground."""
    settings, cells, queue, clock = on.settings, on.cells, on.queue, on.clock
    index = LanceIndex(settings.index_url or str(settings.data / "index"), settings.index_options)
    pointing = Pointing(queue, clock, timedelta(minutes=settings.keep_old_index_minutes))
    documents = PostgresLibrary(cells, queue, clock, pointing)
    indexing = Indexing(documents, documents, index)
    tables = (
        PassageVectors(cells, queue),
        EpisodeVectors(cells, on.keyring),
        RecordVectors(cells, on.keyring),
    )
    moves = PostgresReembeds(cells, queue, clock, pointing, tables)
    files = PostgresIngests(cells, queue, clock, on.quotas)
    arms, rankings = Arms(index, on.embedders), PostgresRankings(cells, clock)
    reranker = configured.reranker(settings)
    sources, readers = (
        PostgresSources(cells, on.keyring, queue, clock, on.quotas),
        configured.readers(settings, clock),
    )
    engines += [index, *([reranker] if reranker else [])]
    return LibraryServices(
        index=index,
        library=Library(documents, arms, reranker, documents.tend_now),
        rankings=Rankings(rankings),
        tuning=Tuning(documents, documents, arms, rankings),
        ingests=Ingests(files, documents, clock, on.grants),
        ingestion=Ingestion(files, documents, SandboxedParser(), on.embedders, clock),
        indexing=indexing,
        reembedding=Reembedding(moves, indexing, index, on.embedders),
        upkeep=Upkeep(documents, index, indexing, documents),
        sources=Sources(sources, documents, readers, clock, on.grants),
        sync=Sync(sources, files, documents, readers),
    )
