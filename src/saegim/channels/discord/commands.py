"""Slash commands for all users."""

# Decorators register the commands.
# pyright: reportUnusedFunction=false

import asyncio
import contextlib
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from saegim.channels.discord import ranking_image
from saegim.channels.discord.guild_clients import GuildClients, user_id, user_name
from saegim.channels.discord.interactions import CommandContext, answer
from saegim.channels.discord.messages import MessageHandler
from saegim.client import Active
from saegim.domain.scope import Locale
from saegim.locales import N_, translate

if TYPE_CHECKING:
    from saegim.client.memory_types import Memory

LISTED = 15
DAYS = app_commands.Range[int, 1, 90]


class PeopleCommands:
    """Only the user who runs a command sees its response, except for the ranking."""

    def __init__(self, clients: GuildClients, messages: MessageHandler, font: Path | None) -> None:
        self._clients = clients
        self._messages = messages
        self._font = font

    def install(self, tree: app_commands.CommandTree[Any]) -> None:
        """Add the commands to the bot."""

        @tree.command(description=N_("What I remember about you here"))
        @app_commands.guild_only()
        async def memory(interaction: discord.Interaction, words: str = "") -> None:
            await answer(interaction, self._clients, lambda context: _memory(context, words))

        @tree.command(description=N_("Forget a memory by its number in /memory or by words in it"))
        @app_commands.guild_only()
        async def forget(interaction: discord.Interaction, what: str) -> None:
            await answer(interaction, self._clients, lambda context: _forget(context, what))

        @tree.command(description=N_("Why I gave you my last answer"))
        @app_commands.guild_only()
        async def why(interaction: discord.Interaction) -> None:
            await answer(interaction, self._clients, self._why)

        @tree.command(description=N_("Link this account with another account of yours"))
        @app_commands.guild_only()
        async def link(interaction: discord.Interaction, code: str = "") -> None:
            await answer(interaction, self._clients, lambda context: _link(context, code))

        @tree.command(description=N_("Unlink this account"))
        @app_commands.guild_only()
        async def unlink(interaction: discord.Interaction) -> None:
            await answer(interaction, self._clients, _unlink)

        @tree.command(description=N_("Most active members lately"))
        @app_commands.guild_only()
        async def ranking(interaction: discord.Interaction, days: DAYS = 7) -> None:
            await answer(
                interaction,
                self._clients,
                lambda context: self._ranking(context, days),
                private=False,
            )

    async def _why(self, context: CommandContext) -> None:
        last = self._messages.last(context.channel, context.interaction.user.id)
        if last is None or last.speaker is None or last.answer.turn is None:
            await context.say("I haven't answered you in this channel recently.")
            return
        trace = (await last.speaker.trace(last.answer.turn)).trace
        await context.tell(why_text(trace, context.locale))

    async def _ranking(self, context: CommandContext, days: int) -> None:
        ranking = await context.line.activity_ranking(str(context.guild.id), days)
        if not ranking:
            await context.say("No activity has been counted yet.")
            return
        title = translate("Most active in the last {days} days", context.locale, days=days)
        rows = [(await _display(context, each), each.messages) for each in ranking]
        text, font = ranking_image.table(title, rows), ranking_image.find_font(self._font)
        if font is None:
            await context.tell(text)
            return
        # In a thread: drawing would delay the heartbeat.
        png = await asyncio.to_thread(ranking_image.draw, title, rows, font)
        file = discord.File(BytesIO(png), "ranking.png", description=text)
        await context.interaction.edit_original_response(content=title, attachments=[file])


async def _memory(context: CommandContext, words: str) -> None:
    memories = await _list(context, words)
    if not memories:
        await context.say("I don't remember anything about you here.")
        return
    lines = [
        f"{number}. {each.content} -# {each.said_at:%Y-%m-%d}"
        for number, each in enumerate(memories, 1)
    ]
    head = translate("What I remember about you here:", context.locale)
    await context.tell("\n".join([head, *lines]))


async def _forget(context: CommandContext, what: str) -> None:
    if what.isascii() and what.isdigit():
        number = int(what)
        memories = (await _list(context, ""))[number - 1 : number] if number > 0 else []
    else:
        memories = await _list(context, what)
    if len(memories) == 1:
        await context.person.memories.forget(memories[0].memory_id)
        await context.say("Forgotten: {what}", what=memories[0].content)
    elif memories:
        head = translate(
            "Several memories match. Choose one by its number in `/memory`:", context.locale
        )
        await context.tell("\n".join([head, *(f"- {each.content}" for each in memories)]))
    else:
        await context.say("No memory matches that.")


async def _list(context: CommandContext, words: str) -> "list[Memory]":
    memories: list[Memory] = []
    async for each in context.person.memories.browse(words):
        memories.append(each)
        if len(memories) == LISTED:
            break
    return memories


async def _link(context: CommandContext, code: str) -> None:
    if not code.strip():
        await context.say(
            "To link your accounts, enter this code on the web or in another channel: "
            "`{code}` (10 minutes)",
            code=(await context.line.link_code()).code,
        )
        return
    await context.line.link(code)
    await context.say("Linked. Your memory is now shared across your accounts.")


async def _unlink(context: CommandContext) -> None:
    own = user_name(context.interaction.user.id)
    linked = [each for each in await context.line.identities() if each.name == own]
    for each in linked:
        await context.line.unlink(each.identity_id)
    await context.say(N_("Unlinked.") if linked else N_("This account is not linked."))


async def _display(context: CommandContext, active: Active) -> str:
    """Return the current name of a member; the API knows only IDs."""
    user = user_id(active.name)
    with contextlib.suppress(discord.HTTPException):
        if user is not None:
            member = context.guild.get_member(user) or await context.guild.fetch_member(user)
            return member.display_name
    return translate("(left the server)", context.locale)


def why_text(trace: dict[str, Any], locale: Locale) -> str:
    """Summarise the trace of a turn in a line, without its content."""
    used = [item for item in trace["items"] if item["fate"] in ("injected", "pinned", "shortened")]
    memories = sum(1 for item in used if item["kind"] in ("memory", "episode"))
    models = list(dict.fromkeys(call["model"] for call in trace["calls"])) or ["-"]
    ended = max((span["began_ms"] + span["took_ms"] for span in trace["spans"]), default=0.0)
    return translate(
        "route `{route}` · evidence {evidence} · memories {memories} · tokens "
        "{tokens} · {seconds} s · {models}",
        locale,
        route=trace["route"],
        evidence=len(used) - memories,
        memories=memories,
        tokens=trace["context"]["tokens"] if trace["context"] else 0,
        seconds=round(ended / 1000, 1),
        models=", ".join(models),
    )
