"""Count the planted values that are exact after many summaries, and the invented ones."""

from datetime import UTC, datetime

from benchmarks.doubles.models import ScriptedModels
from benchmarks.doubles.summarizer import naming
from benchmarks.planted_conversations import PlantedConversation, planted
from saegim.conversations.summary.summariser import SummaryEntity, summarise
from saegim.conversations.types import MOST_ENTITIES, Exchange, Memory, same_key
from saegim.domain.scope import Locale
from saegim.llm.ports import ModelRole
from saegim.llm.steps import Steps

NOW = datetime(2026, 11, 15, tzinfo=UTC)
FOLDS = 40
BATCH = 5
SEEDS = 5
INVENTED = "31,337"


async def measure(seeds: int = SEEDS) -> tuple[dict[str, float], bool]:
    figures: dict[str, float] = {}
    complete = True
    for locale in ("ko", "en"):
        found = [await _latest(locale, seed) for seed in range(seeds)]
        kept, invented = (sum(each) for each in zip(*found, strict=True))
        figures[f"exact.{locale}.latest_25_kept"] = round(kept / seeds, 4)
        figures[f"exact.{locale}.invented"] = float(invented)
        complete &= kept == seeds and not invented
    return figures, complete


async def _latest(locale: Locale, seed: int) -> tuple[float, int]:
    """Returns the share of the 25 latest keyed values that are exact after forty summaries, and
    how many invented values were taken."""
    talk = planted(FOLDS * BATCH, locale, seed)
    memory = await _fold(talk)
    kept = {same_key(entity.key): entity.value for entity in memory.entities}
    latest = talk.latest(MOST_ENTITIES)
    exact = sum(kept.get(same_key(key)) == value for key, value in latest.items()) / len(latest)
    return exact, sum(INVENTED in value for value in kept.values())


async def _fold(talk: PlantedConversation) -> Memory:
    """Summarises by a model that names the values of the turns, and one that nobody stated."""
    stated = {message: pair for (message, _), pair in zip(talk.turns, talk.stated, strict=True)}
    summarizer = naming(stated, SummaryEntity(key="값", value=INVENTED))
    steps = Steps(ScriptedModels({ModelRole.SUMMARIZER: summarizer}))
    said = [Exchange(number, *pair, NOW) for number, pair in enumerate(talk.turns, 1)]
    memory = Memory()
    for start in range(0, len(said), BATCH):
        memory, _ = await summarise(steps, memory, said[start : start + BATCH])
    return memory
