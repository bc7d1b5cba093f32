"""What a worker does to an index: merge, index the new, clean up, erase."""

from datetime import timedelta
from typing import Any

from saegim.library.index.lance.handles import (
    BY_BITMAP,
    BY_VALUE,
    PASSAGE,
    TERMS,
    VECTOR,
    among,
    load,
)
from saegim.library.index.lance.limits import LanceLimits

# A vector index is trained on what is there: after this much growth it is trained again.
_GROWTH = 4
_TRAINED_ON = f"{VECTOR}_"
# Pieces of this many rows are not merged with their neighbours until a tenth of them is hidden.
_FULL_PIECE = 900_000


async def prepare(table: Any) -> None:
    """Makes the indexes of an empty table; that of terms last, which says that it is finished."""
    index = load().index
    await table.set_unenforced_primary_key([PASSAGE])
    for column in BY_VALUE:
        await table.create_index(column, config=index.BTree())
    for column in BY_BITMAP:
        await table.create_index(column, config=index.Bitmap())
    await _index_terms(table)


async def _index_terms(table: Any) -> None:
    """The index of terms, made anew from the rows that are there."""
    as_given = load().index.FTS(
        base_tokenizer="whitespace",
        max_token_length=None,
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
    )
    await table.create_index(TERMS, config=as_given)


async def optimise(table: Any, limits: LanceLimits) -> None:
    """Merges small pieces, indexes what is new, and deletes versions that are old enough."""
    await table.optimize(cleanup_older_than=limits.keep_versions)
    rows = await table.count_rows()
    trained = await _trained(table)
    if rows >= limits.vector_index_rows and rows >= _GROWTH * max(trained.values(), default=0):
        config = load().index.IvfSq(distance_type="cosine")
        await table.create_index(VECTOR, config=config, name=f"{_TRAINED_ON}{rows}")
        trained = await _trained(table)
    newest = max(trained, key=trained.__getitem__, default=None)
    for name in trained:
        if name != newest:
            await table.drop_index(name)


async def purge(table: Any, limits: LanceLimits, *, at_once: bool = False) -> None:
    """Rewrites the pieces that hold hidden rows, so that no version from now on has them.

    The engine leaves hidden rows where they are until they are a tenth of their piece, and this
    cannot be set from here. But pieces with the same indexes are merged, without what is hidden:
    so a row is moved to a piece of its own, which is then indexed, and merged back."""
    await optimise(table, limits)
    if await hidden_rows(table):
        await _move_some(table)
        for _ in ("index what moved", "merge"):
            await table.optimize(cleanup_older_than=limits.keep_versions)
    if at_once:
        # Merged, an index of terms may still name those of rows that are gone.
        await _index_terms(table)
        await table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)


async def hidden_rows(table: Any) -> int:
    """How many removed rows the current version still carries."""
    newest = max(await table.list_versions(), key=lambda version: version["version"])
    return int(newest["metadata"]["total_deletion_file_rows"])


async def _move_some(table: Any) -> None:
    rows = await table.count_rows()
    if rows >= _FULL_PIECE:
        chosen = "_rowid % 8 = 0"
    else:
        found = await table.query().select([PASSAGE]).limit(1).to_arrow()
        chosen = among(PASSAGE, found.column(PASSAGE).to_pylist())
    await table.update(updates_sql={"type": "type"}, where=chosen)


async def _trained(table: Any) -> dict[str, int]:
    """The vector indexes, by name, with how many rows each was trained on."""
    names = [index.name for index in await table.list_indices()]
    return {
        name: int(name.removeprefix(_TRAINED_ON)) for name in names if name.startswith(_TRAINED_ON)
    }
