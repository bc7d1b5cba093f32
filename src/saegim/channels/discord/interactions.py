"""How a slash command answers: by the person it was asked by, in their language, in pages."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.channels.discord.language import Locale
from saegim.channels.discord.message_pages import split
from saegim.channels.discord.messages import room_of
from saegim.client import ClientError, SaegimClient, SaegimProblem, Unreachable
from saegim.locales import translate

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A command in a guild: who asked, where, and the line to the API as that person."""

    interaction: discord.Interaction
    guild: discord.Guild
    locale: Locale
    line: SaegimClient
    """For what the guild's admins do."""
    person: SaegimClient
    """For the person, in the profile that holds here."""

    @property
    def channel(self) -> int:
        assert self.interaction.channel_id is not None, "commands are used in channels"
        return self.interaction.channel_id

    async def tell(self, text: str) -> None:
        """Says something to whoever asked."""
        first, *more = split(text) or ["-"]
        await self.interaction.edit_original_response(content=first)
        for page in more:
            await self.interaction.followup.send(page, ephemeral=True)


Work = Callable[[CommandContext], Awaitable[None]]


def locale_of(interaction: discord.Interaction) -> Locale:
    return "ko" if interaction.locale is discord.Locale.korean else "en"


async def answer(
    interaction: discord.Interaction, lines: GuildClients, work: Work, *, private: bool = True
) -> None:
    """Does what a command asks for, and says so politely where it cannot be done."""
    locale, guild = locale_of(interaction), interaction.guild
    await interaction.response.defer(ephemeral=private, thinking=True)
    line = None if guild is None else lines.of(guild.id)
    if guild is None or line is None or interaction.channel is None:
        await interaction.edit_original_response(
            content=translate(
                "This server is not connected yet. Please contact the operator.", locale
            )
        )
        return
    try:
        user = user_name(interaction.user.id)
        channel = interaction.channel
        room = room_of(channel) if isinstance(channel, discord.Thread) else channel.id
        place = await line.speaking_for(user).place(str(guild.id), str(room))
        person = line.speaking_for(user, place.profile, locale)
        own = line.speaking_for(user, language=locale)
        await work(CommandContext(interaction, guild, locale, own, person))
    except ClientError as error:
        await interaction.edit_original_response(content=_polite(error, locale))


def _polite(error: ClientError, locale: Locale) -> str:
    if isinstance(error, Unreachable) or not isinstance(error, SaegimProblem):
        return translate("I can't answer right now. Please try again in a little while.", locale)
    if error.status in (400, 404, 409, 422):
        return translate("Invalid value: {reason}", locale, reason=error.detail or error.title)
    return error.title
