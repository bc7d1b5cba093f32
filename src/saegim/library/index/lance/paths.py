"""Locations of a tenant's indexes: a folder, or a prefix in an object store."""

import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

_STORES = ("s3", "gs", "az")


@dataclass(frozen=True, slots=True)
class IndexLocation:
    """One build of a tenant's index."""

    tenant: UUID
    generation: int

    @property
    def table(self) -> str:
        return f"g{self.generation}"


@dataclass(frozen=True, slots=True)
class Root:
    """The root of all indexes of a cell."""

    url: str
    is_local: bool

    @classmethod
    def parse(cls, root: str) -> "Root":
        """Parse a folder or an object store's URL. Raises ValueError for other schemes."""
        scheme, separator, _ = root.partition("://")
        if not separator:
            return cls(str(Path(root).expanduser().absolute()), is_local=True)
        if scheme not in _STORES:
            raise ValueError(f"an index root is a folder or one of {_STORES}, not {scheme}://")
        return cls(root.rstrip("/"), is_local=False)

    def of_tenant(self, tenant: UUID) -> str:
        """Return a tenant's folder, sharded by the last digits of its id: the first are a time."""
        return f"{self.url}/{tenant.hex[-2:]}/{tenant.hex}"

    def of_index(self, place: IndexLocation) -> str:
        return f"{self.of_tenant(place.tenant)}/{place.table}.lance"


def remove_folder(folder: str) -> None:
    """Delete a folder if it exists, and its parent if that is empty then."""
    path = Path(folder)
    with suppress(FileNotFoundError):
        shutil.rmtree(path)
    with suppress(OSError):
        path.parent.rmdir()
