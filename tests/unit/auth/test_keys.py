from uuid import uuid4

import pytest

from saegim.auth.types import mint_key, parse_key


def test_a_key_tells_its_tenant_and_hides_its_secret() -> None:
    tenant = uuid4()
    minted = mint_key(tenant)
    parts = parse_key(minted.text)

    assert parts is not None
    assert (parts.tenant, parts.secret_hash) == (tenant, minted.secret_hash)
    assert minted.text.startswith(minted.prefix)
    assert len(minted.text) - len(minted.prefix) > 30
    assert minted.text.split("_", 2)[2].encode() not in minted.secret_hash


@pytest.mark.parametrize("change", ["", "x", "sgm_", "Bearer ", "\n"])
def test_anything_else_is_no_key(change: str) -> None:
    text = mint_key(uuid4()).text
    assert parse_key(change + text + change if change else text[:-1]) is None


def test_two_keys_differ() -> None:
    tenant = uuid4()
    assert mint_key(tenant).secret_hash != mint_key(tenant).secret_hash
