"""ETags of what people edit: two who edit the same do not overwrite each other unseen."""

import hashlib
import json
from collections.abc import Sequence
from typing import Annotated

from fastapi import Header
from fastapi.encoders import jsonable_encoder
from pydantic import BaseModel

from saegim.domain.errors import Changed

IfMatch = Annotated[
    str | None,
    Header(max_length=2_000, description="The ETag of what was read; without it the last wins."),
]


def etag(shown: BaseModel | Sequence[BaseModel]) -> str:
    """A tag of what is shown: the same for the same, in any process."""
    body = json.dumps(jsonable_encoder(shown), ensure_ascii=False, sort_keys=True)
    return f'"{hashlib.sha256(body.encode()).hexdigest()[:32]}"'


def require_match(wanted: str | None, shown: BaseModel | Sequence[BaseModel]) -> None:
    """Raises Changed where the caller read something else than what is stored now."""
    if wanted is None or wanted.strip() == "*":
        return
    if etag(shown) not in {tag.strip() for tag in wanted.split(",")}:
        raise Changed
