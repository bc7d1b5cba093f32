"""Maintains a LanceDB table: merges fragments, indexes new rows, deletes old versions, purges."""

from datetime import timedelta
from typing import Any

from saegim.library.index.lance.handles import (
    BY_BITMAP,
    BY_VALUE,
    PASSAGE,
    TERMS,
    VECTOR,
    LanceLimits,
    among,
    load,
)

# A vector index is trained again after the table grew by this factor.
_GROWTH = 4
_TRAINED_ON = f"{VECTOR}_"
# Fragments of this size are not merged until a tenth of their rows is deleted.
_FULL_PIECE = 900_000


async def prepare(table: Any) -> None:
    """Create the indexes of an empty table; the term index last, which marks it as finished."""
    index = load().index
    await table.set_unenforced_primary_key([PASSAGE])
    for column in BY_VALUE:
        await table.create_index(column, config=index.BTree())
    for column in BY_BITMAP:
        await table.create_index(column, config=index.Bitmap())
    await _index_terms(table)


async def _index_terms(table: Any) -> None:
    """Create the term index from the current rows; terms are analysed already."""
    config = load().index.FTS(
        base_tokenizer="whitespace",
        max_token_length=None,
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
    )
    await table.create_index(TERMS, config=config)


async def optimise(table: Any, limits: LanceLimits) -> None:
    """Merge small fragments, index new rows, and delete old versions."""
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
    """Rewrite the fragments with deleted rows, so that new versions do not contain them.

    LanceDB keeps deleted rows until they are a tenth of their fragment, which cannot be changed.
    But it merges fragments that have the same indexes, without deleted rows: so a row is moved to a
    fragment of its own, which is then indexed and merged back.
    """
    await optimise(table, limits)
    if await hidden_rows(table):
        await _move_some(table)
        for _ in ("index what moved", "merge"):
            await table.optimize(cleanup_older_than=limits.keep_versions)
    if at_once:
        # A merged term index may still contain terms of deleted rows.
        await _index_terms(table)
        await table.optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)


async def hidden_rows(table: Any) -> int:
    """Return how many deleted rows the current version still contains."""
    newest = max(await table.list_versions(), key=lambda version: version["version"])
    return int(newest["metadata"]["total_deletion_file_rows"])


async def _move_some(table: Any) -> None:
    rows = await table.count_rows()
    if rows >= _FULL_PIECE:
        where = "_rowid % 8 = 0"
    else:
        row = await table.query().select([PASSAGE]).limit(1).to_arrow()
        where = among(PASSAGE, row.column(PASSAGE).to_pylist())
    await table.update(updates_sql={"type": "type"}, where=where)


async def _trained(table: Any) -> dict[str, int]:
    """Return the vector indexes by name, with the number of rows each was trained on."""
    names = [index.name for index in await table.list_indices()]
    return {
        name: int(name.removeprefix(_TRAINED_ON)) for name in names if name.startswith(_TRAINED_ON)
    }
