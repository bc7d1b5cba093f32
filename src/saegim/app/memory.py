"""Services of memory."""

from saegim.app import from_settings
from saegim.app.from_settings import Close
from saegim.app.infrastructure import Infrastructure
from saegim.conversations.transcripts import PostgresTranscripts
from saegim.library.repository import PostgresLibrary
from saegim.memory.candidate import ContactMasking
from saegim.memory.confirmations import Confirmations
from saegim.memory.consents import PostgresConsents
from saegim.memory.consolidation import Consolidation
from saegim.memory.embedding import MemoryEmbedder
from saegim.memory.episode_repository import PostgresEpisodes
from saegim.memory.episodes import Episodes
from saegim.memory.extraction.job import MemoryExtraction
from saegim.memory.extraction.repository import ExtractionSourceStore
from saegim.memory.extraction.retraction import TurnRetraction
from saegim.memory.history import RecordHistory
from saegim.memory.import_repository import PostgresMemoryImports
from saegim.memory.imports import MemoryImports
from saegim.memory.recall.repository import PostgresRecall, RecallCache
from saegim.memory.recall.service import Recall
from saegim.memory.repository import PostgresRecords
from saegim.memory.requests import MemoryRequests
from saegim.memory.service import Memories
from saegim.memory.synthesis.repository import PostgresDerived
from saegim.memory.synthesis.service import Synthesis
from saegim.memory.turn_changes import TurnChanges
from saegim.memory.turn_memories import TurnMemoryService
from saegim.team_memory.repository import PostgresTeamMemory
from saegim.team_memory.service import TeamMemory, TeamVectors


def build_team_memory(
    on: Infrastructure, memory: "MemoryServices", library: PostgresLibrary
) -> TeamMemory:
    return TeamMemory(
        store=PostgresTeamMemory(on.db.cells, on.encryption.keyring, on.clock),
        library=library,
        records=memory.records,
        clock=on.clock,
        masking=memory.masking,
        vectors=TeamVectors(on.llm.embedder),
    )


class MemoryServices:
    """Extraction, recall, import and consolidation of records and episodes."""

    def __init__(self, on: Infrastructure, closing: list[Close]) -> None:
        cells, keyring, queue, clock = on.db.cells, on.encryption.keyring, on.jobs.queue, on.clock
        settings, steps = on.settings, on.llm.steps
        cache = from_settings.state_cache(settings, on.db.redis, keyring)
        self.records = PostgresRecords(cells, keyring, clock, queue, cache)
        self.history = RecordHistory(cells, keyring)
        used = settings.long_term_memory
        self.consents = PostgresConsents(cells, keyring, clock, memory_on=used)
        episodes = PostgresEpisodes(cells, keyring, clock)
        sources = ExtractionSourceStore(cells, keyring, queue)
        self.embedder = MemoryEmbedder(episodes, on.llm.embedders)
        self.recall_cache = RecallCache(settings.recall_cache_mb * 2**20, clock)
        closing.append(self.recall_cache.close)
        masking = self.masking = ContactMasking(frozenset(settings.unmasked_tenants))
        self.memories = Memories(self.records, self.embedder, clock, masking)
        self.import_repository = PostgresMemoryImports(cells, keyring, queue, clock)
        self.imports = MemoryImports(self.import_repository, self.memories, clock)
        self.episodes = Episodes(episodes, self.embedder, self.consents)
        self.confirmations = Confirmations(cells, self.records)
        self.recall = Recall(
            PostgresRecall(cells, keyring, self.recall_cache) if used else None,
            self.embedder,
            record_weights=from_settings.record_weights(settings.recall),
            budget=from_settings.recall_budget(settings.recall),
        )
        retraction = TurnRetraction(sources, self.records, self.embedder)
        self.turn_changes = TurnChanges(
            cells, keyring, self.records, self.embedder, retraction, masking
        )
        self.requests = MemoryRequests(
            self.records, self.consents, self.confirmations, self.turn_changes
        )
        self.extraction = MemoryExtraction(
            sources=sources,
            records=self.records,
            consents=self.consents,
            steps=steps,
            embedder=self.embedder,
            masking=masking,
            confirmations=self.confirmations,
            heads_embedder=on.llm.heads_embedder,
            clock=clock,
        )
        transcripts = PostgresTranscripts(cells, queue)
        self.turn_memories = TurnMemoryService(
            sources, self.records, self.consents, transcripts, cache, retraction
        )
        derived = PostgresDerived(cells, keyring, clock, queue)
        self.synthesis = Synthesis(derived, self.consents, steps, enabled=settings.synthesis)
        self.consolidation = Consolidation(
            profiles=sources,
            records=self.records,
            consents=self.consents,
            steps=steps,
            embedder=self.embedder,
            clock=clock,
            rule=from_settings.consolidation_rule(settings.consolidation),
        )
