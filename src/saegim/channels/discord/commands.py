"""What people do with slash commands: see, forget, ask why, link themselves, be ranked."""

import asyncio
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from saegim.channels.discord import ranking_image
from saegim.channels.discord.guild_clients import GuildClients, user_id, user_name
from saegim.channels.discord.interactions import CommandContext, answer
from saegim.channels.discord.language import Locale
from saegim.channels.discord.messages import MessageHandler
from saegim.client import Active
from saegim.locales import N_, translate

if TYPE_CHECKING:
    from saegim.client.memory_types import Memory

SHOWN = 15
DAYS = app_commands.Range[int, 1, 90]


class PeopleCommands:
    """Commands that anybody may use; what they tell of a person, only that person sees."""

    def __init__(self, lines: GuildClients, speaking: MessageHandler, font: Path | None) -> None:
        self._lines = lines
        self._speaking = speaking
        self._font = font

    def install(self, tree: app_commands.CommandTree[Any]) -> None:
        """Adds the commands to the bot's."""

        @tree.command(description=N_("What I remember about you here"))
        @app_commands.guild_only()
        async def memory(interaction: discord.Interaction, words: str = "") -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(interaction, self._lines, lambda asked: _memory(asked, words))

        @tree.command(description=N_("Forget a memory by its number in /memory or by words in it"))
        @app_commands.guild_only()
        async def forget(interaction: discord.Interaction, what: str) -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(interaction, self._lines, lambda asked: _forget(asked, what))

        @tree.command(description=N_("Why I gave you my last answer"))
        @app_commands.guild_only()
        async def why(interaction: discord.Interaction) -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(interaction, self._lines, self._why)

        @tree.command(description=N_("Link this account with another account of yours"))
        @app_commands.guild_only()
        async def link(interaction: discord.Interaction, code: str = "") -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(interaction, self._lines, lambda asked: _link(asked, code))

        @tree.command(description=N_("Unlink this account"))
        @app_commands.guild_only()
        async def unlink(interaction: discord.Interaction) -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(interaction, self._lines, _unlink)

        @tree.command(description=N_("Most active members lately"))
        @app_commands.guild_only()
        async def ranking(interaction: discord.Interaction, days: DAYS = 7) -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await answer(
                interaction, self._lines, lambda asked: self._ranking(asked, days), private=False
            )

    async def _why(self, asked: CommandContext) -> None:
        last = self._speaking.last(asked.channel, asked.interaction.user.id)
        if last is None or last.speaker is None or last.answer.turn is None:
            await asked.tell(
                translate("I haven't answered you in this channel recently.", asked.locale)
            )
            return
        trace = (await last.speaker.trace(last.answer.turn)).trace
        await asked.tell(why_text(trace, asked.locale))

    async def _ranking(self, asked: CommandContext, days: int) -> None:
        found = await asked.line.activity_ranking(str(asked.guild.id), days)
        title = translate("Most active in the last {days} days", asked.locale, days=days)
        if not found:
            await asked.tell(translate("No activity has been counted yet.", asked.locale))
            return
        rows = [(await _display(asked, each), each.messages) for each in found]
        font = ranking_image.find_font(self._font)
        if font is None:
            await asked.tell(ranking_image.table(title, rows))
            return
        # Drawing takes a while: the heartbeat must not wait for it.
        drawn = await asyncio.to_thread(ranking_image.draw, title, rows, font)
        file = discord.File(
            BytesIO(drawn), "ranking.png", description=ranking_image.table(title, rows)
        )
        await asked.interaction.edit_original_response(content=title, attachments=[file])


async def _memory(asked: CommandContext, words: str) -> None:
    found = await _listed(asked, words)
    if not found:
        await asked.tell(translate("I don't remember anything about you here.", asked.locale))
        return
    await asked.tell(
        "\n".join([translate("What I remember about you here:", asked.locale), *_numbered(found)])
    )


async def _forget(asked: CommandContext, what: str) -> None:
    if what.isascii() and what.isdigit():
        found = (await _listed(asked, ""))[int(what) - 1 : int(what)] if int(what) > 0 else []
    else:
        found = await _listed(asked, what)
    if len(found) == 1:
        await asked.person.memories.forget(found[0].memory_id)
        await asked.tell(translate("Forgotten: {what}", asked.locale, what=found[0].content))
    elif found:
        await asked.tell(
            "\n".join(
                [
                    translate(
                        "Several memories match. Choose one by its number in `/memory`:",
                        asked.locale,
                    ),
                    *(f"- {m.content}" for m in found),
                ]
            )
        )
    else:
        await asked.tell(translate("No memory matches that.", asked.locale))


async def _listed(asked: CommandContext, words: str) -> "list[Memory]":
    found: list[Memory] = []
    async for each in asked.person.memories.browse(words):
        found.append(each)
        if len(found) == SHOWN:
            break
    return found


def _numbered(found: "list[Memory]") -> list[str]:
    return [
        f"{number}. {each.content} -# {each.said_at:%Y-%m-%d}"
        for number, each in enumerate(found, 1)
    ]


async def _link(asked: CommandContext, code: str) -> None:
    if not code.strip():
        made = await asked.line.link_code()
        await asked.tell(
            translate(
                "To link your accounts, enter this code on the web or in another channel: "
                "`{code}` (10 minutes)",
                asked.locale,
                code=made.code,
            )
        )
        return
    await asked.line.link(code)
    await asked.tell(
        translate("Linked. Your memory is now shared across your accounts.", asked.locale)
    )


async def _unlink(asked: CommandContext) -> None:
    own = user_name(asked.interaction.user.id)
    linked = [each for each in await asked.line.identities() if each.name == own]
    for each in linked:
        await asked.line.unlink(each.identity_id)
    said = N_("Unlinked.") if linked else N_("This account is not linked.")
    await asked.tell(translate(said, asked.locale))


async def _display(asked: CommandContext, active: Active) -> str:
    """What somebody is called in the guild now; the API knows only ids."""
    who = user_id(active.name)
    if who is None:
        return translate("(left the server)", asked.locale)
    member = asked.guild.get_member(who)
    try:
        member = member or await asked.guild.fetch_member(who)
    except discord.HTTPException:
        return translate("(left the server)", asked.locale)
    return member.display_name


def why_text(trace: dict[str, Any], locale: Locale) -> str:
    """A turn's trace in a line; its content stays where it is."""
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
