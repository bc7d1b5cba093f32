"""Master key in a KMS: the transit engine of Vault or OpenBao."""

import base64
import ssl
from pathlib import Path
from typing import Any

import httpx2

from saegim.domain.errors import StoreUnavailable
from saegim.encryption.cipher import FieldLocation, SealBroken
from saegim.encryption.master_key import WrappedKey

SECONDS = 3.0


class TransitMaster:
    """A `MasterKey` that never leaves the KMS.

    The engine has its own versions and still unwraps with older ones; `saegim keys rotate master`
    rewraps everything with the newest."""

    def __init__(self, url: str, token: str, key: str, ca: Path | None = None) -> None:
        self._key = key
        self._http = httpx2.AsyncClient(
            base_url=url,
            headers={"X-Vault-Token": token},
            timeout=SECONDS,
            verify=True if ca is None else ssl.create_default_context(cafile=ca),
        )

    @property
    def id(self) -> str:
        return f"kms:{self._key}"

    async def wrap(self, key: bytes, place: FieldLocation) -> WrappedKey:
        answer = await self._call("encrypt", plaintext=_text(key), associated_data=_bound(place))
        return WrappedKey(str(answer["ciphertext"]).encode(), self.id)

    async def unwrap(self, wrapped: bytes, outer: str | None, place: FieldLocation) -> bytes:
        if outer != self.id:
            raise SealBroken(place.field)
        answer = await self._call(
            "decrypt", ciphertext=wrapped.decode(), associated_data=_bound(place)
        )
        return base64.b64decode(answer["plaintext"])

    async def close(self) -> None:
        await self._http.aclose()

    async def _call(self, action: str, **body: str) -> dict[str, Any]:
        try:
            response = await self._http.post(f"/v1/transit/{action}/{self._key}", json=body)
        except httpx2.HTTPError as outage:
            raise StoreUnavailable("the KMS does not answer") from outage
        if response.status_code == 400:
            raise SealBroken(action)
        if not response.is_success:
            raise StoreUnavailable(f"the KMS answers {response.status_code}")
        return response.json()["data"]


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _bound(place: FieldLocation) -> str:
    return _text(place.bound())
