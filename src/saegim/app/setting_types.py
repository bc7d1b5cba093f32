"""What a setting may hold beside plain values."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from saegim.app.store_tls import secure_postgres, secure_redis


class McpServer(BaseModel):
    """An MCP server over HTTP. Only tools that are listed are used: listing one vouches for it."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,31}$")]
    url: str
    tools: list[str]
    token: SecretStr | None = None


class FurtherEmbedder(BaseModel):
    """An embedding model beside the one in use; without an address it is the provider's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    dimensions: int = Field(default=512, ge=1, le=4_000)
    base_url: str | None = None
    api_key: SecretStr | None = None


class CellLocation(BaseModel):
    """A cell beside the home cell: the app's login and, for operators, the owner's; its Redis,
    unless it shares the home cell's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    postgres_url: SecretStr
    postgres_admin_url: SecretStr | None = None
    redis_url: SecretStr | None = None
    redis_cluster: bool = False

    def over_tls(self, ca: Path | None) -> Self:
        """The same cell, its stores reached over TLS."""
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
    """An address over TLS; None where there is none."""
    return None if url is None else SecretStr(secure(url.get_secret_value(), ca))
