"""Folders as sources, added by operators through the services themselves."""

from pathlib import Path
from uuid import UUID

from saegim.app.container import Services
from saegim.cli.console import out
from saegim.cli.language import _
from saegim.sources.types import CrawlLimits, Folder, NewSource


def new_source(
    folder: Path,
    collection: str,
    type: str,  # noqa: A002 - the API's word
    every_hours: float,
    items: int,
) -> NewSource:
    """What is asked for; a relative path is one of where the command runs."""
    return NewSource(
        origin=Folder(str(folder.expanduser().absolute())),
        collection=collection,
        type=type,
        every_seconds=int(every_hours * 3600),
        limits=CrawlLimits(items=items),
    )


async def add(services: Services, tenant: UUID, new: NewSource) -> None:
    added = await services.sources.sources.add_as_operator(tenant, new)
    out.print(_("Added source {source}", source=added.source.id))
