from collections.abc import Mapping
from typing import Any, Protocol
from uuid import UUID

from saegim.access.types import AppKey, Person
from saegim.domain.scope import Locale
from saegim.domain.tenancy import Assistant, Tenant


class AccessStore(Protocol):
    """Keeps tenants, assistants, keys and people."""

    async def find_key(self, tenant: UUID, secret_hash: bytes) -> AppKey | None:
        """The tenant's key with this hash, valid or not."""
        ...

    async def person(self, tenant: UUID, user: str, profile: str) -> Person:
        """The member known outside as `user`, in the named profile; both made on first use."""
        ...

    async def person_of_key(self, tenant: UUID, member: UUID, profile: str) -> Person:
        """The member a key is bound to, in the named profile, which is made on first use."""
        ...

    async def assistant(self, tenant: UUID, assistant: UUID) -> Assistant:
        """An assistant of the tenant; raises NotFound."""
        ...

    async def set_config(self, tenant: UUID, assistant: UUID, config: Mapping[str, Any]) -> None:
        """Changes how an assistant takes its turns; raises NotFound."""
        ...


class TenantStore(Protocol):
    """Makes what a tenant needs before its first message."""

    async def create_tenant(self, tenant: Tenant, cell: str) -> None:
        """Stores the tenant and enters it in the directory."""
        ...

    async def create_assistant(self, assistant: Assistant) -> None:
        """Stores the assistant."""
        ...

    async def assistants(self, tenant: UUID) -> tuple[UUID, ...]:
        """The ids of the tenant's assistants, oldest first; none where there is no such tenant."""
        ...

    async def create_collection(self, tenant: UUID, collection: UUID, name: str) -> None:
        """Stores a collection that every caller of the tenant may read."""
        ...

    async def create_key(self, key: AppKey, name: str, prefix: str, secret_hash: bytes) -> None:
        """Stores a key by the hash of its secret."""
        ...

    async def set_locale(self, tenant: UUID, member: UUID, locale: Locale, time_zone: str) -> None:
        """Changes the language and time zone of a member."""
        ...
