"""Creation of tenants, for operators."""

from dataclasses import dataclass
from uuid import UUID

from saegim.auth.repository import PostgresAccess
from saegim.auth.service import DEFAULT_PROFILE
from saegim.auth.types import AppKey, mint_key
from saegim.domain.ids import Clock, new_id
from saegim.domain.scope import Locale, Role
from saegim.domain.tenancy import Assistant, Tenant

PERSONA: dict[Locale, str] = {
    "ko": "당신은 친절하고 정확한 코파일럿입니다. 아는 것만 답하고, 모르면 모른다고 말합니다.",
    "en": "You are a kind and precise copilot. You answer what you know and say what you do not.",
}


@dataclass(frozen=True, slots=True)
class NewTenant:
    """A new tenant. `key` is shown only once."""

    tenant: Tenant
    assistant: Assistant
    key: str


class Tenants:
    def __init__(self, store: PostgresAccess, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def create(self, name: str, locale: Locale, cell: str) -> NewTenant:
        """Creates a tenant with an assistant, a collection and a key that may act as any user."""
        tenant, assistant = await self.create_without_key(name, locale, cell)
        key = await self.create_key(tenant.id, assistant.id, name="first key")
        return NewTenant(tenant, assistant, key)

    async def create_without_key(
        self, name: str, locale: Locale, cell: str
    ) -> tuple[Tenant, Assistant]:
        """Creates a tenant with an assistant and a collection."""
        now = self._clock.now()
        tenant = Tenant(new_id(now), name)
        collection = new_id(now)
        assistant = Assistant(
            id=new_id(now),
            tenant=tenant.id,
            name=name,
            persona=PERSONA[locale],
            policy="",
            locale=locale,
            collections=(collection,),
        )
        await self._store.create_tenant(tenant, cell)
        await self._store.create_collection(tenant.id, collection, "default")
        await self._store.create_assistant(assistant)
        return tenant, assistant

    async def assistants(self, tenant: UUID) -> tuple[UUID, ...]:
        """Returns the IDs of the tenant's assistants, oldest first; empty for an unknown tenant."""
        return await self._store.assistants(tenant)

    async def create_key(
        self,
        tenant: UUID,
        assistant: UUID,
        name: str,
        user: str | None = None,
        role: Role | None = None,
    ) -> str:
        """Creates a key bound to `user`, or one that may act as any user."""
        member = None
        if user is not None:
            member = (await self._store.person(tenant, user, DEFAULT_PROFILE)).member
        minted = mint_key(tenant)
        key = AppKey(
            id=new_id(self._clock.now()),
            tenant=tenant,
            role=role or (Role.MEMBER if user else Role.ADMIN),
            member=member,
            assistant=assistant,
            groups=frozenset(),
            expires_at=None,
            revoked_at=None,
        )
        await self._store.create_key(key, name, minted)
        return minted.text
