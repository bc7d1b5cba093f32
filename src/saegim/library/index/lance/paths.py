"""Where a tenant's indexes are: a folder, or a prefix in an object store."""

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
    """What all indexes of a cell are under."""

    url: str
    is_local: bool

    @classmethod
    def parse(cls, root: str) -> "Root":
        """A folder or an object store's address; anything else would be a service elsewhere."""
        scheme, separator, _ = root.partition("://")
        if not separator:
            return cls(str(Path(root).expanduser().absolute()), is_local=True)
        if scheme not in _STORES:
            raise ValueError(f"an index root is a folder or one of {_STORES}, not {scheme}://")
        return cls(root.rstrip("/"), is_local=False)

    def of_tenant(self, tenant: UUID) -> str:
        """A tenant's folder. By the last digits of its id: the first are the time it was made."""
        return f"{self.url}/{tenant.hex[-2:]}/{tenant.hex}"

    def of_index(self, place: IndexLocation) -> str:
        return f"{self.of_tenant(place.tenant)}/{place.table}.lance"


def remove_folder(folder: str) -> None:
    """Deletes a folder, and those above it that it leaves empty; a missing one is fine."""
    path = Path(folder)
    with suppress(FileNotFoundError):
        shutil.rmtree(path)
    with suppress(OSError):
        path.parent.rmdir()
