"""What is known of a person."""

from dataclasses import dataclass

from saegim.adapters.postgres.consents import MemoryOff, NoMemory, PostgresConsents
from saegim.adapters.postgres.episodes import PostgresEpisodes
from saegim.adapters.postgres.holding import HeldMemories
from saegim.adapters.postgres.memories import PostgresRecords
from saegim.adapters.postgres.memory_imports import PostgresMemoryImports
from saegim.adapters.postgres.recall import PostgresRecall
from saegim.adapters.postgres.retention import PostgresTranscripts
from saegim.adapters.postgres.said import PostgresSaid
from saegim.adapters.redis.working_memory import RedisStateCache
from saegim.bootstrap import configured
from saegim.bootstrap.configured import Engine
from saegim.bootstrap.ground import Ground
from saegim.memory.consolidation import Consolidation, ConsolidationParts
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episodes import Episodes
from saegim.memory.importing import MemoryImports
from saegim.memory.memories import Memories
from saegim.memory.ports import ConsentStore
from saegim.memory.recall import Recall
from saegim.memory.remembered import Remembering, RememberingParts
from saegim.memory.told import ContactMasking
from saegim.memory.writing import Writing, WritingParts


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
    writing: Writing
    remembering: Remembering
    consolidation: Consolidation
    consents: ConsentStore


def build_memory(on: Ground, engines: list[Engine]) -> MemoryServices:
    """Long-term memory, on the ground."""
    cells, keyring, clock, steps = on.cells, on.keyring, on.clock, on.steps
    records = PostgresRecords(cells, keyring, clock, on.queue)
    kept = PostgresConsents(cells, keyring, clock)
    consents = kept if on.settings.long_term_memory else MemoryOff(kept)
    episodes = PostgresEpisodes(cells, keyring, clock)
    said = PostgresSaid(cells, keyring, on.queue, episodes)
    remembered = MemoryEmbedder(episodes, on.embedders)
    held = HeldMemories(on.settings.recall_cache_mb * 2**20, clock)
    engines.append(held)
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
            record_weights=configured.record_weights(on.settings.recall),
            budget=configured.recall_budget(on.settings.recall),
        ),
        held=held,
        remembered=remembered,
        memories=memories,
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
                configured.consolidation_rule(on.settings.consolidation),
            )
        ),
        consents=consents,
    )
