"""Kinds, durations and order of faults. The seed decides, so a run can be repeated."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """A fault and its target."""

    KILL_API = "kill-api"
    KILL_WORKER = "kill-worker"
    KILL_VALKEY = "kill-valkey"
    KILL_POSTGRES = "kill-postgres"
    STOP_API = "stop-api"
    STOP_WORKER = "stop-worker"
    STOP_VALKEY = "stop-valkey"
    STOP_POSTGRES = "stop-postgres"
    FULL_DISK_POSTGRES = "full-disk-postgres"
    FULL_DISK_INDEX = "full-disk-index"
    PROVIDER_SLOW = "provider-slow"
    PROVIDER_FAILING = "provider-failing"
    PROVIDER_HANGING = "provider-hanging"
    PROVIDER_CUT = "provider-cut"
    PARTITION_POSTGRES = "partition-postgres"
    PARTITION_VALKEY = "partition-valkey"
    FLOOD_API = "flood-api"


FULL_DISKS = (FaultKind.FULL_DISK_POSTGRES, FaultKind.FULL_DISK_INDEX)
PARTITIONS = (FaultKind.PARTITION_POSTGRES, FaultKind.PARTITION_VALKEY)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: how long it lasts, and the pause after it."""

    kind: FaultKind
    seconds: float
    rest: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Ranges of durations and pauses."""

    shortest: float = 2.0
    longest: float = 10.0
    rest: float = 4.0


def faults(seed: int, kinds: Sequence[FaultKind], pace: Pace) -> Iterator[Fault]:
    """Yields faults endlessly: every kind once in random order, then again."""
    chance = random.Random(seed)
    while True:
        bag = list(kinds)
        chance.shuffle(bag)
        for kind in bag:
            seconds = round(chance.uniform(pace.shortest, pace.longest), 2)
            yield Fault(kind, seconds, round(chance.uniform(0, pace.rest), 2))
