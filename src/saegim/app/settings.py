"""Settings from the environment."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from saegim.app.setting_groups import (
    ConsolidationSettings,
    ContextSettings,
    QuotaSettings,
    RecallSettings,
    SummarySettings,
)
from saegim.app.store_tls import (
    require_https,
    require_secure_index,
    secure_postgres,
    secure_redis,
)


class FileSource(EnvSettingsSource):
    """Reads `SAEGIM_<NAME>_FILE`, such as `SAEGIM_MASTER_KEY_FILE=/run/secrets/master-key`. The
    variable `SAEGIM_<NAME>` takes precedence."""

    def _load_env_vars(self) -> Mapping[str, str | None]:
        values: dict[str, str | None] = {}
        for name in self.settings_cls.model_fields:
            path = os.environ.get(f"SAEGIM_{name.upper()}_FILE")
            if path:
                values[f"saegim_{name}"] = _read_secret(name, path)
        return values


def _read_secret(name: str, path: str) -> str:
    """Reads a file without its final line break. Raises SettingsError."""
    try:
        return Path(path).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeError) as error:
        # Neither path nor content: either may be a misplaced secret.
        raise SettingsError(f"SAEGIM_{name.upper()}_FILE cannot be read") from error


class McpServer(BaseModel):
    """An MCP server over HTTP. Only the listed tools are used."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
    url: str
    tools: list[str]
    token: SecretStr | None = None


class FurtherEmbedder(BaseModel):
    """A further embedding model; without a URL, of the provider."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    dimensions: int = Field(default=512, ge=1, le=4_000)
    base_url: str | None = None
    api_key: SecretStr | None = None


class CellLocation(BaseModel):
    """A cell beside the home cell. Without a Redis URL, it shares the Redis of the home cell."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    postgres_url: SecretStr
    postgres_admin_url: SecretStr | None = None
    redis_url: SecretStr | None = None
    redis_cluster: bool = False

    def over_tls(self, ca: Path | None) -> Self:
        """Returns the cell with TLS URLs."""
        return self.model_copy(
            update={
                "postgres_url": secured(self.postgres_url, secure_postgres, ca),
                "postgres_admin_url": secured(self.postgres_admin_url, secure_postgres, ca),
                "redis_url": secured(self.redis_url, secure_redis, ca),
            }
        )


def secured(
    url: SecretStr | None, secure: Callable[[str, Path | None], str], ca: Path | None
) -> SecretStr | None:
    """Returns the URL with TLS, if there is one."""
    return None if url is None else SecretStr(secure(url.get_secret_value(), ca))


Preset = Literal["offline", "openai", "anthropic", "gemini", "ollama", "compatible"]
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
        "bundled_embedder": "fast",
        "reranker_url": None,
        "recent_turns": 3,
        "postgres_connections": 6,
        "worker_concurrency": 2,
        "api_processes": 1,
    },
}
"""Defaults of each preset. None overrides the environment: `low` never reranks."""


class Settings(BaseSettings):
    """All settings, read from `SAEGIM_<NAME>`. Listed in docs/reference/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix="SAEGIM_", env_ignore_empty=True, env_nested_delimiter="__", extra="ignore"
    )

    resource_preset: ResourcePreset = "full"
    """`low` fits 2 cores, 2 GB of memory and 5 GB of disk."""
    data: Path = Path(".saegim")
    """Data folder of `saegim dev`."""
    host: str = "127.0.0.1"
    """Address that the API listens on."""
    port: int = 8000
    """Port that the API listens on."""

    public_url: str | None = None
    """URL that browsers use, such as `https://copilot.example.com`, for a server behind a proxy.
    Sign-ins return there, cookies are Secure and HSTS is sent."""

    postgres_url: SecretStr | None = None
    """Login of the app: owns nothing and cannot bypass row-level security."""
    postgres_admin_url: SecretStr | None = None
    """Login of the owner, for migrations and operators."""
    postgres_connections: int = 20
    """Maximum number of connections of one process to a cell."""
    cells: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,31}$")], CellLocation] = {}
    """Cells beside the home cell `main`, as a JSON object by name: `postgres_url`, `redis_url`, and
    `postgres_admin_url` for operators."""
    keyring_url: SecretStr | None = None
    """Postgres of the keyring, separate from the data."""
    master_key: SecretStr | None = None
    """32 bytes in base64 that wrap every other key."""
    previous_master_keys: SecretStr | None = None
    """Earlier master keys, separated by commas, until all keys are rewrapped."""
    kms_url: str | None = None
    """KMS (transit engine of Vault or OpenBao) instead of a master key."""
    kms_token: SecretStr | None = None
    """Token of the KMS."""
    kms_key: str = "saegim"
    """Name of the key in the KMS."""
    redis_url: SecretStr | None = None
    """Redis or Valkey."""
    redis_cluster: bool = False
    """Whether Redis is a cluster."""

    store_tls: Literal["off", "verify-full"] = "off"
    """`verify-full` makes every connection to Postgres, the keyring, Redis, object storage and the
    KMS use TLS with verified certificates and host names. `off` leaves it to their URLs."""
    store_ca: Path | None = None
    """PEM file with the CA of these stores; unset uses the CAs of the system."""

    index_url: str | None = None
    """Location of search indexes: a folder, or s3://, gs://, az://. Unset uses `index` in the data
    folder."""
    index_options: dict[str, str] | None = None
    """Options of the object store, as a JSON object."""

    provider: Preset = "offline"
    """Provider preset; a base URL alone means `compatible`."""
    provider_base_url: str | None = None
    """Any OpenAI-compatible base URL; required for `compatible`."""
    provider_api_key: SecretStr | None = None
    """API key of the provider."""
    model: str | None = None
    """One model for every role."""
    model_lite: str | None = None
    """Model of the role `lite`."""
    model_strong: str | None = None
    """Model of the role `strong`."""
    model_summarizer: str | None = None
    """Model of the role `summarizer`."""
    model_extractor: str | None = None
    """Model of the role `extractor`."""
    model_assessor: str | None = None
    """Model of the role `assessor`."""
    model_judge: str | None = None
    """Model of the role `judge`."""
    model_step_seconds: float | None = Field(default=None, ge=0)
    """Seconds of a model call before the answer. Unset is 6, and 0 for a server on this machine or
    a private network: these steps are left out."""
    model_first_token_seconds: float | None = Field(default=None, gt=0)
    """Seconds until the answer begins. Unset is 10, or 45."""
    model_turn_seconds: float | None = Field(default=None, gt=0)
    """Seconds of a whole turn. Unset is 30, or 90."""
    model_background_seconds: float | None = Field(default=None, gt=0)
    """Seconds of a model call in the background. Unset is 60, or 300."""
    model_private_networks: list[str] | None = None
    """Private networks that models of tenants may be in, as a JSON list; unset allows none.
    `saegim dev` allows this machine and all private networks."""
    bundled_embedder: Literal["accurate", "fast"] = "accurate"
    """Embedder of new tenants if the provider has none: `accurate` (multilingual-e5-small) or
    `fast` (a smaller encoder, for small machines and bulk loads)."""
    embedder_threads: int | None = Field(default=None, ge=1)
    """Threads that embed documents in each process, at low priority. Unset uses one per core."""
    embedder_model: str | None = None
    """Embedding model of the provider, instead of the bundled one."""
    embedder_dimensions: int = 512
    """Dimensions of its vectors."""
    embedders: tuple[FurtherEmbedder, ...] | None = None
    """Further embedders, as a JSON array: those of existing indexes, and targets of `saegim
    reembed`."""
    old_index_retention_minutes: int = Field(default=60, ge=1)
    """Minutes for which a replaced index is kept."""

    tool_keys: dict[str, SecretStr] = {}
    """API keys of tool providers, as a JSON object: `open-meteo` (any text enables it),
    `openweather`, `finnhub`, `alphavantage`, `kakao`, `serpapi`, `google` with `google-engine`."""
    tool_modules: list[str] = []
    """Python modules whose public async functions are tools, as a JSON array. Their docstrings
    describe them to the model. List only functions without side effects."""
    tool_urls: dict[str, str] = {}
    """Base URLs of tool providers that differ from the defaults, as a JSON object."""
    mcp_servers: list[McpServer] = []
    """MCP servers whose tools assistants may use, as a JSON array of `name`, `url`, `tools`
    (read-only ones) and optional `token`."""
    reranker_url: str | None = None
    """Full URL of a rerank API; unset disables reranking."""
    reranker_model: str | None = None
    """Model of the rerank API; unset for a server with a single model."""
    reranker_api_key: SecretStr | None = None
    """API key of the rerank API."""
    reranker_timeout_seconds: float = Field(default=2.0, gt=0)
    """Timeout of the rerank API."""

    sources_folder: Path | None = None
    """Root of folders that may be sources; unset allows none."""
    sources_private_networks: list[str] | None = None
    """Private networks that sources may reach, as a JSON list; unset allows none."""

    webhooks_private_networks: list[str] | None = None
    """Private networks that webhooks may reach, as a JSON list; unset allows none."""
    oidc_allow_private_networks: bool = False
    """Allows fetching keys of OIDC issuers from private networks."""

    discord_token: SecretStr | None = None
    """Token of the Discord bot."""
    discord_keys: dict[str, SecretStr] = {}
    """API keys by guild ID, as a JSON object; `*` for every other guild. The key of a guild decides
    its tenant, assistant and documents."""
    discord_shards: str | None = None
    """Shards of this process, such as `0,1/4`; unset runs all."""
    discord_font: Path | None = None
    """Font with Korean glyphs for the ranking picture; unset searches for one."""
    discord_plugins: list[str] = []
    """Entry points of plug-ins with further commands, as a JSON list."""
    discord_api: str | None = None
    """URL of Discord's API, if it differs from the default."""
    discord_gateway: str | None = None
    """URL of Discord's gateway, if it differs from the default."""

    http_connections: int = Field(default=4_096, ge=1)
    """Maximum number of client connections of one API process; idle ones are closed first."""
    http_header_seconds: float = Field(default=10.0, gt=0)
    """Timeout for the headers of a request."""
    http_body_seconds: float = Field(default=30.0, gt=0)
    """Timeout for the body of a request; for an upload, for each chunk."""
    http_write_seconds: float = Field(default=60.0, gt=0)
    """Timeout for a client that stops reading its response."""
    requests_at_once: int = Field(default=256, ge=1)
    """Concurrent requests of one API process."""
    requests_at_once_per_tenant: int = Field(default=128, ge=1)
    """Concurrent requests of one tenant; more are refused with 429."""
    requests_at_once_per_user: int = Field(default=8, ge=1)
    """Concurrent requests of one user of a credential. A few more wait for a second, the rest is
    refused with 429. Event streams are counted separately."""
    turns_at_once_per_user: int = Field(default=2, ge=1)
    """Concurrent turns of one user in one API process; more wait."""
    failed_credentials_per_minute: int = Field(default=20, ge=0)
    """Failed authentications of one address per minute before unverified credentials are refused
    without a check; 0 disables the limit."""
    limits: str = "key requests 6000/60, user requests 600/60, tenant requests 12000/60"
    """Default limits: `<key|user|tenant|provider> <requests|tokens|usd> <most>/<seconds>`,
    separated by commas."""
    quotas: QuotaSettings = QuotaSettings()
    """What a tenant may store; 0 is unlimited."""
    api_processes: int = Field(default=2, ge=1)
    """API processes. Without Redis, each enforces its share of every limit."""

    long_term_memory: bool = True
    """Enables long-term memory."""
    recall: RecallSettings = RecallSettings()
    """Token budget of recall, and the weights of its signals."""
    consolidation: ConsolidationSettings = ConsolidationSettings()
    """Which records become a digest."""
    synthesis: bool = True
    """Whether a profile, observations and entity pages are derived from records."""
    context: ContextSettings = ContextSettings()
    """Token budget of each block of the context."""
    summary: SummarySettings = SummarySettings()
    """When turns are summarised, and the limits of summary and entities."""
    unmasked_tenants: list[UUID] = []
    """IDs of tenants whose memories keep phone numbers and e-mail addresses, as a JSON list.
    National IDs, card numbers and secrets are always masked."""
    recall_cache_mb: int = Field(default=128, ge=0)
    """Size of the recall cache of one process; 0 disables it."""
    recent_turns: int = Field(default=5, ge=1, le=5)
    """Summarised turns that stay in the context unchanged."""

    backup_endpoint: str | None = None
    """URL of an S3-compatible store for `saegim backup s3://bucket/key`."""
    backup_access_key: SecretStr | None = None
    """Access key of the store."""
    backup_secret_key: SecretStr | None = None
    """Secret key of the store."""
    backup_region: str = "us-east-1"
    """Region of the store."""
    backup_days: int = Field(default=30, ge=0)
    """Days for which backups are kept; erasure receipts state when the last one expires."""

    erasure_grace_hours: float = Field(default=24.0, ge=0)
    """Hours in which users can cancel their own erasure; 0 erases immediately."""

    evaluations: Path | None = None
    """Folder of evaluation runs; unset uses `evaluations` in the data folder. The web pages show it
    to everyone with access to usage: keep runs with a tenant's own questions elsewhere."""

    transcript_retention_days: int | None = Field(default=None, ge=1)
    """Days after which transcripts are deleted; unset keeps them."""
    memory_retention_days: dict[MemoryKind, int] = {"todo": 365}
    """Days after which memories of a type are deleted, as a JSON object; core and pinned ones
    stay."""
    unimportant_retention_days: int | None = Field(default=730, ge=1)
    """Days after which unimportant memories are deleted; unset keeps them."""
    label_retention_days: dict[Label, int | None] = {"keep": None, "short": 30}
    """Retention labels and the days for which memories with one are kept, as a JSON object; null
    keeps them. A label takes precedence over type and importance."""
    original_mb: int = Field(default=100, ge=0)
    """Size of the largest uploaded file that is kept to be downloaded; 0 keeps none."""
    ingest_retention_days: int = Field(default=90, ge=1)
    """Days for which the progress of past ingests can be read."""
    usage_retention_days: int = Field(default=800, ge=0)
    """Days after which usage events are deleted; 0 keeps them."""
    forgotten_retention_days: int = Field(default=30, ge=0)
    """Days for which deleted memories can be restored."""
    worker_concurrency: int = 4
    """Concurrent jobs of one worker process, besides one slot for abandoned turns; jobs that call a
    model leave one of them free."""
    worker_nice: int = Field(default=5, ge=0, le=19)
    """Nice value of workers, for processors shared with the API; 0 for none."""
    metrics_key: SecretStr | None = None
    """Bearer token of `/metrics`; unset answers only this machine."""
    metrics_port: int | None = None
    """Port of a worker's metrics; unset disables them."""
    traces_file: Path | None = None
    """File for traces, one span per line, as JSON."""
    log_file: Path | None = None
    """File for logs, beside the console."""
    log_error_file: Path | None = None
    """File for errors only."""
    call_log: Path | None = None
    """File for the API call log: one line per request, without content."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Log level. Logs contain no content at any level."""

    @field_validator("port", "metrics_port", mode="before")
    @classmethod
    def _explain_service_links(cls, port: object) -> object:
        """Says what to do about a variable that Kubernetes made of a Service's name."""
        if str(port).startswith(("tcp://", "udp://")):
            raise ValueError(
                "Kubernetes set this from a Service of that name. Set `enableServiceLinks: false` "
                "in the pod, as the chart does, or rename the Service"
            )
        return port

    @field_validator("public_url")
    @classmethod
    def _check_public_url(cls, url: str | None) -> str | None:
        """Accepts an origin: scheme, host and optional port."""
        if url is None:
            return None
        parts = urlsplit(url.rstrip("/"))
        plain = f"{parts.scheme}://{parts.netloc}"
        if parts.scheme not in ("http", "https") or plain != url.rstrip("/") or "@" in plain:
            raise ValueError("must be a scheme and a host, such as https://copilot.example.com")
        return plain.lower()

    @model_validator(mode="after")
    def _apply_preset(self) -> Self:
        """Applies the preset to settings that are not set."""
        for name, value in RESOURCE_PRESETS[self.resource_preset].items():
            if value is None or name not in self.model_fields_set:
                setattr(self, name, value)
        return self

    @model_validator(mode="after")
    def _use_store_tls(self) -> Self:
        """Rewrites the URLs of the stores, so that every use of them has TLS."""
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
