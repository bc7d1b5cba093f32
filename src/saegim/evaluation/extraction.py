"""What an extractor makes of messages whose statements are known."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

from saegim.domain.errors import ModelUnavailable
from saegim.evaluation.data_files import DataFileModel
from saegim.evaluation.fact_matching import holds, plain
from saegim.evaluation.results import Figure
from saegim.llm.steps import Steps
from saegim.memory.candidate import Speaker
from saegim.memory.extraction.extractor import ExtractionInput, extract

_SPEAKER = Speaker(datetime(2026, 11, 10, 9, tzinfo=UTC), "Asia/Seoul")


class ExtractionSample(DataFileModel):
    """A message, and the words that each statement of it must have."""

    message: str
    wanted: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """What was told by a message; None where the model's answer could not be read."""

    sample: ExtractionSample
    statements: tuple[str, ...] | None

    @property
    def found(self) -> int:
        """How many of the wanted statements are there."""
        texts = [plain(text) for text in self.statements or ()]
        return sum(
            any(all(holds(text, [word]) for word in words) for text in texts)
            for words in self.sample.wanted
        )


@cache
def messages() -> tuple[ExtractionSample, ...]:
    text = (files("saegim.evaluation") / "data" / "extraction.toml").read_text("utf-8")
    return tuple(ExtractionSample.model_validate(each) for each in tomllib.loads(text)["samples"])


async def extracted(steps: Steps, chosen: Sequence[ExtractionSample]) -> list[ExtractionResult]:
    """Every message through the extractor."""
    found: list[ExtractionResult] = []
    for sample in chosen:
        try:
            candidates, _ = await extract(steps, ExtractionInput(sample.message, "", _SPEAKER))
        except ModelUnavailable:
            found.append(ExtractionResult(sample, None))
        else:
            found.append(ExtractionResult(sample, tuple(each.content for each in candidates)))
    return found


def figures(those: Sequence[ExtractionResult]) -> dict[str, Figure]:
    """How much of what was told was found, and how often something was found in nothing."""
    wanted = sum(len(each.sample.wanted) for each in those)
    empty = [each for each in those if not each.sample.wanted]
    found = {
        "extraction.readable": Figure(
            value=sum(each.statements is not None for each in those) / len(those), count=len(those)
        )
    }
    if wanted:
        share = sum(each.found for each in those) / wanted
        found["extraction.recall"] = Figure(value=share, count=wanted)
    if empty:
        share = sum(bool(each.statements) for each in empty) / len(empty)
        found["extraction.made_up"] = Figure(value=share, count=len(empty), better="lower")
    return found
