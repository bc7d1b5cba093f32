from pydantic import SecretStr

from saegim.app.settings import Settings
from saegim.cli.operators.config import MASK, setting_entries


def test_every_setting_names_its_source_and_no_secret_is_shown() -> None:
    settings = Settings(
        resource_preset="low",
        postgres_url=SecretStr("postgresql://u:hidden@h/d"),
        master_key=SecretStr("hidden"),
        tool_keys={"kakao": SecretStr("hidden")},
        index_options={"secret_access_key": "hidden"},
        port=8001,
    )
    variables = {
        "SAEGIM_PORT": "8001",
        "SAEGIM_POSTGRES_URL_FILE": "/run/x",
        "SAEGIM_RECALL__X": "1",
    }
    entries = {
        entry.name: entry
        for entry in setting_entries(settings, variables, {"tool_keys": "written"})
    }

    assert len(entries) == len(Settings.model_fields)
    assert "hidden" not in repr(entries)
    assert entries["SAEGIM_INDEX_OPTIONS"].value == {"secret_access_key": MASK}
    sources = {name.removeprefix("SAEGIM_"): entry.source for name, entry in entries.items()}
    assert sources["PORT"] == sources["RECALL"]
    assert sources["POSTGRES_URL"] == "SAEGIM_POSTGRES_URL_FILE"
    assert sources["TOOL_KEYS"] == "dev.env"
    assert sources["MASTER_KEY"] == "master.key"
    assert sources["BUNDLED_EMBEDDER"] == "SAEGIM_RESOURCE_PRESET"
    assert sources["HOST"] == sources["LOG_LEVEL"] != sources["PORT"]
