"""The embedders that the settings provide, by name; a tenant's pointer names the one it uses."""

from collections.abc import Iterable

from saegim.domain.errors import ModelUnavailable
from saegim.llm.ports import Embedder


class Embedders:
    """`first` is what new tenants begin with; the others serve indexes that were made with them."""

    def __init__(self, first: Embedder, others: Iterable[Embedder] = ()) -> None:
        self.first = first
        self._named = {each.name: each for each in (*others, first)}

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._named))

    def find(self, name: str) -> Embedder | None:
        """The embedder of this name; None where the settings do not provide it."""
        return self._named.get(name)

    def named(self, name: str) -> Embedder:
        """The embedder of this name. Raises ModelUnavailable where there is none."""
        found = self.find(name)
        if found is None:
            raise ModelUnavailable(f"no embedder {name} in the settings")
        return found
