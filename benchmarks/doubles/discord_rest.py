"""The REST API of the fake Discord."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from benchmarks.doubles import discord_objects as objects
from benchmarks.doubles.discord_objects import OURSELVES, DiscordGuild

LONGEST = 2_000
_NO_REFERENCE = {"message_id": ""}


@dataclass(slots=True)
class Request:
    """A received request."""

    method: str
    path: str
    body: Mapping[str, Any]
    at: float
    status: int = 200


class RestSide:
    """The messages and the requests of the bot; `answer` responds as Discord does."""

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
        """The URL of the gateway."""
        raise NotImplementedError

    def said(self, channel: int) -> list[str]:
        """Return the current texts of the bot in a channel, in order."""
        return [
            each["content"]
            for each in self.messages.values()
            if each["channel_id"] == str(channel) and each["author"]["id"] == str(OURSELVES.id)
        ]

    def answers_to(self, message: int) -> list[dict[str, Any]]:
        """Return the messages of the bot that reply to a message."""
        return [
            each
            for each in self.messages.values()
            if each.get("message_reference", _NO_REFERENCE)["message_id"] == str(message)
        ]

    def answer(self, noted: Request, query: Mapping[str, str]) -> tuple[int, Any]:
        """Return status and body of a response; None for no body."""
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
                user = self.places[int(guild)].people.get(int(who))
                return (200, user.member()) if user else _unknown()
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
            return _invalid()
        if nonce is not None and body.get("enforce_nonce") and nonce in self._nonces:
            return 200, self.messages[self._nonces[nonce]]
        guild = next(
            (p.id for p in self.places.values() if channel in {*p.channels, *p.threads}), None
        )
        if guild is None:
            return _unknown()
        posted = objects.message((guild, channel), OURSELVES, content)
        if reference := body.get("message_reference"):
            refers = {name: str(value) for name, value in reference.items()}
            posted |= {"message_reference": refers, "type": 19}
        self.messages[int(posted["id"])] = posted
        if nonce is not None:
            self._nonces[nonce] = int(posted["id"])
        return 200, posted

    def _changed(self, message: int, body: Mapping[str, Any]) -> tuple[int, Any]:
        edited = self.messages.get(message)
        if edited is None:
            return _unknown()
        content = body.get("content") or ""
        if not content or len(content) > LONGEST:
            return _invalid()
        edited |= {"content": content, "edited_timestamp": datetime.now(UTC).isoformat()}
        self.edits.append((message, content))
        return 200, edited

    def _history(self, channel: str, query: Mapping[str, str]) -> list[dict[str, Any]]:
        before, most = int(query.get("before", 1 << 63)), int(query.get("limit", 50))
        history = [
            each
            for number, each in sorted(self.messages.items())
            if each["channel_id"] == channel and number < before
        ]
        return history[::-1][:most]

    def _responded(
        self, identifier: str, token: str, body: Mapping[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        if body["type"] == 4:
            self.replies[token].append(dict(body["data"]))
        loading = body["type"] == 5
        interaction = {"id": identifier, "type": 2, "response_message_loading": loading}
        return 200, {"interaction": interaction, "resource": {"type": body["type"]}}

    def _replied(self, token: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        content = body.get("content") or ""
        if len(content) > LONGEST:
            return _invalid()
        self.replies[token].append(dict(body))
        return 200, objects.message((None, 1), OURSELVES, content)


def _invalid() -> tuple[int, dict[str, Any]]:
    return 400, {"code": 50035, "message": "Invalid Form Body"}


def _unknown() -> tuple[int, dict[str, Any]]:
    return 404, {"code": 10008, "message": "Unknown Message"}
