"""A person's memory in the process, which follows what is written: a question reads only that.

What is new is told by the transaction that wrote it, what is gone by the number of rows."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Self

import numpy as np

from saegim.db.cells import Row
from saegim.memory.recall.cache_arrays import EpisodeRows, Flags, RecordRows
from saegim.memory.recall.ports import EpisodeScores, Narrowing, RecordScores
from saegim.memory.recall.query_vectors import Asked, IndexMark

Scoring = Callable[[], tuple[RecordScores, EpisodeScores]]

# What the place of a row takes, by its id.
_OF_AN_ID = 200
# Where so many rows were written since, it is loaded again.
MOST_WRITTEN = 512


class Layers[Rows: (RecordRows, EpisodeRows)]:
    """Rows as they were loaded, and behind them what was written since: a row that stands in both
    counts where it stands last."""

    def __init__(self, loaded: Rows) -> None:
        self._layers = [loaded]
        self._last = [np.ones(len(loaded.ids), np.bool_)]
        self._at = {bytes(found): (0, row) for row, found in enumerate(loaded.ids)}

    def __len__(self) -> int:
        return len(self._at)

    def each(self) -> list[tuple[Rows, Flags]]:
        """Each layer, and which of its rows count."""
        return list(zip(self._layers, self._last, strict=True))

    @property
    def written(self) -> int:
        """How many rows stand behind those that were loaded."""
        return len(self._layers[1].ids) if len(self._layers) > 1 else 0

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return sum(layer.size for layer in self._layers) + _OF_AN_ID * len(self._at)

    def follow(self, rows: Rows) -> None:
        """Takes rows as they were written since. What somebody goes through stays as it was."""
        if not len(rows.ids):
            return
        loaded, before = self._layers[0], self.written
        behind = self._layers[1].then(rows) if before else rows
        last = [self._last[0].copy(), np.ones(len(behind.ids), np.bool_)]
        if before:
            last[1][:before] = self._last[1]
        for row, found in enumerate(map(bytes, rows.ids), before):
            if found in self._at:
                layer, earlier = self._at[found]
                last[layer][earlier] = False
            self._at[found] = (1, row)
        self._layers, self._last = [loaded, behind], last


class HeldMemory:
    """All of a person's rows as of a mark."""

    @classmethod
    def sent(cls, mark: IndexMark, since: Row) -> Self:
        """From what `memory_since` returns of all that was ever written."""
        return cls(mark, RecordRows.sent(since), EpisodeRows.sent(since))

    def __init__(self, mark: IndexMark, records: RecordRows, episodes: EpisodeRows) -> None:
        self.mark = mark
        self._records = Layers(records)
        self._episodes = Layers(episodes)

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._records.size + self._episodes.size

    @property
    def rows(self) -> int:
        return len(self._records) + len(self._episodes)

    @property
    def worn(self) -> bool:
        """Whether so much was written since that it should be loaded again."""
        return self._records.written + self._episodes.written > MOST_WRITTEN

    def follow(self, mark: IndexMark, since: Row) -> bool:
        """Takes what `memory_since` returns of what was written since its own mark; whether what
        it has is now all there is."""
        if not self.mark.is_followed_by(mark):
            return False
        # Somebody who read earlier and comes later has no news.
        if mark.horizon >= self.mark.horizon:
            self._records.follow(RecordRows.sent(since))
            self._episodes.follow(EpisodeRows.sent(since))
            self.mark = mark
        return self._has_all_of(mark)

    @property
    def is_all(self) -> bool:
        """Whether it has as many rows as its mark counts."""
        return self._has_all_of(self.mark)

    def _has_all_of(self, mark: IndexMark) -> bool:
        return (len(self._records), len(self._episodes)) == (mark.records, mark.episodes)

    def scoring(self, asked: Asked, narrowing: Narrowing) -> Scoring:
        """What the scans of both tables return, of the rows as they are now, whenever it is done
        and in whichever thread."""
        told, said = self._records.each(), self._episodes.each()
        return lambda: (
            _together([rows.scores(asked, narrowing, last) for rows, last in told]),
            _together([rows.scores(asked, narrowing, last) for rows, last in said]),
        )


def _together[Found: (RecordScores, EpisodeScores)](layers: list[Found]) -> Found:
    first, *others = layers
    if not others:
        return first
    arrays = {
        each.name: np.concatenate([getattr(layer, each.name) for layer in layers])
        for each in fields(first)
        if isinstance(getattr(first, each.name), np.ndarray)
    }
    return replace(first, **arrays)
