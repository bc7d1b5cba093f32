"""Structured values of settings."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from saegim.app.store_tls import secure_postgres, secure_redis


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
