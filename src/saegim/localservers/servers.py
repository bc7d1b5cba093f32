"""Both servers of a cell in one folder. Blocking code, as `child_process`."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from saegim.localservers.postgres import LocalPostgres
from saegim.localservers.valkey import LocalValkey


@dataclass(frozen=True, slots=True)
class LocalServers:
    postgres: LocalPostgres
    valkey: LocalValkey

    @classmethod
    def start(cls, folder: Path, *, durable: bool = True) -> Self:
        """Start both, in `folder/postgres` and `folder/valkey`, or neither."""
        with ExitStack() as started:
            postgres = started.enter_context(
                LocalPostgres.start(folder / "postgres", durable=durable)
            )
            flush = {} if durable else {"appendfsync": "no"}
            valkey = started.enter_context(LocalValkey.start(folder / "valkey", settings=flush))
            started.pop_all()
        return cls(postgres, valkey)

    def stop(self) -> None:
        with self.postgres, self.valkey:
            pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
