"""A fake Discord on loopback: the gateway and the REST API that a bot uses.

discord.py itself connects to it. As Discord, it limits messages to 2,000 characters, drops repeated
nonces and responds with 429."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast
from uuid import uuid4

from aiohttp import BodyPartReader, WSMsgType, web

from benchmarks.doubles import discord_objects as objects
from benchmarks.doubles.discord_objects import OURSELVES, ChannelOption, DiscordGuild, DiscordUser
from benchmarks.doubles.discord_rest import Request, RestSide
from benchmarks.doubles.services import LoopbackServer

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11
Socket = web.WebSocketResponse
API = "/api/v10"


@dataclass(slots=True)
class Session:
    """The session of a client, with its events for a resume."""

    id: str
    shard: tuple[int, int]
    socket: Socket | None = None
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(frozen=True, slots=True)
class PendingFailure:
    """A 429 for the next matching request; without seconds, its connection is closed."""

    method: str
    path: str
    seconds: float | None


class DiscordStandIn(LoopbackServer, RestSide):
    """Use as an async context manager; the bot connects to `api`."""

    def __init__(self, places: Sequence[DiscordGuild], heartbeat_seconds: float = 41.25) -> None:
        LoopbackServer.__init__(self)
        RestSide.__init__(self, places)
        self.heartbeat_seconds = heartbeat_seconds
        self.requests: list[Request] = []
        self.heartbeats: list[float] = []
        self.identified = 0
        self.resumed = 0
        self.files: dict[str, bytes] = {}
        self._sessions: dict[str, Session] = {}
        self._failures: list[PendingFailure] = []

    @property
    def api(self) -> str:
        return f"{self.url}{API}"

    @property
    def gateway(self) -> str:
        return f"ws{self.url.removeprefix('http')}/gateway/"

    async def __aexit__(self, *ended: object) -> None:
        await self.hang_up()
        await super().__aexit__(*ended)

    async def respond(self, request: web.Request) -> web.StreamResponse:
        return await (self._called if request.path.startswith(API) else self._connected)(request)

    # Users ------------------------------------------------------------------------------------

    async def say(
        self, guild: int, channel: int, who: DiscordUser, content: str, *, to_bot: bool = False
    ) -> int:
        """Post a message of a user, with a mention of the bot if `to_bot`; return its ID."""
        text = f"<@{OURSELVES.id}> {content}" if to_bot else content
        mentions = [OURSELVES] if f"<@{OURSELVES.id}>" in text else []
        self.places[guild].people.setdefault(who.id, who)
        message = objects.message((guild, channel), who, text, mentions)
        self.messages[int(message["id"])] = message
        await self.dispatch("MESSAGE_CREATE", message, guild)
        return int(message["id"])

    async def edit(self, message: int, content: str) -> None:
        """Edit a message as its author."""
        edited = self.messages[message]
        mentions = [OURSELVES.user()] if f"<@{OURSELVES.id}>" in content else []
        now = datetime.now(UTC).isoformat()
        edited |= {"content": content, "edited_timestamp": now, "mentions": mentions}
        await self.dispatch("MESSAGE_UPDATE", edited, int(edited["guild_id"]))

    async def delete(self, message: int) -> None:
        """Delete a message as its author."""
        deleted = self.messages.pop(message)
        event = {name: deleted[name] for name in ("id", "channel_id", "guild_id")}
        await self.dispatch("MESSAGE_DELETE", event, int(deleted["guild_id"]))

    async def command(
        self,
        where: tuple[int, int],
        who: DiscordUser,
        name: str,
        speaks: str = "ko",
        **options: Any,
    ) -> str:
        """Run a slash command, or `group sub`, and return the token of its replies."""
        guild, channel = where
        token = uuid4().hex
        self.replies[token] = []
        words = name.split()
        typed = [{"name": key, **_typed(value)} for key, value in options.items()]
        inner = [{"name": words[1], "type": 1, "options": typed}] if len(words) > 1 else typed
        resolved = {"channels": {str(each): {**self.places[guild].shown(each), "permissions": "0"}
                                 for each in self.places[guild].channels}}  # fmt: skip
        data = {"id": "1", "name": words[0], "type": 1, "options": inner, "resolved": resolved}
        event: dict[str, Any] = {
            "id": str(objects.snowflake()),
            "application_id": str(objects.APPLICATION),
            "type": 2,
            "token": token,
            "version": 1,
            "guild_id": str(guild),
            "channel_id": str(channel),
            "channel": self.places[guild].shown(channel),
            "member": who.member(),
            "data": data,
            "locale": speaks,
            "guild_locale": self.places[guild].locale,
            "entitlements": [],
            "attachment_size_limit": 10_000_000,
        }
        await self.dispatch("INTERACTION_CREATE", event, guild)
        return token

    # Discord ----------------------------------------------------------------------------------

    def limit(self, method: str, path: str, seconds: float) -> None:
        """Respond to the next request whose path contains this with 429."""
        self._failures.append(PendingFailure(method, path, seconds))

    def break_off(self, method: str, path: str) -> None:
        """Close the connection of the next request whose path contains this."""
        self._failures.append(PendingFailure(method, path, None))

    async def dispatch(self, event: str, data: Mapping[str, Any], guild: int) -> None:
        """Send an event to the shard of a guild; disconnected clients get it when they resume."""
        for session in self._sessions.values():
            ids, count = session.shard
            if (guild >> 22) % count == ids:
                await self._send(session, event, data)

    async def hang_up(self, code: int = 4000) -> None:
        """Close all connections, as a restart of the gateway; sessions stay."""
        for session in self._sessions.values():
            socket, session.socket = session.socket, None
            if socket is not None and not socket.closed:
                await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        """Ask clients to reconnect and resume."""
        for session in self._sessions.values():
            if session.socket is not None:
                await session.socket.send_json({"op": RECONNECT, "d": None})

    # The gateway ------------------------------------------------------------------------------

    async def _connected(self, request: web.Request) -> Socket:
        socket = Socket(max_msg_size=0)
        await socket.prepare(request)
        hello = {"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat_seconds * 1000)}}
        await socket.send_json(hello)
        async for received in socket:
            if received.type is WSMsgType.TEXT:
                await self._received(socket, json.loads(received.data))
        return socket

    async def _received(self, socket: Socket, frame: Mapping[str, Any]) -> None:
        match frame["op"]:
            case 1:
                self.heartbeats.append(time.monotonic())
                await socket.send_json({"op": ACK})
            case 2:
                self.identified += 1
                await self._identify(socket, frame["d"])
            case 6:
                await self._resume(socket, frame["d"])
            case _:
                pass

    async def _identify(self, socket: Socket, data: Mapping[str, Any]) -> None:
        shard = tuple(data.get("shard", (0, 1)))
        session = Session(uuid4().hex, (shard[0], shard[1]), socket)
        self._sessions[session.id] = session
        guilds = [each for each in self.places.values() if (each.id >> 22) % shard[1] == shard[0]]
        event = objects.ready(session.id, self.gateway, shard, guilds)
        await self._send(session, "READY", event)
        for guild in guilds:
            await self._send(session, "GUILD_CREATE", guild.created())

    async def _resume(self, socket: Socket, data: Mapping[str, Any]) -> None:
        session = self._sessions.get(data["session_id"])
        if session is None:
            await socket.send_json({"op": INVALID, "d": False})
            return
        self.resumed += 1
        missed = [each for each in session.events if each["s"] > data["seq"]]
        for event in missed:
            await socket.send_json(event)
        session.socket = socket
        await self._send(session, "RESUMED", {})

    async def _send(self, session: Session, event: str, data: Mapping[str, Any]) -> None:
        frame = {"op": DISPATCH, "t": event, "s": len(session.events) + 1, "d": dict(data)}
        session.events.append(json.loads(json.dumps(frame)))
        if session.socket is not None and not session.socket.closed:
            await session.socket.send_json(frame)

    # The REST API -----------------------------------------------------------------------------

    async def _called(self, request: web.Request) -> web.Response:
        path = request.path.removeprefix(API)
        body = await self._body(request)
        received = Request(request.method, path, body, time.monotonic())
        self.requests.append(received)
        for failure in self._failures:
            if failure.method == request.method and failure.path in path:
                self._failures.remove(failure)
                received.status = 0 if failure.seconds is None else 429
                return _fail(request, failure.seconds)
        status, answer = self.answer(received, request.query)
        received.status = status
        return web.Response(status=status) if answer is None else _json(answer, status)

    async def _body(self, request: web.Request) -> Mapping[str, Any]:
        if not request.can_read_body:
            return {}
        if not request.content_type.startswith("multipart/"):
            body: Any = await request.json()
            return cast("Mapping[str, Any]", body) if isinstance(body, dict) else {"list": body}
        payload: dict[str, Any] = {}
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader), "Discord takes no nested parts"
            if part.name == "payload_json":
                payload = await part.json() or {}
            elif part.filename:
                self.files[part.filename] = bytes(await part.read())
        return payload


def _fail(request: web.Request, seconds: float | None) -> web.Response:
    if seconds is not None:
        return _too_many(seconds)
    assert request.transport is not None, "the request was just received"
    request.transport.abort()
    return web.Response()


def _too_many(seconds: float) -> web.Response:
    event = {"message": "You are being rate limited.", "retry_after": seconds, "global": False}
    headers = {"Via": "1.1 stand-in", "Retry-After": str(max(1, round(seconds)))}
    return _json(event, 429, headers)


def _json(body: object, status: int, headers: Mapping[str, str] | None = None) -> web.Response:
    """Return JSON without a charset in its type, as Discord does."""
    text = json.dumps(body).encode()
    return web.Response(body=text, status=status, headers=headers, content_type="application/json")


def _typed(value: object) -> dict[str, Any]:
    """Return an option with its type in Discord."""
    match value:
        case bool():
            return {"type": 5, "value": value}
        case int():
            return {"type": 4, "value": value}
        case ChannelOption():
            return {"type": 7, "value": str(value.id)}
        case _:
            return {"type": 3, "value": value}


async def until(holds: Any, seconds: float = 120.0) -> None:
    """Wait until a condition holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for is anything
            await asyncio.sleep(0.02)
