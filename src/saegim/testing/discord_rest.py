"""The REST side of a stand-in of Discord: what a bot posts, changes, reads and answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from saegim.testing import discord_objects as objects
from saegim.testing.discord_objects import OURSELVES, DiscordGuild

LONGEST = 2_000
_NO_REFERENCE = {"message_id": ""}


@dataclass(slots=True)
class Request:
    """A request as it came in."""

    method: str
    path: str
    body: Mapping[str, Any]
    at: float
    status: int = 200


class RestSide:
    """All messages, and what the bot did to them; `answer` is what Discord would say."""

    def __init__(self, places: Sequence[DiscordGuild]) -> None:
        self.places = {each.id: each for each in places}
        self.shards = 1
        self.commands: list[dict[str, Any]] = []
        self.messages: dict[int, dict[str, Any]] = {}
        self.edits: list[tuple[int, str]] = []
        self.deleted: list[int] = []
        self.typing: list[int] = []
        self.replies: dict[str, list[dict[str, Any]]] = {}
        self._nonces: dict[str, int] = {}

    @property
    def gateway(self) -> str:
        """Where the gateway is."""
        raise NotImplementedError

    def said(self, channel: int) -> list[str]:
        """What the bot's messages in a channel say now, in order."""
        return [
            each["content"]
            for each in self.messages.values()
            if each["channel_id"] == str(channel) and each["author"]["id"] == str(OURSELVES.id)
        ]

    def answers_to(self, message: int) -> list[dict[str, Any]]:
        """The bot's messages that refer to one."""
        return [
            each
            for each in self.messages.values()
            if each.get("message_reference", _NO_REFERENCE)["message_id"] == str(message)
        ]

    def answer(self, noted: Request, query: Mapping[str, str]) -> tuple[int, Any]:
        """The status and body of a response; no body where there is none."""
        match (noted.method, *noted.path.strip("/").split("/")):
            case ("GET", "users", "@me"):
                return 200, OURSELVES.user()
            case ("GET", "oauth2", "applications", "@me") | ("GET", "applications", "@me"):
                return 200, objects.application()
            case ("GET", "gateway", "bot"):
                return 200, self._gateway()
            case ("PUT", "applications", _, "commands"):
                return 200, self._commands(noted.body["list"])
            case ("POST", "channels", _, "typing"):
                self.typing.append(int(noted.path.split("/")[2]))
                return 204, None
            case ("POST", "channels", channel, "messages"):
                return self._posted(int(channel), noted.body)
            case ("GET", "channels", channel, "messages"):
                return 200, self._history(channel, query)
            case ("PATCH", "channels", _, "messages", message):
                return self._changed(int(message), noted.body)
            case ("DELETE", "channels", _, "messages", message):
                self.deleted.append(int(message))
                return (204, None) if self.messages.pop(int(message), None) else _unknown()
            case ("GET", "guilds", guild, "members", who):
                found = self.places[int(guild)].people.get(int(who))
                return (200, found.member()) if found else _unknown()
            case ("POST", "interactions", identifier, token, "callback"):
                return self._responded(identifier, token, noted.body)
            case ("PATCH", "webhooks", _, token, "messages", "@original") | (
                "POST", "webhooks", _, token,
            ):  # fmt: skip
                return self._replied(token, noted.body)
            case _:
                return _unknown()

    def _gateway(self) -> dict[str, Any]:
        starts = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
        return {"url": self.gateway, "shards": self.shards, "session_start_limit": starts}

    def _commands(self, given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        own = {"application_id": str(objects.APPLICATION), "version": "1"}
        self.commands = [
            {**each, **own, "id": str(number), "default_member_permissions": None}
            for number, each in enumerate(given, 1)
        ]
        return self.commands

    def _posted(self, channel: int, body: Mapping[str, Any]) -> tuple[int, Any]:
        content, nonce = body.get("content") or "", body.get("nonce")
        if not content or len(content) > LONGEST:
            return 400, {"code": 50035, "message": "Invalid Form Body"}
        if nonce is not None and body.get("enforce_nonce") and nonce in self._nonces:
            return 200, self.messages[self._nonces[nonce]]
        guild = next(
            (p.id for p in self.places.values() if channel in {*p.channels, *p.threads}), None
        )
        said = objects.message((guild, channel), OURSELVES, content)
        if reference := body.get("message_reference"):
            refers = {name: str(value) for name, value in reference.items()}
            said |= {"message_reference": refers, "type": 19}
        self.messages[int(said["id"])] = said
        if nonce is not None:
            self._nonces[nonce] = int(said["id"])
        return 200, said

    def _changed(self, message: int, body: Mapping[str, Any]) -> tuple[int, Any]:
        said = self.messages.get(message)
        if said is None:
            return _unknown()
        content = body.get("content") or ""
        if not content or len(content) > LONGEST:
            return 400, {"code": 50035, "message": "Invalid Form Body"}
        said |= {"content": content, "edited_timestamp": datetime.now(UTC).isoformat()}
        self.edits.append((message, content))
        return 200, said

    def _history(self, channel: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
        before, most = int(query.get("before", 1 << 63)), int(query.get("limit", 50))
        said = [
            each
            for number, each in sorted(self.messages.items())
            if each["channel_id"] == channel and number < before
        ]
        return said[::-1][:most]

    def _responded(
        self, identifier: str, token: str, body: Mapping[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        if body["type"] == 4:
            self.replies[token].append(dict(body["data"]))
        about = {"id": identifier, "type": 2, "response_message_loading": body["type"] == 5}
        return 200, {"interaction": about, "resource": {"type": body["type"]}}

    def _replied(self, token: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        content = body.get("content") or ""
        if len(content) > LONGEST:
            return 400, {"code": 50035, "message": "Invalid Form Body"}
        self.replies[token].append(dict(body))
        return 200, objects.message((None, 1), OURSELVES, content)


def _unknown() -> tuple[int, dict[str, Any]]:
    return 404, {"code": 10008, "message": "Unknown Message"}
