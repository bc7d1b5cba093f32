"""What a tenant's admins and people do about access and their data."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from saegim.client.calls import Calls, matching
from saegim.client.types import (
    Assistant,
    AssistantVersion,
    Erasure,
    Identity,
    Key,
    LinkCode,
    Member,
    MemberPage,
    MintedCredential,
    Profile,
    TaggedShape,
)

KEYS = TypeAdapter(list[Key])
ERASURES = TypeAdapter(list[Erasure])
IDENTITIES = TypeAdapter(list[Identity])
ASSISTANTS = TypeAdapter(list[Assistant])
PROFILES = TypeAdapter(list[Profile])
VERSIONS = TypeAdapter(list[AssistantVersion])


class AdminCalls(Calls):
    """The part of the client that is about keys, people and what is kept of them."""

    async def keys(self) -> list[Key]:
        """The tenant's keys, newest first."""
        pages = self._pages("/v1/keys")
        return [key async for page in pages for key in KEYS.validate_json(page.text)]

    async def create_key(self, name: str, role: str = "member", **more: Any) -> MintedCredential:
        """A new key; `user`, `scopes`, `groups`, `expires_at`, `assistant_id` and
        `reason` are optional."""
        body = {"name": name, "role": role, **more}
        return MintedCredential.model_validate_json(
            (await self._call("POST", "/v1/keys", json=body)).text
        )

    async def rotate_key(
        self, key: UUID, overlap_seconds: int = 86_400, reason: str = ""
    ) -> MintedCredential:
        """A successor with the same rights; the old key ends after the overlap. `reason` says why,
        for a key with which others can be read."""
        body = {"overlap_seconds": overlap_seconds, "reason": reason}
        response = await self._call("POST", f"/v1/keys/{key}/rotate", json=body)
        return MintedCredential.model_validate_json(response.text)

    async def revoke_key(self, key: UUID) -> None:
        """Ends a key at once."""
        await self._call("DELETE", f"/v1/keys/{key}")

    async def mint_token(
        self, seconds: int = 900, origins: Sequence[str] = (), may: Sequence[str] = ()
    ) -> MintedCredential:
        """A short-lived token for our `user` and `profile`, to be handed to their browser. `may`
        adds `self:link`, `self:export`, `self:erase` or `chat:instructions`."""
        body = {"seconds": seconds, "origins": list(origins), "may": list(may)}
        return MintedCredential.model_validate_json(
            (await self._call("POST", "/v1/tokens", json=body)).text
        )

    async def members(self) -> AsyncIterator[Member]:
        """Every member of the tenant."""
        params: dict[str, int | str] = {}
        while True:
            response = await self._call("GET", "/v1/members", params=params)
            page = MemberPage.model_validate_json(response.text)
            for member in page.members:
                yield member
            if page.next_after is None:
                return
            params = {"after": str(page.next_after)}

    async def change_member(
        self,
        member: UUID,
        role: str | None = None,
        groups: Sequence[str] | None = None,
        disabled: bool | None = None,
    ) -> Member:
        """Changes a member; what is left out stays."""
        body = {
            "role": role,
            "groups": None if groups is None else list(groups),
            "disabled": disabled,
        }
        response = await self._call("PATCH", f"/v1/members/{member}", json=body)
        return Member.model_validate_json(response.text)

    async def profiles(self) -> list[Profile]:
        """Our name spaces; naming a new one makes it."""
        return PROFILES.validate_json((await self._call("GET", "/v1/profiles")).text)

    async def identities(self) -> list[Identity]:
        """The names that were linked to us."""
        return IDENTITIES.validate_json((await self._call("GET", "/v1/identities")).text)

    async def link_code(self) -> LinkCode:
        """A code to be said on the channel that is to be linked."""
        return LinkCode.model_validate_json((await self._call("POST", "/v1/identities/codes")).text)

    async def link(self, code: str) -> None:
        """Links our name on this channel to whoever was given the code."""
        await self._call("POST", "/v1/identities", json={"code": code})

    async def unlink(self, identity: UUID) -> None:
        """Takes a name away again."""
        await self._call("DELETE", f"/v1/identities/{identity}")

    async def assistants(self) -> list[Assistant]:
        """The tenant's assistants as they answer now."""
        return ASSISTANTS.validate_json((await self._call("GET", "/v1/assistants")).text)

    async def assistant_versions(self, assistant: UUID) -> TaggedShape[AssistantVersion]:
        """All versions of an assistant, newest first; their `etag` is `if_match` of a change."""
        response = await self._call("GET", f"/v1/assistants/{assistant}/versions")
        return TaggedShape(VERSIONS.validate_json(response.text), response.headers.get("ETag"))

    async def draft_assistant(
        self, assistant: UUID, content: Mapping[str, Any], *, if_match: str | None = None
    ) -> AssistantVersion:
        """Writes the draft; what answers does not change. Raises Changed where the versions are
        not those of `if_match` any more, as the next two do."""
        path = f"/v1/assistants/{assistant}/draft"
        return await self._version("PUT", path, content, if_match)

    async def publish_assistant(
        self, assistant: UUID, *, if_match: str | None = None
    ) -> AssistantVersion:
        """Makes the draft the version that answers."""
        return await self._version("POST", f"/v1/assistants/{assistant}/publish", None, if_match)

    async def roll_back_assistant(
        self, assistant: UUID, version: int, *, if_match: str | None = None
    ) -> AssistantVersion:
        """Makes an earlier version the one that answers again."""
        path, body = f"/v1/assistants/{assistant}/rollback", {"version": version}
        return await self._version("POST", path, body, if_match)

    async def _version(
        self, method: str, path: str, body: Mapping[str, Any] | None, if_match: str | None
    ) -> AssistantVersion:
        headers = matching(if_match)
        response = await self._call(method, path, json=body, headers=headers)
        return AssistantVersion.model_validate_json(response.text)

    async def erase(self, member: UUID | None = None, reason: str = "") -> Erasure:
        """Asks for ourselves to be erased, planned for `runs_at`; or with a reason for somebody
        else, at once."""
        whom = {"me": True} if member is None else {"member_id": str(member)}
        body = {**whom, "reason": reason}
        response = await self._call("POST", "/v1/erasures", json=body)
        return Erasure.model_validate_json(response.text)

    async def erasure(self, erasure: UUID) -> Erasure:
        """How far an erasure is."""
        response = await self._call("GET", f"/v1/erasures/{erasure}")
        return Erasure.model_validate_json(response.text)

    async def cancel_erasure(self, erasure: UUID) -> Erasure:
        """Cancels a planned erasure. Raises SaegimProblem (409) where it has begun."""
        response = await self._call("DELETE", f"/v1/erasures/{erasure}")
        return Erasure.model_validate_json(response.text)

    async def erasures(self) -> list[Erasure]:
        """The tenant's erasures, newest first; our own where we may not erase others."""
        pages = self._pages("/v1/erasures")
        return [each async for page in pages for each in ERASURES.validate_json(page.text)]

    async def export(self) -> dict[str, Any]:
        """Everything that is kept of us, in plain text."""
        return (await self._call("GET", "/v1/export")).json()
