"""Pinned figures: a figure that falls by more than its noise fails the gate."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, TypeAdapter

from saegim.evaluation.results import Figure


class Pin(BaseModel):
    """What a figure was when it was pinned, and how far it moves by chance alone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    value: float
    noise: float
    better: Literal["higher", "lower"] = "higher"


@dataclass(frozen=True, slots=True)
class Regression:
    """A figure that is worse than its pin allows; None where it is not measured any more."""

    name: str
    pin: Pin
    value: float | None


_PINS = TypeAdapter(dict[str, Pin])


def read(path: Path) -> dict[str, Pin]:
    """The pins of a file."""
    return _PINS.validate_json(path.read_text("utf-8"))


def write(path: Path, pins: Mapping[str, Pin]) -> None:
    path.write_text(_PINS.dump_json(dict(pins), indent=2).decode() + "\n", "utf-8")


def pinned(figures: Mapping[str, Figure]) -> dict[str, Pin]:
    """Figures as pins: half of the interval is noise."""
    return {
        name: Pin(value=round(each.value, 4), noise=round(each.noise, 4), better=each.better)
        for name, each in figures.items()
    }


def fallen(figures: Mapping[str, Figure], pins: Mapping[str, Pin]) -> list[Regression]:
    """The pinned figures that are worse by more than their noise, or gone."""
    found: list[Regression] = []
    for name, pin in pins.items():
        figure = figures.get(name)
        if figure is None:
            found.append(Regression(name, pin, None))
            continue
        loss = pin.value - figure.value if pin.better == "higher" else figure.value - pin.value
        if loss > pin.noise:
            found.append(Regression(name, pin, figure.value))
    return found
