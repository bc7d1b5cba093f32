"""Store backups in an S3-compatible bucket, in multipart uploads."""

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
PARALLEL_PARTS = 2
CONNECT_SECONDS = 60
RETRY_SECONDS = 120
RETRIES = 3


class BackupBucket:
    """Uploads and downloads files named `bucket/key`."""

    def __init__(
        self,
        endpoint: str,
        credentials: SigningCredentials,
        *,
        ca: Path | None = None,
        part_bytes: int = PART_BYTES,
    ) -> None:
        self._endpoint = endpoint
        self._credentials = credentials
        self._part_bytes = part_bytes
        self._client: ClientConfig = {
            "allow_http": True,
            "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
            "timeout": timedelta(seconds=CONNECT_SECONDS * 10),
        }
        if ca is not None:
            self._client["root_certificate"] = ca.read_bytes()

    async def exists(self, name: str) -> bool:
        """Whether the object exists. Raises StoreUnavailable."""
        store, key = self._store(name)
        try:
            with _outages(name):
                await obstore.head_async(store, key)
        except NotFound:
            return False
        return True

    async def put(self, name: str, file: Path) -> None:
        """Upload a file. Raises StoreUnavailable."""
        store, key = self._store(name)
        with _outages(name):
            await obstore.put_async(
                store, key, file, chunk_size=self._part_bytes, max_concurrency=PARALLEL_PARTS
            )

    async def get(self, name: str, file: Path) -> None:
        """Download into a file. Raises NotFound, StoreUnavailable."""
        store, key = self._store(name)
        with _outages(name):
            content = await obstore.get_async(store, key)
            with file.open("wb") as output:
                async for piece in content.stream():
                    output.write(piece)

    def _store(self, name: str) -> tuple[S3Store, str]:
        bucket, _, key = name.partition("/")
        store = S3Store(
            bucket,
            endpoint=self._endpoint,
            access_key_id=self._credentials.access_key,
            secret_access_key=self._credentials.secret_key,
            region=self._credentials.region,
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
        # The library's message names the request and the bucket, but no secret.
        raise StoreUnavailable(str(outage).splitlines()[0]) from outage
