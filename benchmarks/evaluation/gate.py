"""Regression gate: a pinned figure may fall by its noise at most."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from saegim.evaluation.results import Figure
from saegim.evaluation.scenario import DataFileModel


class Pin(DataFileModel):
    """The pinned value of a figure, and its noise."""

    value: float
    noise: float
    better: Literal["higher", "lower"] = "higher"


@dataclass(frozen=True, slots=True)
class Regression:
    """A figure that is worse than its pin allows; `value` is None if it is not measured."""

    name: str
    pin: Pin
    value: float | None


_PINS = TypeAdapter(dict[str, Pin])


def read(path: Path) -> dict[str, Pin]:
    return _PINS.validate_json(path.read_text("utf-8"))


def write(path: Path, pins: Mapping[str, Pin]) -> None:
    path.write_text(_PINS.dump_json(dict(pins), indent=2).decode() + "\n", "utf-8")


def pinned(figures: Mapping[str, Figure]) -> dict[str, Pin]:
    """Return figures as pins; half of the interval is noise."""
    return {
        name: Pin(value=round(each.value, 4), noise=round(each.noise, 4), better=each.better)
        for name, each in figures.items()
    }


def fallen(figures: Mapping[str, Figure], pins: Mapping[str, Pin]) -> list[Regression]:
    """Return the pinned figures that are missing or worse by more than their noise."""
    regressions: list[Regression] = []
    for name, pin in pins.items():
        value = figures[name].value if name in figures else None
        sign = 1 if pin.better == "higher" else -1
        if value is None or sign * (pin.value - value) > pin.noise:
            regressions.append(Regression(name, pin, value))
    return regressions
