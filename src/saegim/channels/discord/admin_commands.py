"""Slash commands for those who manage a guild."""

# Decorators register the commands.
# pyright: reportUnusedFunction=false

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import discord
from discord import app_commands

from saegim.channels.discord.guild_clients import GuildClients
from saegim.channels.discord.interactions import CommandContext, answer, locale_of
from saegim.channels.discord.messages import MessageHandler, room_of
from saegim.client import Guild
from saegim.domain.scope import Locale
from saegim.locales import N_, translate

LogNotice = Callable[[discord.Guild, str, dict[str, object]], Awaitable[None]]
Persona = app_commands.Range[str, 0, 600]
Rules = app_commands.Range[str, 0, 1000]
PerMinute = app_commands.Range[int, 1, 10000]
Minute = app_commands.Range[str, 5, 5]


class AdminCommands:
    """The group `/saegim`, and `/eval`. Checks the permission here, besides in Discord."""

    def __init__(
        self, clients: GuildClients, messages: MessageHandler, log_notice: LogNotice
    ) -> None:
        self._clients = clients
        self._messages = messages
        self._log = log_notice

    def install(self, tree: app_commands.CommandTree[Any]) -> None:
        """Add the commands to the bot."""
        manage = discord.Permissions(manage_guild=True)
        group = app_commands.Group(
            name="saegim",
            description=N_("Settings of this server"),
            guild_only=True,
            default_permissions=manage,
        )
        self._add_settings(group)
        self._add_notices(group)
        tree.add_command(group)

        @tree.command(name="eval", description=N_("How well memory helps with a question"))
        @app_commands.guild_only()
        @app_commands.default_permissions(manage)
        async def evaluate(interaction: discord.Interaction, query: str = "") -> None:
            await self._by_admin(interaction, lambda context: self._evaluate(context, query))

    def _add_settings(self, group: app_commands.Group) -> None:
        @group.command(description=N_("Show the settings of this server"))
        async def show(interaction: discord.Interaction) -> None:
            await self._by_admin(interaction, _show)

        @group.command(description=N_("Language to use when a message has no words"))
        async def language(interaction: discord.Interaction, locale: Literal["ko", "en"]) -> None:
            await self._change(interaction, "language", locale=locale)

        @group.command(description=N_("Persona and rules for this server"))
        async def persona(
            interaction: discord.Interaction, persona: Persona = "", rules: Rules = ""
        ) -> None:
            await self._change(interaction, "persona", persona=persona, rules=rules)

        @group.command(
            description=N_("Persona and rules for this channel; leave empty to use the server's")
        )
        async def channel(
            interaction: discord.Interaction, persona: Persona = "", rules: Rules = ""
        ) -> None:
            async def work(context: CommandContext) -> None:
                here = context.interaction.channel
                parent = room_of(here) if isinstance(here, discord.Thread) else context.channel
                await context.line.speak_in(str(context.guild.id), str(parent), persona, rules)
                await self._changed(context, "channel")

            await self._by_admin(interaction, work)

        @group.command(description=N_("Channel for error logs; omit to turn them off"))
        async def log(
            interaction: discord.Interaction, channel: discord.TextChannel | None = None
        ) -> None:
            log_channel = "" if channel is None else str(channel.id)
            await self._change(interaction, "log", log_channel=log_channel)

        @group.command(description=N_("Whether to store nearby messages with a question"))
        async def nearby(interaction: discord.Interaction, keep: bool) -> None:
            await self._change(interaction, "nearby", store_messages=keep)

        @group.command(description=N_("Answers per minute, per person and for the server"))
        async def limits(
            interaction: discord.Interaction, person: PerMinute, everybody: PerMinute
        ) -> None:
            values = {"user_per_minute": person, "guild_per_minute": everybody}
            await self._change(interaction, "limits", **values)

    def _add_notices(self, group: app_commands.Group) -> None:
        @group.command(description=N_("Post the weather of a place here every day at HH:MM"))
        async def notice(interaction: discord.Interaction, place: str, at: Minute) -> None:
            async def work(context: CommandContext) -> None:
                added = await context.line.add_notice(
                    str(context.guild.id), str(context.channel), place, at
                )
                await context.say(
                    "I will post the weather for {place} every day at {at}.",
                    place=added.place,
                    at=added.at,
                )

            await self._by_admin(interaction, work)

        @group.command(description=N_("List the weather notices of this server"))
        async def notices(interaction: discord.Interaction) -> None:
            await self._by_admin(interaction, _notices)

        @group.command(name="unnotice", description=N_("Remove a weather notice by its number"))
        async def stop(interaction: discord.Interaction, number: PerMinute) -> None:
            async def work(context: CommandContext) -> None:
                notices = await context.line.notices(str(context.guild.id))
                if number > len(notices):
                    await context.say("No weather notices.")
                    return
                await context.line.drop_notice(notices[number - 1].notice_id)
                await self._changed(context, "notice")

            await self._by_admin(interaction, work)

    async def _by_admin(
        self, interaction: discord.Interaction, work: Callable[[CommandContext], Awaitable[None]]
    ) -> None:
        if not interaction.permissions.manage_guild:
            text = translate(
                "Only people who can manage this server can do that.", locale_of(interaction)
            )
            await interaction.response.send_message(text, ephemeral=True)
            return
        await answer(interaction, self._clients, work)

    async def _change(self, interaction: discord.Interaction, what: str, **changes: Any) -> None:
        async def work(context: CommandContext) -> None:
            await context.line.change_guild(str(context.guild.id), **changes)
            await self._changed(context, what)

        await self._by_admin(interaction, work)

    async def _changed(self, context: CommandContext, what: str) -> None:
        await context.say("Settings saved.")
        values: dict[str, object] = {"who": context.interaction.user.display_name, "what": what}
        await self._log(context.guild, N_("Settings changed: {who} — {what}"), values)

    async def _evaluate(self, context: CommandContext, query: str) -> None:
        last = self._messages.last(context.channel, context.interaction.user.id)
        if last is None or last.speaker is None or last.answer.session is None:
            await context.say("I haven't answered you in this channel recently.")
            return
        evaluation = await last.speaker.evaluate(last.answer.session, query or last.question)
        scores = evaluation.judgement.scores.items()
        await context.say(
            "Memory score {score} (judge: {judge})\n{reasons}",
            score=round(evaluation.judgement.overall_score, 1),
            judge=evaluation.judged_by,
            reasons="\n".join(f"- {name} {each.score}: {each.reason}" for name, each in scores),
        )


async def _show(context: CommandContext) -> None:
    await context.tell(describe(await context.line.guild(str(context.guild.id)), context.locale))


async def _notices(context: CommandContext) -> None:
    notices = await context.line.notices(str(context.guild.id))
    lines = [
        f"{number}. {each.at} {each.place} <#{each.channel_id}>"
        for number, each in enumerate(notices, 1)
    ]
    head = N_("Weather notices:") if lines else N_("No weather notices.")
    await context.tell("\n".join([translate(head, context.locale), *lines]))


def describe(guild: Guild, locale: Locale) -> str:
    """Return the settings of a guild as text."""
    channels = "\n".join(
        f"<#{channel}>: {voice.persona or '-'} / {voice.rules or '-'}"
        for channel, voice in guild.channels.items()
    )
    return translate(
        "language {language} · persona {persona} · rules {rules} · log {log} · "
        "store nearby messages {nearby} · limits {user}/{guild} (per minute)\n"
        "{channels}",
        locale,
        language=guild.locale or "-",
        persona=guild.persona or "-",
        rules=guild.rules or "-",
        log=f"<#{guild.log_channel}>" if guild.log_channel else "-",
        nearby="✅" if guild.store_messages else "❌",
        user=guild.user_per_minute,
        guild=guild.guild_per_minute,
        channels=channels,
    )
