"""Measure how lenient a judge is on memories that are bad on purpose."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Literal

from benchmarks.evaluation.samples import DataFileModel, WrittenMemory, read_samples, remembered
from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Locale
from saegim.evaluation.judge import judge
from saegim.evaluation.results import Figure
from saegim.evaluation.types import ExpectedFact, JudgedMemory, Judgement
from saegim.llm.model_call import ModelCall
from saegim.llm.steps import Steps


class SampleQuality(StrEnum):
    """How a sample memory was made."""

    GOOD = "good"
    VAGUE = "vague"
    STALE = "stale"
    WRONG = "wrong"
    NOISY = "noisy"


Inaccuracy = Literal["number", "time", "target", "state"]


class _Wrong(DataFileModel):
    kind: Inaccuracy
    memory: WrittenMemory


class _Topic(DataFileModel):
    language: Locale
    query: str
    facts: tuple[ExpectedFact, ...]
    related: tuple[str, ...] = ()
    good: list[WrittenMemory]
    vague: list[WrittenMemory]
    stale: list[WrittenMemory]
    wrong: list[_Wrong]
    noisy: list[WrittenMemory]


@dataclass(frozen=True, slots=True)
class CalibrationSample:
    subject: JudgedMemory
    quality: SampleQuality
    language: Locale
    inaccuracy: Inaccuracy | None = None


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """The judgement of a sample; None if the answer was unreadable."""

    sample: CalibrationSample
    judgement: Judgement | None
    call: ModelCall | None

    @property
    def accepted(self) -> bool:
        return self.judgement is not None and self.judgement.accepted


@cache
def samples() -> tuple[CalibrationSample, ...]:
    topics = read_samples("calibration", _Topic, "topics")
    return tuple(sample for topic in topics for sample in _samples_of(topic))


def _samples_of(topic: _Topic) -> Iterator[CalibrationSample]:
    def subject(memory: WrittenMemory) -> JudgedMemory:
        return JudgedMemory(topic.query, remembered(memory), (), topic.facts, topic.related)

    for quality in SampleQuality:
        if quality is not SampleQuality.WRONG:
            for memory in getattr(topic, quality.value):
                yield CalibrationSample(subject(memory), quality, topic.language)
    for wrong in topic.wrong:
        memory = subject(wrong.memory)
        yield CalibrationSample(memory, SampleQuality.WRONG, topic.language, wrong.kind)


async def calibrate(steps: Steps, chosen: Iterable[CalibrationSample]) -> list[JudgeResult]:
    """Judge each sample; an unreadable answer accepts nothing."""
    results: list[JudgeResult] = []
    for sample in chosen:
        try:
            judgement, call = await judge(steps, sample.subject)
        except ModelUnavailable:
            judgement, call = None, None
        results.append(JudgeResult(sample, judgement, call))
    return results


def accepted(rulings: Sequence[JudgeResult]) -> Mapping[SampleQuality, float]:
    """Return the accepted share by quality; it should be high for good memories only."""
    total = Counter(ruling.sample.quality for ruling in rulings)
    taken = Counter(ruling.sample.quality for ruling in rulings if ruling.accepted)
    return {quality: taken[quality] / total[quality] for quality in SampleQuality if total[quality]}


def figures(rulings: Sequence[JudgeResult]) -> dict[str, Figure]:
    total = Counter(ruling.sample.quality for ruling in rulings)
    return {
        f"judge.accepts.{quality}": Figure(
            value=share,
            count=total[quality],
            better="higher" if quality is SampleQuality.GOOD else "lower",
        )
        for quality, share in accepted(rulings).items()
    }
