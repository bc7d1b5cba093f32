"""The figures of the answers, alone and beside those of an earlier release."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import numpy as np

from benchmarks.answers.model import STRUCTURED_SECONDS, LoggedCall
from benchmarks.answers.questions import Half
from benchmarks.answers.run import AnsweredQuestion
from benchmarks.results import ROOT
from benchmarks.turn.questions import auroc
from saegim.text.ranking_metrics import paired_bootstrap

BASELINE = ROOT / "benchmarks" / "data" / "answers_baseline.json"
QUICK_MS = 200.0


@dataclass(frozen=True, slots=True)
class Baseline:
    """The answers of an earlier release in the same harness."""

    release: str
    commit: str
    answered: tuple[AnsweredQuestion, ...]
    cached_share: float

    def with_earlier(self, earlier: "Baseline | None") -> "Baseline":
        """Adds the answers of a run with other sets, of the same commit."""
        if earlier is None or earlier.commit != self.commit:
            return self
        own = {each.id for each in self.answered}
        kept = tuple(each for each in earlier.answered if each.id not in own)
        return replace(
            self,
            answered=(*kept, *self.answered),
            cached_share=self.cached_share or earlier.cached_share,
        )

    def save(self, path: Path = BASELINE) -> None:
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n", "utf-8")

    @classmethod
    def load(cls, path: Path = BASELINE) -> "Baseline | None":
        if not path.exists():
            return None
        stored: dict[str, Any] = json.loads(path.read_text("utf-8"))
        answered = tuple(
            AnsweredQuestion(**row | {"calls": tuple(row["calls"]), "doubts": tuple(row["doubts"])})
            for row in stored["answered"]
        )
        return cls(stored["release"], stored["commit"], answered, stored["cached_share"])


def figures(
    answered: Sequence[AnsweredQuestion], half: Half, baseline: Baseline | None = None
) -> dict[str, float]:
    """Returns the figures of a half. Those of the held-out half have plain names."""
    own = [each for each in answered if each.half == half]
    if not own:
        return {}
    found = _first_token(own) | _cost(own) | _support(own)
    if baseline is not None:
        before = {each.id: each for each in baseline.answered if each.half == half}
        found |= _compared([each for each in own if each.id in before], before)
    prefix = "" if half == "held_out" else f"{half}."
    return {f"{prefix}{name}": value for name, value in found.items()}


def cached_share(calls: Sequence[LoggedCall]) -> dict[str, float]:
    """Returns the share of the prompt tokens of a conversation that a provider has cached."""
    read = sum(call.prompt_tokens for call in calls)
    if not read:
        return {}
    return {
        "cached_share": sum(call.cached_tokens for call in calls) / read,
        "cached_share.any_length": sum(call.cached_any for call in calls) / read,
        "long_conversation.input_tokens": float(read),
    }


def background(calls: Sequence[LoggedCall], turns: int) -> dict[str, float]:
    """Returns calls and tokens of background jobs per turn."""
    return {
        "background.calls_per_turn": len(calls) / max(1, turns),
        "background.input_tokens": sum(call.prompt_tokens for call in calls) / max(1, turns),
    }


def _first_token(own: Sequence[AnsweredQuestion]) -> dict[str, float]:
    answerable = [each for each in own if each.answerable]
    over = [each.over_provider_ms for each in answerable]
    one_call = QUICK_MS + STRUCTURED_SECONDS * 1000
    return {
        "questions": float(len(own)),
        "answerable": float(len(answerable)),
        "first_token.within_200ms_share": _share([ms <= QUICK_MS for ms in over]),
        "first_token.within_one_call_share": _share([ms <= one_call for ms in over]),
        "first_token.over_provider_ms.p50": _at(over, 50),
        "first_token.over_provider_ms.p95": _at(over, 95),
        "own_ms.p50": _at([each.own_ms for each in own], 50),
        "own_ms.p95": _at([each.own_ms for each in own], 95),
        "calls_before_first_token.mean": fmean(each.calls_before for each in own),
        "calls_before_first_token.answerable": _mean([each.calls_before for each in answerable]),
        **{
            f"calls_before_first_token.{name}": fmean(
                each.calls_before for each in own if each.set == name
            )
            for name in sorted({each.set for each in own})
        },
    }


def _cost(own: Sequence[AnsweredQuestion]) -> dict[str, float]:
    return {
        "faults": float(sum(each.faults for each in own)),
        "calls_per_turn": fmean(len(each.calls) for each in own),
        "input_tokens.mean": fmean(each.input_tokens for each in own),
        "output_tokens.mean": fmean(each.output_tokens for each in own),
        "usd_per_1000_turns": 1_000 * fmean(each.usd for each in own),
    }


def _support(own: Sequence[AnsweredQuestion]) -> dict[str, float]:
    answerable = [each for each in own if each.answerable]
    scores = np.array([each.confidence for each in own])
    labels = np.array([float(each.answerable) for each in own])
    found = {"gold_in_context": _share([each.gold_in_context for each in answerable])}
    for name in sorted({each.set for each in answerable}):
        shares = [each.gold_in_context for each in answerable if each.set == name]
        found[f"gold_in_context.{name}"] = _share(shares)
    if 0 < labels.sum() < len(labels):
        found["abstention.auroc"] = auroc(scores, labels)
    return found


def _compared(
    own: Sequence[AnsweredQuestion], before: Mapping[str, AnsweredQuestion]
) -> dict[str, float]:
    """Compares the same questions."""
    if not own:
        return {}
    earlier = [before[each.id] for each in own]
    pairs = [(now, then) for now, then in zip(own, earlier, strict=True) if now.answerable]
    gain = paired_bootstrap(
        [float(now.gold_in_context) for now, _ in pairs],
        [float(then.gold_in_context) for _, then in pairs],
    )
    return {
        "input_tokens.ratio_to_0_6": sum(each.input_tokens for each in own)
        / sum(each.input_tokens for each in earlier),
        "usd.ratio_to_0_6": sum(each.usd for each in own) / sum(each.usd for each in earlier),
        "gold_in_context.delta": gain.mean,
        "gold_in_context.delta_low": gain.low,
        "gold_in_context.delta_high": gain.high,
    } | {f"baseline.{name}": value for name, value in _beside(earlier).items()}


def _beside(earlier: Sequence[AnsweredQuestion]) -> dict[str, float]:
    names = (
        "first_token.within_200ms_share",
        "first_token.within_one_call_share",
        "first_token.over_provider_ms.p50",
        "calls_before_first_token.mean",
        "calls_per_turn",
        "input_tokens.mean",
        "usd_per_1000_turns",
        "gold_in_context",
        "abstention.auroc",
    )
    every = _first_token(earlier) | _cost(earlier) | _support(earlier)
    return {name: every[name] for name in names if name in every}


def _share(flags: Sequence[bool]) -> float:
    return fmean(flags) if flags else 0.0


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _at(values: Sequence[float], percent: int) -> float:
    if len(values) < 2:
        return sum(values)
    return quantiles(values, n=100, method="inclusive")[percent - 1]
