"""Backups in an S3-compatible bucket, each one object; large ones go up in parts."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from saegim.domain.errors import NotFound, StoreUnavailable
from saegim.sources.signing import SigningCredentials

if TYPE_CHECKING:
    from obstore.store import ClientConfig

# An object has 10,000 parts at most: 640 GB.
PART_BYTES = 64 << 20
PARTS_AT_ONCE = 2
REACH_SECONDS = 60
RETRY_SECONDS = 120
RETRIES = 3


class BackupBucket:
    """Sends and fetches whole files, named `bucket/key`."""

    def __init__(
        self,
        endpoint: str,
        who: SigningCredentials,
        *,
        ca: Path | None = None,
        part_bytes: int = PART_BYTES,
    ) -> None:
        self._endpoint = endpoint
        self._who = who
        self._part_bytes = part_bytes
        self._client: ClientConfig = {
            "allow_http": True,
            "connect_timeout": timedelta(seconds=REACH_SECONDS),
            "timeout": timedelta(seconds=REACH_SECONDS * 10),
        }
        if ca is not None:
            self._client["root_certificate"] = ca.read_bytes()

    async def exists(self, name: str) -> bool:
        """Whether there is such an object. Raises StoreUnavailable."""
        store, key = self._store(name)
        try:
            with _outages(name):
                await obstore.head_async(store, key)
        except NotFound:
            return False
        return True

    async def put(self, name: str, file: Path) -> None:
        """Writes a file. Raises StoreUnavailable."""
        store, key = self._store(name)
        with _outages(name):
            await obstore.put_async(
                store, key, file, chunk_size=self._part_bytes, max_concurrency=PARTS_AT_ONCE
            )

    async def get(self, name: str, file: Path) -> None:
        """Reads into a file. Raises NotFound, StoreUnavailable."""
        store, key = self._store(name)
        with _outages(name):
            found = await obstore.get_async(store, key)
            with file.open("wb") as written:
                async for piece in found.stream():
                    written.write(piece)

    def _store(self, name: str) -> tuple[S3Store, str]:
        bucket, _, key = name.partition("/")
        store = S3Store(
            bucket,
            endpoint=self._endpoint,
            access_key_id=self._who.access_key,
            secret_access_key=self._who.secret_key,
            region=self._who.region,
            virtual_hosted_style_request=False,
            client_options=self._client,
            retry_config={
                "max_retries": RETRIES,
                "retry_timeout": timedelta(seconds=RETRY_SECONDS),
            },
        )
        return store, key


@contextmanager
def _outages(name: str) -> Generator[None]:
    try:
        yield
    except FileNotFoundError as missing:
        raise NotFound(name) from missing
    except BaseError as outage:
        # The message of the library names the request, and so the bucket, but no secret.
        raise StoreUnavailable(str(outage).splitlines()[0]) from outage
