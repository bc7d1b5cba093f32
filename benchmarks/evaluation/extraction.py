"""Measure extraction on messages with known statements."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from uuid import UUID

from benchmarks.evaluation.samples import DataFileModel, read_samples
from saegim.conversations.types import Turn, TurnState
from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Scope
from saegim.evaluation.fact_matching import holds, plain
from saegim.evaluation.results import Figure
from saegim.llm.steps import Steps
from saegim.memory.extraction.extractor import ExtractionInput, extract

_SAID_AT = datetime(2026, 11, 10, 9, tzinfo=UTC)


class ExtractionSample(DataFileModel):
    """A message, and the words that each extracted statement must have."""

    message: str
    wanted: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """The statements extracted from a message; None if the model gave none that can be read."""

    sample: ExtractionSample
    statements: tuple[str, ...] | None

    @property
    def found(self) -> int:
        """Count the wanted statements that were extracted."""
        texts = [plain(text) for text in self.statements or ()]
        return sum(
            any(all(holds(text, [word]) for word in words) for text in texts)
            for words in self.sample.wanted
        )


@cache
def messages() -> tuple[ExtractionSample, ...]:
    return read_samples("extraction", ExtractionSample)


async def extracted(steps: Steps, chosen: Iterable[ExtractionSample]) -> list[ExtractionResult]:
    """Run the extractor on each message."""
    results: list[ExtractionResult] = []
    for sample in chosen:
        try:
            found = await extract(steps, ExtractionInput([turn_of(sample.message, _SAID_AT)]))
        except ModelUnavailable:
            results.append(ExtractionResult(sample, None))
        else:
            contents = tuple(each.candidate.content for each in found)
            results.append(ExtractionResult(sample, contents))
    return results


def turn_of(message: str, at: datetime) -> Turn:
    """Return a message as a turn of nobody."""
    nobody = UUID(int=0)
    scope = Scope(nobody, nobody, nobody)
    return Turn(nobody, scope, nobody, nobody, 1, TurnState.DONE, message, None, 1, at)


def figures(results: Sequence[ExtractionResult]) -> dict[str, Figure]:
    """Return the share of statements extracted, and of empty messages with made-up ones."""
    wanted = sum(len(each.sample.wanted) for each in results)
    empty = [each for each in results if not each.sample.wanted]
    readable = sum(each.statements is not None for each in results) / len(results)
    shares = {"extraction.readable": Figure(value=readable, count=len(results))}
    if wanted:
        share = sum(each.found for each in results) / wanted
        shares["extraction.recall"] = Figure(value=share, count=wanted)
    if empty:
        share = sum(bool(each.statements) for each in empty) / len(empty)
        shares["extraction.made_up"] = Figure(value=share, count=len(empty), better="lower")
    return shares
