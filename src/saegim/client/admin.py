"""Calls for keys, members, identities, assistants and erasure."""

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from saegim.client.calls import Calls, matching, parse, parse_list, parse_pages
from saegim.client.types import (
    Assistant,
    AssistantVersion,
    Erasure,
    Identity,
    Key,
    LimitRule,
    LinkCode,
    Member,
    MintedCredential,
    Profile,
    TaggedShape,
    UsageDay,
)


class AdminCalls(Calls):
    """Calls for administration and for one's own data."""

    async def keys(self) -> list[Key]:
        """Return the keys of the tenant, newest first."""
        return await self._all(Key, "/v1/keys")

    async def create_key(self, name: str, role: str = "member", **more: Any) -> MintedCredential:
        """Create a key. `user`, `scopes`, `groups`, `expires_at`, `assistant_id` and `reason` are
        optional."""
        body = {"name": name, "role": role, **more}
        return await parse(MintedCredential, self._call("POST", "/v1/keys", json=body))

    async def rotate_key(
        self, key: UUID, overlap_seconds: int = 86_400, reason: str = ""
    ) -> MintedCredential:
        """Create a key with the same permissions; the old one expires after the overlap. A key that
        can read other users needs a `reason`."""
        body = {"overlap_seconds": overlap_seconds, "reason": reason}
        return await parse(
            MintedCredential, self._call("POST", f"/v1/keys/{key}/rotate", json=body)
        )

    async def revoke_key(self, key: UUID) -> None:
        await self._call("DELETE", f"/v1/keys/{key}")

    async def mint_token(
        self, seconds: int = 900, origins: Sequence[str] = (), may: Sequence[str] = ()
    ) -> MintedCredential:
        """Create a short-lived token for a browser, for the `user` and `profile` of the client.
        `may` adds `self:link`, `self:export`, `self:erase`, `chat:instructions`, `library:own`."""
        body = {"seconds": seconds, "origins": list(origins), "may": list(may)}
        return await parse(MintedCredential, self._call("POST", "/v1/tokens", json=body))

    def members(self) -> AsyncIterator[Member]:
        """Yield the members of the tenant."""
        return parse_pages(Member, "members", partial(self._call, "GET", "/v1/members"))

    async def change_member(
        self,
        member: UUID,
        role: str | None = None,
        groups: Sequence[str] | None = None,
        disabled: bool | None = None,
    ) -> Member:
        """Change a member; None leaves a field as it is."""
        body = {
            "role": role,
            "groups": None if groups is None else list(groups),
            "disabled": disabled,
        }
        return await parse(Member, self._call("PATCH", f"/v1/members/{member}", json=body))

    async def profiles(self) -> list[Profile]:
        """Return the profiles of the user. A request with a new name creates one."""
        return await parse_list(Profile, self._call("GET", "/v1/profiles"))

    async def identities(self) -> list[Identity]:
        """Return the identities linked to the user."""
        return await parse_list(Identity, self._call("GET", "/v1/identities"))

    async def link_code(self) -> LinkCode:
        """Create a code to enter in the channel to link."""
        return await parse(LinkCode, self._call("POST", "/v1/identities/codes"))

    async def link(self, code: str) -> None:
        """Link the identity on this channel to the user who created the code."""
        await self._call("POST", "/v1/identities", json={"code": code})

    async def unlink(self, identity: UUID) -> None:
        """Unlink an identity."""
        await self._call("DELETE", f"/v1/identities/{identity}")

    async def assistants(self) -> list[Assistant]:
        """Return the published versions of the assistants."""
        return await parse_list(Assistant, self._call("GET", "/v1/assistants"))

    async def assistant_versions(self, assistant: UUID) -> TaggedShape[AssistantVersion]:
        """Return all versions of an assistant, newest first; their `etag` is for `if_match`."""
        response = await self._call("GET", f"/v1/assistants/{assistant}/versions")
        versions = [AssistantVersion.model_validate(each) for each in response.json()]
        return TaggedShape(versions, response.headers.get("ETag"))

    async def draft_assistant(
        self, assistant: UUID, content: Mapping[str, Any], *, if_match: str | None = None
    ) -> AssistantVersion:
        """Save a draft; the published version stays in use. Raises VersionConflict if the versions
        do not have the ETag `if_match` any more, as do publish and rollback."""
        path = f"/v1/assistants/{assistant}/draft"
        return await self._version("PUT", path, content, if_match)

    async def publish_assistant(
        self, assistant: UUID, *, if_match: str | None = None
    ) -> AssistantVersion:
        """Publish the draft."""
        return await self._version("POST", f"/v1/assistants/{assistant}/publish", None, if_match)

    async def roll_back_assistant(
        self, assistant: UUID, version: int, *, if_match: str | None = None
    ) -> AssistantVersion:
        """Publish an earlier version again."""
        path, body = f"/v1/assistants/{assistant}/rollback", {"version": version}
        return await self._version("POST", path, body, if_match)

    async def _version(
        self, method: str, path: str, body: Mapping[str, Any] | None, if_match: str | None
    ) -> AssistantVersion:
        response = self._call(method, path, json=body, headers=matching(if_match))
        return await parse(AssistantVersion, response)

    async def erase(self, member: UUID | None = None, reason: str = "") -> Erasure:
        """Request the erasure of the user, planned for `runs_at`; or, with a reason, of another
        member at once."""
        user = {"me": True} if member is None else {"member_id": str(member)}
        body = {**user, "reason": reason}
        return await parse(Erasure, self._call("POST", "/v1/erasures", json=body))

    async def erasure(self, erasure: UUID) -> Erasure:
        """Return an erasure and its state."""
        return await parse(Erasure, self._call("GET", f"/v1/erasures/{erasure}"))

    async def cancel_erasure(self, erasure: UUID) -> Erasure:
        """Cancel a planned erasure. Raises SaegimProblem (409) if it has begun."""
        return await parse(Erasure, self._call("DELETE", f"/v1/erasures/{erasure}"))

    async def erasures(self) -> list[Erasure]:
        """Return the erasures of the tenant, newest first; without permission, one's own."""
        return await self._all(Erasure, "/v1/erasures")

    async def export(self, member: UUID | None = None, reason: str = "") -> dict[str, Any]:
        """Return all data of the user in plain text; or, with a reason, of another member."""
        if member is None:
            return (await self._call("GET", "/v1/export")).json()
        path, params = f"/v1/members/{member}/export", {"reason": reason}
        return (await self._call("GET", path, params=params)).json()

    async def usage(self, days: int = 30) -> list[UsageDay]:
        """Return the days with turns, oldest first."""
        response = await self._call("GET", "/v1/usage", params={"days": days})
        return [UsageDay.model_validate(each) for each in response.json()["days"]]

    async def limits(self) -> list[LimitRule]:
        """Return the limits in effect."""
        return await parse_list(LimitRule, self._call("GET", "/v1/limits"))

    async def set_limits(self, limits: Sequence[LimitRule]) -> None:
        """Replace the limits that the tenant set itself."""
        body = {"limits": [each.model_dump() for each in limits]}
        await self._call("PUT", "/v1/limits", json=body)
