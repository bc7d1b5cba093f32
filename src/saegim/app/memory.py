"""Services of memory."""

from dataclasses import dataclass

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Infrastructure
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.memory.candidate import ContactMasking
from saegim.memory.consents import PostgresConsents
from saegim.memory.consolidation import Consolidation
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.episodes import Episodes
from saegim.memory.extraction.job import MemoryExtraction
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.imports import MemoryImports
from saegim.memory.recall.repository import PostgresRecall, RecallCache
from saegim.memory.recall.service import Recall
from saegim.memory.repository import PostgresRecords
from saegim.memory.service import Memories
from saegim.memory.turn_memories import TurnMemoryService


@dataclass(frozen=True, kw_only=True)
class MemoryServices:
    """Extraction, recall, import and consolidation of records and episodes."""

    episodes: Episodes
    records: PostgresRecords
    recall: Recall
    recall_cache: RecallCache
    embedder: MemoryEmbedder
    memories: Memories
    imports: MemoryImports
    import_repository: PostgresMemoryImports
    extraction: MemoryExtraction
    turn_memories: TurnMemoryService
    consolidation: Consolidation
    consents: PostgresConsents


def build_memory(on: Infrastructure, closing: list[Close]) -> MemoryServices:
    cells, keyring, queue, clock = on.db.cells, on.encryption.keyring, on.jobs.queue, on.clock
    records = PostgresRecords(cells, keyring, clock, queue)
    used = on.settings.long_term_memory
    consents = PostgresConsents(cells, keyring, clock, memory_on=used)
    episodes = PostgresEpisodes(cells, keyring, clock)
    said = ExtractionSourceStore(cells, keyring, queue, episodes)
    embedder = MemoryEmbedder(episodes, on.llm.embedders)
    recall_cache = RecallCache(on.settings.recall_cache_mb * 2**20, clock)
    closing.append(recall_cache.close)
    masking = ContactMasking(frozenset(on.settings.unmasked_tenants))
    memories = Memories(records, embedder, clock, masking)
    imports = PostgresMemoryImports(cells, keyring, queue, clock)
    return MemoryServices(
        episodes=Episodes(episodes, on.llm.embedders, consents),
        records=records,
        recall=Recall(
            PostgresRecall(cells, keyring, recall_cache) if used else None,
            embedder,
            record_weights=from_settings.record_weights(on.settings.recall),
            budget=from_settings.recall_budget(on.settings.recall),
        ),
        recall_cache=recall_cache,
        embedder=embedder,
        memories=memories,
        imports=MemoryImports(imports, memories, clock),
        import_repository=imports,
        extraction=MemoryExtraction(said, records, consents, on.llm.steps, embedder, masking),
        turn_memories=TurnMemoryService(
            said,
            records,
            consents,
            PostgresTranscripts(cells, queue),
            from_settings.state_cache(on.settings, on.db.redis, keyring),
        ),
        consolidation=Consolidation(
            profiles=said,
            records=records,
            consents=consents,
            steps=on.llm.steps,
            embedder=embedder,
            clock=clock,
            rule=from_settings.consolidation_rule(on.settings.consolidation),
        ),
        consents=consents,
    )
