"""TLS to the stores and secrets from files, by settings."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError
from pydantic_settings import SettingsError

from saegim.app.settings import CellLocation, Settings
from saegim.app.store_tls import secure_postgres, secure_redis
from saegim.cli.doctor.checks import public_url, tls

pytestmark = pytest.mark.requirement("OP4")

CA = Path("/ca file.pem")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgresql://app:p%40ss@db/saegim",
            "postgresql://app:p%40ss@db/saegim?sslmode=verify-full&sslrootcert=/ca%20file.pem",
        ),
        (
            "postgresql://db/saegim?sslmode=disable&sslrootcert=/own.pem&application_name=a",
            "postgresql://db/saegim?sslmode=verify-full&sslrootcert=/own.pem&application_name=a",
        ),
        (
            "host=db dbname=saegim sslmode=prefer",
            "host=db dbname=saegim sslmode=prefer sslmode=verify-full sslrootcert='/ca file.pem'",
        ),
    ],
)
def test_postgres_addresses_verify_the_server(url: str, expected: str) -> None:
    assert secure_postgres(url, CA) == expected


def test_redis_addresses_verify_the_server() -> None:
    checks = "ssl_cert_reqs=required&ssl_check_hostname=true"
    assert secure_redis("redis://:pw@r:6379/0", None) == f"rediss://:pw@r:6379/0?{checks}"
    assert secure_redis("rediss://r?ssl_cert_reqs=none", None) == f"rediss://r?{checks}"
    assert "ssl_ca_certs=/ca.pem" in secure_redis("redis://r", Path("/ca.pem"))
    assert secure_redis("unix:///run/valkey.sock", CA) == "unix:///run/valkey.sock"


def test_every_store_of_every_cell_is_covered() -> None:
    cell = CellLocation(
        postgres_url=SecretStr("postgresql://b/x"), redis_url=SecretStr("redis://b")
    )
    settings = Settings(
        store_tls="verify-full",
        postgres_url=SecretStr("postgresql://a/x"),
        postgres_admin_url=SecretStr("postgresql://a/x"),
        keyring_url=SecretStr("postgresql://k/x"),
        redis_url=SecretStr("redis://a"),
        cells={"b": cell},
    )
    assert [finding.level for finding in tls(settings)] == ["ok"] * 6


@pytest.mark.parametrize(
    "values",
    [
        {"backup_endpoint": "http://minio:9000"},
        {"kms_url": "http://vault:8200"},
        {"index_options": {"allow_http": "true"}},
        {"index_options": {"aws_endpoint": "http://minio:9000"}},
    ],
)
def test_an_address_without_tls_stops_the_start(values: dict[str, object]) -> None:
    Settings(**values)  # pyright: ignore[reportArgumentType] - by name
    with pytest.raises(ValidationError):
        Settings(store_tls="verify-full", **values)  # pyright: ignore[reportArgumentType] - by name


@pytest.mark.parametrize(
    ("url", "level"),
    [
        ("postgresql://db.internal/saegim", "warning"),
        ("postgresql://db.internal/saegim?sslmode=require", "warning"),
        ("postgresql://db.internal/saegim?sslmode=verify-ca", "warning"),
        ("postgresql://db.internal/saegim?sslmode=verify-full", "ok"),
        ("postgresql://127.0.0.1/saegim", "ok"),
        ("postgresql:///saegim?host=/run/postgresql", "ok"),
        ("host=/run/postgresql dbname=saegim", "ok"),
        ("host=db.internal dbname=saegim", "warning"),
    ],
)
def test_doctor_says_which_postgres_is_not_verified(url: str, level: str) -> None:
    assert [each.level for each in tls(Settings(postgres_url=SecretStr(url)))] == [level]


def test_doctor_accepts_stores_without_tls_that_were_chosen() -> None:
    stores = SecretStr("postgresql://postgres/saegim")
    assert [each.level for each in tls(Settings(postgres_url=stores, store_tls="off"))] == ["ok"]


@pytest.mark.parametrize(
    ("proxies", "levels"),
    [(None, ("ok", "ok")), ("127.0.0.1", ("ok", "ok")), ("*", ("warning", "warning"))],
)
def test_doctor_asks_for_the_public_address_behind_a_proxy(
    proxies: str | None, levels: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if proxies is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    [unset] = public_url(Settings(public_url=None))
    [known] = public_url(Settings(public_url="https://copilot.example.com"))
    assert (unset.level, known.level) == levels


def test_settings_are_read_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, keys = tmp_path / "master-key", tmp_path / "tool-keys"
    secret.write_text("c2VjcmV0\n")
    keys.write_text('{"kakao": "k"}')
    monkeypatch.setenv("SAEGIM_MASTER_KEY_FILE", str(secret))
    monkeypatch.setenv("SAEGIM_TOOL_KEYS_FILE", str(keys))
    found = Settings()
    assert found.master_key is not None
    assert found.master_key.get_secret_value() == "c2VjcmV0"
    assert found.tool_keys["kakao"].get_secret_value() == "k"

    monkeypatch.setenv("SAEGIM_MASTER_KEY", "direct")
    first = Settings().master_key
    assert first is not None
    assert first.get_secret_value() == "direct"


def test_a_file_that_cannot_be_read_is_named_by_its_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAEGIM_MASTER_KEY_FILE", str(tmp_path / "nothing"))
    with pytest.raises(SettingsError, match="SAEGIM_MASTER_KEY_FILE cannot be read"):
        Settings()
