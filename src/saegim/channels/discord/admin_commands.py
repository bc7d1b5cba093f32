"""What a guild's admins set with slash commands; whether they may is checked here too."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import discord
from discord import app_commands

from saegim.channels.discord.guild_clients import GuildClients
from saegim.channels.discord.interactions import CommandContext, answer, locale_of
from saegim.channels.discord.language import Locale
from saegim.channels.discord.messages import MessageHandler, room_of
from saegim.client import Guild
from saegim.locales import N_, translate

LogNotice = Callable[[discord.Guild, str, dict[str, object]], Awaitable[None]]
Persona = app_commands.Range[str, 0, 600]
Rules = app_commands.Range[str, 0, 1000]
PerMinute = app_commands.Range[int, 1, 10000]
Minute = app_commands.Range[str, 5, 5]


class AdminCommands:
    """The group `/saegim`, and `/eval`: for people who manage the guild."""

    def __init__(self, lines: GuildClients, speaking: MessageHandler, tell_log: LogNotice) -> None:
        self._lines = lines
        self._speaking = speaking
        self._log = tell_log

    def install(self, tree: app_commands.CommandTree[Any]) -> None:
        """Adds the commands to the bot's."""
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
        async def evaluate(interaction: discord.Interaction, query: str = "") -> None:  # pyright: ignore[reportUnusedFunction] - the tree has it
            await self._by_admin(interaction, lambda asked: self._evaluate(asked, query))

    def _add_settings(self, group: app_commands.Group) -> None:
        @group.command(description=N_("Show the settings of this server"))
        async def show(interaction: discord.Interaction) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            await self._by_admin(interaction, _show)

        @group.command(description=N_("Language to use when a message has no words"))
        async def language(interaction: discord.Interaction, locale: Literal["ko", "en"]) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            await self._change(interaction, "language", locale=locale)

        @group.command(description=N_("Persona and rules for this server"))
        async def persona(  # pyright: ignore[reportUnusedFunction] - the group has it
            interaction: discord.Interaction, persona: Persona = "", rules: Rules = ""
        ) -> None:
            await self._change(interaction, "persona", persona=persona, rules=rules)

        @group.command(
            description=N_("Persona and rules for this channel; leave empty to use the server's")
        )
        async def channel(  # pyright: ignore[reportUnusedFunction] - the group has it
            interaction: discord.Interaction, persona: Persona = "", rules: Rules = ""
        ) -> None:
            async def work(asked: CommandContext) -> None:
                where = asked.interaction.channel
                room = room_of(where) if isinstance(where, discord.Thread) else asked.channel
                await asked.line.speak_in(str(asked.guild.id), str(room), persona, rules)
                await self._changed(asked, "channel")

            await self._by_admin(interaction, work)

        @group.command(description=N_("Channel for error logs; omit to turn them off"))
        async def log(  # pyright: ignore[reportUnusedFunction] - the group has it
            interaction: discord.Interaction, channel: discord.TextChannel | None = None
        ) -> None:
            where = "" if channel is None else str(channel.id)
            await self._change(interaction, "log", log_channel=where)

        @group.command(description=N_("Whether to store nearby messages with a question"))
        async def nearby(interaction: discord.Interaction, keep: bool) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            await self._change(interaction, "nearby", store_messages=keep)

        @group.command(description=N_("Answers per minute, per person and for the server"))
        async def limits(  # pyright: ignore[reportUnusedFunction] - the group has it
            interaction: discord.Interaction, person: PerMinute, everybody: PerMinute
        ) -> None:
            values = {"user_per_minute": person, "guild_per_minute": everybody}
            await self._change(interaction, "limits", **values)

    def _add_notices(self, group: app_commands.Group) -> None:
        @group.command(description=N_("Post the weather of a place here every day at HH:MM"))
        async def notice(interaction: discord.Interaction, place: str, at: Minute) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            async def work(asked: CommandContext) -> None:
                added = await asked.line.add_notice(
                    str(asked.guild.id), str(asked.channel), place, at
                )
                said = translate(
                    "I will post the weather for {place} every day at {at}.",
                    asked.locale,
                    place=added.place,
                    at=added.at,
                )
                await asked.tell(said)

            await self._by_admin(interaction, work)

        @group.command(description=N_("List the weather notices of this server"))
        async def notices(interaction: discord.Interaction) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            await self._by_admin(interaction, _notices)

        @group.command(name="unnotice", description=N_("Remove a weather notice by its number"))
        async def stop(interaction: discord.Interaction, number: PerMinute) -> None:  # pyright: ignore[reportUnusedFunction] - the group has it
            async def work(asked: CommandContext) -> None:
                found = await asked.line.notices(str(asked.guild.id))
                if number > len(found):
                    await asked.tell(translate("No weather notices.", asked.locale))
                    return
                chosen = found[number - 1]
                await asked.line.drop_notice(chosen.notice_id)
                await self._changed(asked, "notice")

            await self._by_admin(interaction, work)

    async def _by_admin(
        self, interaction: discord.Interaction, work: Callable[[CommandContext], Awaitable[None]]
    ) -> None:
        if not interaction.permissions.manage_guild:
            refusal = translate(
                "Only people who can manage this server can do that.", locale_of(interaction)
            )
            await interaction.response.send_message(refusal, ephemeral=True)
            return
        await answer(interaction, self._lines, work)

    async def _change(self, interaction: discord.Interaction, what: str, **changes: Any) -> None:
        async def work(asked: CommandContext) -> None:
            await asked.line.change_guild(str(asked.guild.id), **changes)
            await self._changed(asked, what)

        await self._by_admin(interaction, work)

    async def _changed(self, asked: CommandContext, what: str) -> None:
        await asked.tell(translate("Settings saved.", asked.locale))
        who = asked.interaction.user.display_name
        await self._log(
            asked.guild, N_("Settings changed: {who} — {what}"), {"who": who, "what": what}
        )

    async def _evaluate(self, asked: CommandContext, query: str) -> None:
        last = self._speaking.last(asked.channel, asked.interaction.user.id)
        if last is None or last.speaker is None or last.answer.session is None:
            await asked.tell(
                translate("I haven't answered you in this channel recently.", asked.locale)
            )
            return
        judged = await last.speaker.evaluate(last.answer.session, query or last.question)
        reasons = "\n".join(
            f"- {name} {each.score}: {each.reason}"
            for name, each in judged.judgement.scores.items()
        )
        score = round(judged.judgement.overall_score, 1)
        await asked.tell(
            translate(
                "Memory score {score} (judge: {judge})\n{reasons}",
                asked.locale,
                score=score,
                judge=judged.judged_by,
                reasons=reasons,
            )
        )


async def _show(asked: CommandContext) -> None:
    await asked.tell(shown(await asked.line.guild(str(asked.guild.id)), asked.locale))


async def _notices(asked: CommandContext) -> None:
    found = await asked.line.notices(str(asked.guild.id))
    lines = [
        f"{number}. {each.at} {each.place} <#{each.channel_id}>"
        for number, each in enumerate(found, 1)
    ]
    head = N_("Weather notices:") if lines else N_("No weather notices.")
    await asked.tell("\n".join([translate(head, asked.locale), *lines]))


def shown(guild: Guild, locale: Locale) -> str:
    """A guild's settings in a few lines."""
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
