"""What is known of a person."""

from dataclasses import dataclass

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Ground
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.memory.candidate import ContactMasking
from saegim.memory.consents import MemoryOff, NoMemory, PostgresConsents
from saegim.memory.consolidation import Consolidation, ConsolidationParts
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.episodes import Episodes
from saegim.memory.extraction.job import Writing, WritingParts
from saegim.memory.extraction.repository import PostgresSaid
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.imports import MemoryImports
from saegim.memory.ports import ConsentStore
from saegim.memory.recall.cache import HeldMemories
from saegim.memory.recall.repository import PostgresRecall
from saegim.memory.recall.service import Recall
from saegim.memory.repository import PostgresRecords
from saegim.memory.service import Memories
from saegim.memory.turn_memories import Remembering, RememberingParts


@dataclass(frozen=True, kw_only=True)
class MemoryServices:
    """What is known of a person."""

    episodes: Episodes
    records: PostgresRecords
    recall: Recall
    held: HeldMemories
    remembered: MemoryEmbedder
    memories: Memories
    imports: MemoryImports
    import_store: PostgresMemoryImports
    writing: Writing
    remembering: Remembering
    consolidation: Consolidation
    consents: ConsentStore


def build_memory(on: Ground, closing: list[Close]) -> MemoryServices:
    """Long-term memory, on the ground."""
    cells, keyring, clock, steps = on.cells, on.keyring, on.clock, on.steps
    records = PostgresRecords(cells, keyring, clock, on.queue)
    kept = PostgresConsents(cells, keyring, clock)
    consents = kept if on.settings.long_term_memory else MemoryOff(kept)
    episodes = PostgresEpisodes(cells, keyring, clock)
    said = PostgresSaid(cells, keyring, on.queue, episodes)
    remembered = MemoryEmbedder(episodes, on.embedders)
    held = HeldMemories(on.settings.recall_cache_mb * 2**20, clock)
    closing.append(held.close)
    used = on.settings.long_term_memory
    store = PostgresRecall(cells, keyring, held) if used else NoMemory()
    transcripts = PostgresTranscripts(cells, on.queue)
    cache = RedisStateCache(on.redis, keyring, on.settings.summary.ttl_hours * 3_600)
    masking = ContactMasking(frozenset(on.settings.unmasked_tenants))
    memories = Memories(records, remembered, clock, masking)
    imports = PostgresMemoryImports(cells, keyring, on.queue, clock)
    return MemoryServices(
        episodes=Episodes(episodes, on.embedders, consents),
        records=records,
        recall=Recall(
            store,
            remembered,
            record_weights=from_settings.record_weights(on.settings.recall),
            budget=from_settings.recall_budget(on.settings.recall),
        ),
        held=held,
        remembered=remembered,
        memories=memories,
        import_store=imports,
        imports=MemoryImports(imports, memories, clock),
        writing=Writing(WritingParts(said, records, consents, steps, remembered, masking)),
        remembering=Remembering(RememberingParts(said, records, consents, transcripts, cache)),
        consolidation=Consolidation(
            ConsolidationParts(
                said,
                records,
                consents,
                steps,
                remembered,
                clock,
                from_settings.consolidation_rule(on.settings.consolidation),
            )
        ),
        consents=consents,
    )
