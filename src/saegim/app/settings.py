"""Configuration, typed, from the environment and the files it names; read by bootstrap and the
entrypoints."""

from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from saegim.app.setting_files import FileSource
from saegim.app.setting_groups import (
    ConsolidationSettings,
    ContextSettings,
    QuotaSettings,
    RecallSettings,
    SummarySettings,
)
from saegim.app.setting_types import CellLocation, FurtherEmbedder, McpServer, secured
from saegim.app.store_tls import (
    require_https,
    require_secure_index,
    secure_postgres,
    secure_redis,
)

Preset = Literal["offline", "openai", "gemini", "compatible"]
MemoryKind = Literal[
    "fact", "preference", "constraint", "decision", "todo", "timeline", "profile", "note"
]

Label = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]

ResourcePreset = Literal["full", "low"]
RESOURCE_PRESETS: dict[ResourcePreset, dict[str, Any]] = {
    "full": {},
    # Two cores, 2 GB of memory and 5 GB of disk, Postgres and Valkey included.
    "low": {
        "long_term_memory": False,
        "reranker_url": None,
        "recent_turns": 3,
        "postgres_connections": 6,
        "worker_concurrency": 2,
        "api_processes": 1,
    },
}
"""What a preset sets where the environment sets nothing else; reranking is off in `low`."""


class Settings(BaseSettings):
    """All settings, read from `SAEGIM_<NAME>`. Listed in docs/reference/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix="SAEGIM_", env_ignore_empty=True, env_nested_delimiter="__", extra="ignore"
    )

    resource_preset: ResourcePreset = Field(
        default="full", description="`low` fits into 2 cores, 2 GB of memory and 5 GB of disk."
    )
    data: Path = Field(default=Path(".saegim"), description="Folder of `saegim dev`.")
    host: str = Field(default="127.0.0.1", description="Address the API listens on.")
    port: int = Field(default=8000, description="Port the API listens on.")

    public_url: str | None = Field(
        default=None,
        description="The address that browsers use, such as `https://copilot.example.com`, for a "
        "server behind a proxy: sign-ins return there, cookies are Secure, and HSTS is sent.",
    )

    postgres_url: SecretStr | None = Field(
        default=None,
        description="The app's login: owns nothing and cannot bypass row-level security.",
    )
    postgres_admin_url: SecretStr | None = Field(
        default=None, description="The owner's login, for migrations and operators."
    )
    postgres_connections: int = Field(
        default=20, description="Connections that one process holds to a cell at most."
    )
    cells: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$")], CellLocation] = Field(
        default={},
        description="Cells beside the home cell `main`, as a JSON object by name: `postgres_url`, "
        "`redis_url`, and `postgres_admin_url` for operators.",
    )
    keyring_url: SecretStr | None = Field(
        default=None, description="The keyring's own Postgres, apart from the data."
    )
    master_key: SecretStr | None = Field(
        default=None, description="32 bytes in base64 that wrap every other key."
    )
    previous_master_keys: SecretStr | None = Field(
        default=None,
        description="Master keys before this one, apart by commas, until all is wrapped anew.",
    )
    kms_url: str | None = Field(
        default=None,
        description="A KMS (the transit engine of Vault or OpenBao) instead of a master key.",
    )
    kms_token: SecretStr | None = Field(default=None, description="Token of the KMS.")
    kms_key: str = Field(default="saegim", description="Name of the key in the KMS.")
    redis_url: SecretStr | None = Field(default=None, description="Redis or Valkey.")
    redis_cluster: bool = Field(default=False, description="Whether Redis is a cluster.")

    store_tls: Literal["off", "verify-full"] = Field(
        default="off",
        description="`verify-full` has every connection to Postgres, the keyring, Redis, object "
        "storage and the KMS use TLS and verify certificate and host name; `off` leaves it to "
        "their addresses.",
    )
    store_ca: Path | None = Field(
        default=None,
        description="File with the CA of these stores, as PEM; unset trusts the system's CAs.",
    )

    index_url: str | None = Field(
        default=None,
        description="Where search indexes live: a folder, or s3://, gs://, az://. "
        "Without it, `index` in the data folder.",
    )
    index_options: dict[str, str] | None = Field(
        default=None, description="Options of the object store, as a JSON object."
    )

    provider: Preset = Field(default="offline", description="Preset of models.")
    provider_base_url: str | None = Field(
        default=None, description="Any OpenAI-compatible base URL, for `compatible`."
    )
    provider_api_key: SecretStr | None = Field(default=None, description="Key of the provider.")
    model: str | None = Field(default=None, description="One model for every role.")
    model_lite: str | None = Field(default=None, description="Model of the role `lite`.")
    model_strong: str | None = Field(default=None, description="Model of the role `strong`.")
    model_summarizer: str | None = Field(
        default=None, description="Model of the role `summarizer`."
    )
    model_extractor: str | None = Field(default=None, description="Model of the role `extractor`.")
    model_assessor: str | None = Field(default=None, description="Model of the role `assessor`.")
    model_judge: str | None = Field(default=None, description="Model of the role `judge`.")
    embedder_model: str | None = Field(
        default=None, description="An embedding model of the provider instead of the bundled one."
    )
    embedder_dimensions: int = Field(default=512, description="Dimensions of its vectors.")
    embedders: tuple[FurtherEmbedder, ...] | None = Field(
        default=None,
        description="Further embedders, as a JSON array: those that indexes are still made with, "
        "and those that `saegim reembed` may move to.",
    )
    old_index_retention_minutes: int = Field(
        default=60,
        ge=1,
        description="Minutes for which an index that was replaced is kept.",
    )

    tool_keys: dict[str, SecretStr] = Field(
        default={},
        description="Keys of outside tools by provider, as a JSON object: `open-meteo` (any text "
        "turns it on), `openweather`, `finnhub`, `alphavantage`, `kakao`, `serpapi`, `google` with "
        "`google-engine`.",
    )
    tool_modules: list[str] = Field(
        default=[],
        description="Python modules whose public async functions are tools, as a JSON array; their "
        "docstrings tell the model what they do. Name only functions that read and change nothing.",
    )
    tool_urls: dict[str, str] = Field(
        default={}, description="Addresses of these providers, where they are not their own."
    )
    mcp_servers: list[McpServer] = Field(
        default=[],
        description="MCP servers whose tools assistants may use, as a JSON array of `name`, `url`, "
        "`tools` (those that only read) and optional `token`.",
    )
    reranker_url: str | None = Field(
        default=None, description="Address of a rerank API, whole; unset reranks nothing."
    )
    reranker_model: str | None = Field(
        default=None,
        description="Model to ask it for; without one the server is one of a single model.",
    )
    reranker_api_key: SecretStr | None = Field(default=None, description="Its key.")
    reranker_timeout_seconds: float = Field(
        default=2.0, gt=0, description="How long a search waits for it at most."
    )

    sources_folder: Path | None = Field(
        default=None,
        description="Folder under which folders may be sources; unset allows none.",
    )
    sources_private_networks: list[str] | None = Field(
        default=None,
        description="Private networks that sources may reach, as a JSON list; unset allows none.",
    )

    webhooks_private_networks: list[str] | None = Field(
        default=None,
        description="Private networks that webhooks may reach, as a JSON list; unset allows none.",
    )
    oidc_allow_private_networks: bool = Field(
        default=False,
        description="Whether keys of tenants' issuers may be fetched from one's own network.",
    )

    discord_token: SecretStr | None = Field(
        default=None, description="Token of the Discord bot's account."
    )
    discord_keys: dict[str, SecretStr] = Field(
        default={},
        description="API keys by guild id, as a JSON object; `*` for every other guild. A guild's "
        "key decides its tenant, assistant and documents.",
    )
    discord_shards: str | None = Field(
        default=None,
        description="Shards that this process runs, such as `0,1/4`; unset runs all.",
    )
    discord_font: Path | None = Field(
        default=None,
        description="Font with Korean letters for the ranking's picture; unset looks for one.",
    )
    discord_plugins: list[str] = Field(
        default=[],
        description="Plug-ins with further commands, by their entry point's name, as a JSON list.",
    )
    discord_api: str | None = Field(
        default=None, description="Address of Discord's API, where it is not its own."
    )
    discord_gateway: str | None = Field(
        default=None, description="Address of Discord's gateway, where it is not its own."
    )

    http_connections: int = Field(
        default=4_096,
        ge=1,
        description="Connections of clients to one API process; idle ones are closed first.",
    )
    http_header_seconds: float = Field(
        default=10.0, gt=0, description="Time for the headers of a request to arrive."
    )
    http_body_seconds: float = Field(
        default=30.0,
        gt=0,
        description="Time for the body of a request to arrive; for a file, for each part of it.",
    )
    http_write_seconds: float = Field(
        default=60.0, gt=0, description="Time for a client to read on before it is hung up on."
    )
    requests_at_once: int = Field(
        default=256, ge=1, description="Requests that one API process works on at once."
    )
    requests_at_once_per_tenant: int = Field(
        default=128, ge=1, description="Those of one tenant; the rest is refused with 429."
    )
    requests_at_once_per_user: int = Field(
        default=8,
        ge=1,
        description="Those of one user of a credential; a few more wait for a second, the rest is "
        "refused with 429. Event streams are counted apart.",
    )
    turns_at_once_per_user: int = Field(
        default=2,
        ge=1,
        description="Turns of one user that one API process answers at once; the rest wait.",
    )
    failed_credentials_per_minute: int = Field(
        default=20,
        ge=0,
        description="Refused credentials of one address in a minute, after which credentials that "
        "were not verified before are refused unseen; 0 allows any number.",
    )
    limits: str = Field(
        default="key requests 6000/60, user requests 600/60, tenant requests 12000/60",
        description="What may be used: `<key|user|tenant|provider> <requests|tokens|usd> "
        "<most>/<seconds>`, apart by commas.",
    )
    quotas: QuotaSettings = Field(
        default=QuotaSettings(), description="What a tenant may store; 0 is without bound."
    )
    api_processes: int = Field(
        default=2,
        ge=1,
        description="API processes; without Redis each keeps to its share of every limit.",
    )

    long_term_memory: bool = Field(
        default=True, description="Whether anybody is remembered beyond a session."
    )
    recall: RecallSettings = Field(
        default=RecallSettings(),
        description="How much recall returns, and what each signal of a record counts.",
    )
    consolidation: ConsolidationSettings = Field(
        default=ConsolidationSettings(), description="Which records become a digest."
    )
    context: ContextSettings = Field(
        default=ContextSettings(), description="Tokens of each block of a turn's context."
    )
    summary: SummarySettings = Field(
        default=SummarySettings(),
        description="When turns are summarised, and the bounds of summary and entities.",
    )
    unmasked_tenants: list[UUID] = Field(
        default=[],
        description="Tenants whose memories keep phone numbers and e-mail addresses, as a JSON "
        "list of ids; those of all others are masked. Ids, cards and secrets always are.",
    )
    recall_cache_mb: int = Field(
        default=128,
        ge=0,
        description="Memory of a process for the vectors of those who asked last; 0 holds none.",
    )
    recent_turns: int = Field(
        default=5, ge=1, le=5, description="Folded turns that stay in the context as they were."
    )

    backup_endpoint: str | None = Field(
        default=None,
        description="Address of an S3-compatible store for `saegim backup s3://bucket/key`.",
    )
    backup_access_key: SecretStr | None = Field(default=None, description="Its access key.")
    backup_secret_key: SecretStr | None = Field(default=None, description="Its secret key.")
    backup_region: str = Field(default="us-east-1", description="Its region.")
    backup_days: int = Field(
        default=30,
        ge=0,
        description="Days that backups are kept; receipts of erasures say when the last one ends.",
    )

    erasure_grace_hours: float = Field(
        default=24.0,
        ge=0,
        description="Hours in which people who asked to be erased can cancel; 0 erases at once.",
    )

    evaluations: Path | None = Field(
        default=None,
        description="Folder of evaluation runs; unset, `evaluations` in the data folder. The pages "
        "show it to all who may see usage: keep runs with a tenant's own questions elsewhere.",
    )

    transcript_retention_days: int | None = Field(
        default=None,
        ge=1,
        description="Days after which transcripts are removed; unset keeps them.",
    )
    memory_retention_days: dict[MemoryKind, int] = Field(
        default={"todo": 365},
        description="Days after which memories of a type are forgotten, as a JSON object; "
        "core and pinned ones stay.",
    )
    unimportant_retention_days: int | None = Field(
        default=730,
        ge=1,
        description="Days after which memories that hardly matter are forgotten; unset keeps them.",
    )
    label_retention_days: dict[Label, int | None] = Field(
        default={"keep": None, "short": 30},
        description="Retention labels and the days for which memories with one are kept, as a "
        "JSON object; null keeps them. A label goes before type and importance.",
    )
    ingest_retention_days: int = Field(
        default=90, ge=1, description="Days for which the progress of past ingests can be read."
    )
    usage_retention_days: int = Field(
        default=800, ge=0, description="Days after which usage events are removed; 0 keeps them."
    )
    forgotten_retention_days: int = Field(
        default=30, ge=0, description="Days for which forgotten memories can be brought back."
    )
    worker_concurrency: int = Field(
        default=4,
        description="Jobs a worker process runs at once, besides one slot for abandoned turns.",
    )
    worker_nice: int = Field(
        default=5,
        ge=0,
        le=19,
        description="How far workers stand back from who answers people, where both share "
        "processors; 0 has them compete.",
    )
    metrics_key: SecretStr | None = Field(
        default=None,
        description="Key that `/metrics` asks for; unset answers this machine alone.",
    )
    metrics_port: int | None = Field(
        default=None, description="Port on which a worker shows its metrics; unset shows none."
    )
    traces_file: Path | None = Field(
        default=None, description="A file for traces, one span per line, as JSON."
    )
    log_file: Path | None = Field(default=None, description="A file for logs, beside the console.")
    log_error_file: Path | None = Field(default=None, description="A file for errors alone.")
    call_log: Path | None = Field(
        default=None,
        description="A file for the API call log alone: a line for each request, without content.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="Logs never contain content, at any level."
    )

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, url: str | None) -> str | None:
        """An origin alone: scheme, host, and a port where it has one."""
        if url is None:
            return None
        found = urlsplit(url.rstrip("/"))
        plain = f"{found.scheme}://{found.netloc}"
        if found.scheme not in ("http", "https") or plain != url.rstrip("/") or "@" in plain:
            raise ValueError("it must be a scheme and a host, such as https://copilot.example.com")
        return plain.lower()

    @model_validator(mode="after")
    def _by_profile(self) -> Self:
        """A profile fills in what was not set by itself; what it leaves out is left out."""
        for name, value in RESOURCE_PRESETS[self.resource_preset].items():
            if value is None or name not in self.model_fields_set:
                setattr(self, name, value)
        return self

    @model_validator(mode="after")
    def _use_store_tls(self) -> Self:
        """Rewrites the stores' addresses, so that nobody who reads them forgets TLS."""
        if self.store_tls == "off":
            return self
        for name in ("postgres_url", "postgres_admin_url", "keyring_url"):
            setattr(self, name, secured(getattr(self, name), secure_postgres, self.store_ca))
        self.redis_url = secured(self.redis_url, secure_redis, self.store_ca)
        self.cells = {name: cell.over_tls(self.store_ca) for name, cell in self.cells.items()}
        require_https("SAEGIM_BACKUP_ENDPOINT", self.backup_endpoint)
        require_https("SAEGIM_KMS_URL", self.kms_url)
        require_secure_index(self.index_options)
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic's
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, FileSource(settings_cls)
