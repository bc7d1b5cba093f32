"""How lenient a judge is: what it accepts of memories that are bad on purpose."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Literal

from saegim.domain.errors import ModelUnavailable
from saegim.domain.scope import Locale
from saegim.evaluation.data_files import DataFileModel, WrittenFact, WrittenMemory, remembered
from saegim.evaluation.judge import judge
from saegim.evaluation.results import Figure
from saegim.evaluation.types import JudgedMemory, Judgement
from saegim.llm.model_call import ModelCall
from saegim.llm.steps import Steps


class SampleQuality(StrEnum):
    """How a memory of the set was made."""

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
    facts: list[WrittenFact]
    related: tuple[str, ...] = ()
    good: list[WrittenMemory]
    vague: list[WrittenMemory]
    stale: list[WrittenMemory]
    wrong: list[_Wrong]
    noisy: list[WrittenMemory]


@dataclass(frozen=True, slots=True)
class CalibrationSample:
    """A memory of the set, and how it was made."""

    subject: JudgedMemory
    quality: SampleQuality
    language: Locale
    inaccuracy: Inaccuracy | None = None


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """What a judge said of a sample; None where its answer could not be read."""

    sample: CalibrationSample
    judgement: Judgement | None
    call: ModelCall | None

    @property
    def accepted(self) -> bool:
        return self.judgement is not None and self.judgement.accepted


@cache
def samples() -> tuple[CalibrationSample, ...]:
    """The set that is shipped."""
    text = (files("saegim.evaluation") / "data" / "calibration.toml").read_text("utf-8")
    topics = [_Topic.model_validate(topic) for topic in tomllib.loads(text)["topics"]]
    return tuple(sample for topic in topics for sample in _of(topic))


def _of(topic: _Topic) -> Iterator[CalibrationSample]:
    facts = tuple(fact.fact() for fact in topic.facts)

    def subject(memory: WrittenMemory) -> JudgedMemory:
        return JudgedMemory(topic.query, remembered(memory), facts=facts, related=topic.related)

    plain: dict[SampleQuality, Sequence[WrittenMemory]] = {
        SampleQuality.GOOD: topic.good,
        SampleQuality.VAGUE: topic.vague,
        SampleQuality.STALE: topic.stale,
        SampleQuality.NOISY: topic.noisy,
    }
    for quality, memories in plain.items():
        for memory in memories:
            yield CalibrationSample(subject(memory), quality, topic.language)
    for wrong in topic.wrong:
        yield CalibrationSample(
            subject(wrong.memory), SampleQuality.WRONG, topic.language, wrong.kind
        )


async def calibrate(steps: Steps, chosen: Sequence[CalibrationSample]) -> list[JudgeResult]:
    """What the judge says of each; a judge that cannot answer accepts nothing."""
    found: list[JudgeResult] = []
    for sample in chosen:
        try:
            judgement, call = await judge(steps, sample.subject)
        except ModelUnavailable:
            found.append(JudgeResult(sample, None, None))
        else:
            found.append(JudgeResult(sample, judgement, call))
    return found


def accepted(rulings: Sequence[JudgeResult]) -> Mapping[SampleQuality, float]:
    """The share that was accepted, by how memories were made: to be high for good ones alone."""
    seen = Counter(ruling.sample.quality for ruling in rulings)
    taken = Counter(ruling.sample.quality for ruling in rulings if ruling.accepted)
    return {quality: taken[quality] / seen[quality] for quality in SampleQuality if seen[quality]}


def figures(rulings: Sequence[JudgeResult]) -> dict[str, Figure]:
    """How much of each kind was accepted."""
    seen = Counter(ruling.sample.quality for ruling in rulings)
    return {
        f"judge.accepts.{quality}": Figure(
            value=share,
            count=seen[quality],
            better="higher" if quality is SampleQuality.GOOD else "lower",
        )
        for quality, share in accepted(rulings).items()
    }
