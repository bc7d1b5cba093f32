"""Optimistic concurrency control with ETags."""

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from typing import Any, cast

from saegim.domain.errors import VersionConflict


def etag(value: object) -> str:
    """Returns a hash of a value, the same in every process."""
    text = json.dumps(_plain(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class ExpectedVersion:
    """The ETags that a caller expects. Stores check it in the transaction that writes, while the
    row is locked."""

    tags: frozenset[str]

    @classmethod
    def of(cls, value: object) -> "ExpectedVersion":
        return cls(frozenset({etag(value)}))

    def require(self, stored: object) -> None:
        """Raises VersionConflict if the stored value has another ETag."""
        if etag(stored) not in self.tags:
            raise VersionConflict


def _plain(value: object) -> Any:
    """Converts a value to JSON types; sets are sorted."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return {str(name): _plain(each) for name, each in pairs}
    if isinstance(value, Set):
        return sorted(str(each) for each in cast("Set[object]", value))
    if isinstance(value, Sequence):
        return [_plain(each) for each in cast("Sequence[object]", value)]
    return str(value)
