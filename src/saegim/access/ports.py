from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import UUID

from saegim.access.types import (
    AppKey,
    AssistantContent,
    AssistantVersion,
    Collection,
    Edit,
    Identity,
    Issuer,
    ListedKey,
    ListedMember,
    MemberChange,
    Person,
    Profile,
    Standing,
)
from saegim.domain.scope import Locale, Role
from saegim.domain.seen import Seen
from saegim.domain.tenancy import Assistant, Tenant

SealPurpose = Literal["token", "sign_in", "code_flow"]


class AccessStore(Protocol):
    """Keeps tenants, assistants, keys and people."""

    async def find_key(self, tenant: UUID, secret_hash: bytes) -> AppKey | None:
        """The tenant's key with this hash, valid or not."""
        ...

    async def find_key_by_id(self, tenant: UUID, key: UUID) -> AppKey | None:
        """The tenant's key with this id, valid or not."""
        ...

    async def person(
        self, tenant: UUID, user: str, profile: str, sign_in: UUID | None = None
    ) -> Person:
        """The member known outside as `user`, in the named profile; both made on first use. Tells
        in the same read whether the sign-in is the member's and goes on."""
        ...

    async def known(self, tenant: UUID, user: str) -> UUID | None:
        """The member known outside as `user`, if there is one."""
        ...

    async def person_of_key(
        self, tenant: UUID, member: UUID, profile: str, sign_in: UUID | None = None
    ) -> Person:
        """The member a key is bound to, in the named profile, which is made on first use. Tells
        in the same read whether the sign-in is the member's and goes on."""
        ...

    async def assistant(self, tenant: UUID, assistant: UUID) -> Assistant:
        """An assistant of the tenant; raises NotFound."""
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


class KeyStore(Protocol):
    """The keys of a tenant, for its admins."""

    async def keys(self, tenant: UUID, before: UUID | None, most: int) -> list[ListedKey]:
        """So many of them, newest first, valid or not, from after the given one."""
        ...

    async def find_listed(self, tenant: UUID, key: UUID) -> ListedKey:
        """One of them. Raises NotFound."""
        ...

    async def replace(
        self, old: UUID, key: AppKey, shown: ListedKey, secret_hash: bytes, until: datetime
    ) -> None:
        """Stores `key` as the old one's successor, and lets the old one end at `until` or sooner,
        in one transaction."""
        ...

    async def revoke(self, tenant: UUID, key: UUID, at: datetime) -> None:
        """Ends a key. Raises NotFound."""
        ...


class MemberStore(Protocol):
    """The members of a tenant, for its admins."""

    async def members(self, tenant: UUID, after: UUID | None, most: int) -> list[ListedMember]:
        """Members in order of their ids, from after the given one."""
        ...

    async def member(self, tenant: UUID, member: UUID) -> ListedMember:
        """One of them. Raises NotFound."""
        ...

    async def standings(self, tenant: UUID, member: UUID, now: datetime) -> list[Standing]:
        """All that a member may do: its role, and those of the valid keys bound to it. Raises
        NotFound."""
        ...

    async def change(
        self, tenant: UUID, member: UUID, change: MemberChange, beyond: Set[Role], at: datetime
    ) -> None:
        """Changes a member and ends the keys bound to it whose role is one of `beyond`."""
        ...


class IdentityStore(Protocol):
    """The names by which members are known."""

    async def identities(self, tenant: UUID, member: UUID) -> list[Identity]:
        """The names that were linked to a member, oldest first."""
        ...

    async def profiles(self, tenant: UUID, member: UUID) -> list[Profile]:
        """The name spaces of a member, oldest first."""
        ...

    async def put_code(
        self, tenant: UUID, member: UUID, code_hash: bytes, expires_at: datetime
    ) -> None:
        """Keeps a code for a while; a member has one at a time."""
        ...

    async def role(self, tenant: UUID, member: UUID) -> Role:
        """The stored role of a member. Raises NotFound."""
        ...

    async def use_code(self, tenant: UUID, code_hash: bytes, now: datetime) -> UUID | None:
        """The member that a code stands for; the code is gone with that."""
        ...

    async def link(self, tenant: UUID, member: UUID, name: str, channel: str) -> None:
        """From now on `name` leads to the member, wherever it led before."""
        ...

    async def unlink(self, tenant: UUID, member: UUID, identity: UUID) -> bool:
        """Takes a name away from a member; it leads to a member of its own again."""
        ...


class IssuerStore(Protocol):
    """Who signs for a tenant's own users."""

    async def find(self, tenant: UUID, url: str) -> Issuer | None:
        """The tenant's issuer of this name."""
        ...

    async def issuers(self, tenant: UUID) -> list[Issuer]:
        """All of the tenant's."""
        ...

    async def put(self, issuer: Issuer) -> None:
        """Stores an issuer, or replaces the one of the same name. Raises NotFound for an assistant
        that is not the tenant's."""
        ...

    async def remove(self, tenant: UUID, issuer: UUID) -> bool:
        """Forgets an issuer."""
        ...


class KeySets(Protocol):
    """Asks issuers: for their public keys, where they sign people in, and for tokens."""

    async def fetch(self, url: str) -> Mapping[str, Any]:
        """The document at an address. Raises Unavailable."""
        ...

    async def exchange(self, url: str, form: Mapping[str, str]) -> Mapping[str, Any]:
        """What an issuer gives for a form. Raises Unauthenticated where it gives nothing for it,
        and Unavailable."""
        ...


class SignInStore(Protocol):
    """The sign-ins at the pages, each until it is ended or over."""

    async def add(
        self, tenant: UUID, sign_in: UUID, member: UUID, now: datetime, expires_at: datetime
    ) -> None:
        """Stores a new sign-in, and removes those of the member that are over."""
        ...

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        """Ends one sign-in."""
        ...

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        """Ends every sign-in of a member."""
        ...


class TokenSeal(Protocol):
    """Seals what tokens and cookies say, with a key of the tenant's."""

    async def seal(self, purpose: SealPurpose, tenant: UUID, key: UUID, text: str) -> bytes: ...

    async def open(
        self, purpose: SealPurpose, tenant: UUID, key: UUID, sealed: bytes
    ) -> str | None:
        """The text, or None where it was not sealed for this purpose, tenant and key."""
        ...


class AssistantStore(Protocol):
    """Assistants with their versions. All methods raise NotFound for one that is not the
    tenant's."""

    async def published(self, tenant: UUID) -> list[Assistant]:
        """All assistants as they are now."""
        ...

    async def add_assistant(self, assistant: Assistant, made_by: UUID) -> None:
        """Stores one more, with what it answers with as its first version. Raises Conflict where
        its name is taken or it names collections that are not there."""
        ...

    async def versions(self, tenant: UUID, assistant: UUID) -> list[AssistantVersion]:
        """The versions of one, newest first."""
        ...

    async def put_draft(
        self, tenant: UUID, assistant: UUID, content: AssistantContent, edit: Edit
    ) -> AssistantVersion:
        """Writes the draft; there is one at a time. Raises Changed where other versions were
        seen."""
        ...

    async def publish(
        self, tenant: UUID, assistant: UUID, version: int, edit: Edit
    ) -> AssistantVersion:
        """Makes a version the one that answers. Raises Conflict where it names collections that
        are not there, Changed where other versions were seen."""
        ...

    async def configure(
        self, tenant: UUID, assistant: UUID, config: Mapping[str, Any], edit: Edit
    ) -> AssistantVersion:
        """What answers now, with another configuration, as a version that answers at once; a
        draft stays as it is. Raises Changed where another configuration was seen."""
        ...


class CollectionStore(Protocol):
    """Collections and who may read them."""

    async def collections(self, tenant: UUID) -> list[Collection]:
        """All of the tenant's, by name."""
        ...

    async def add(self, tenant: UUID, collection: Collection, readers: Sequence[UUID]) -> None:
        """Stores a collection that these assistants may read. Raises Conflict for a name that is
        taken."""
        ...

    async def set_audience(
        self, tenant: UUID, collection: UUID, audience: Set[str], seen: Seen | None
    ) -> Collection:
        """Says who may read a collection. Raises NotFound, and Changed where another was seen."""
        ...
