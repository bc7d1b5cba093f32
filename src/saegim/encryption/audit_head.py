"""The head of a tenant's audit trail, kept with the keys."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Head:
    """The last sealed batch of a tenant's trail."""

    number: int
    digest: bytes
