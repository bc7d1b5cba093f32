"""Runs slash commands and posts their responses."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from saegim.channels.discord.guild_clients import GuildClients, user_name
from saegim.channels.discord.message_pages import split
from saegim.channels.discord.messages import room_of
from saegim.client import ClientError, SaegimClient, SaegimProblem, Unreachable
from saegim.domain.scope import Locale
from saegim.locales import translate

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CommandContext:
    """A command in a guild, with clients of the API for the user who runs it."""

    interaction: discord.Interaction
    guild: discord.Guild
    locale: Locale
    line: SaegimClient
    """For settings of the guild and identities, in the default profile."""
    person: SaegimClient
    """For memories, in the profile of this channel."""

    @property
    def channel(self) -> int:
        assert self.interaction.channel_id is not None, "commands are used in channels"
        return self.interaction.channel_id

    async def tell(self, text: str) -> None:
        """Respond with a text, in pages."""
        first, *more = split(text) or ["-"]
        await self.interaction.edit_original_response(content=first)
        for page in more:
            await self.interaction.followup.send(page, ephemeral=True)

    async def say(self, message: str, /, **values: object) -> None:
        """Respond with a text in the language of the user."""
        await self.tell(translate(message, self.locale, **values))


Work = Callable[[CommandContext], Awaitable[None]]


def locale_of(interaction: discord.Interaction) -> Locale:
    return "ko" if interaction.locale is discord.Locale.korean else "en"


async def answer(
    interaction: discord.Interaction, clients: GuildClients, work: Work, *, private: bool = True
) -> None:
    """Run a command; respond with an explanation if it fails."""
    locale, guild, channel = locale_of(interaction), interaction.guild, interaction.channel
    await interaction.response.defer(ephemeral=private, thinking=True)
    client = None if guild is None else clients.of(guild.id)
    if guild is None or client is None or channel is None:
        text = translate("This server is not connected yet. Please contact the operator.", locale)
        await interaction.edit_original_response(content=text)
        return
    try:
        user = user_name(interaction.user.id)
        parent = room_of(channel) if isinstance(channel, discord.Thread) else channel.id
        settings = await client.speaking_for(user).place(str(guild.id), str(parent))
        person = client.speaking_for(user, settings.profile, locale)
        own = client.speaking_for(user, language=locale)
        await work(CommandContext(interaction, guild, locale, own, person))
    except ClientError as error:
        await interaction.edit_original_response(content=_explanation(error, locale))


def _explanation(error: ClientError, locale: Locale) -> str:
    if isinstance(error, Unreachable) or not isinstance(error, SaegimProblem):
        return translate("I can't answer right now. Please try again in a little while.", locale)
    if error.status in (400, 404, 409, 422):
        return translate("Invalid value: {reason}", locale, reason=error.detail or error.title)
    return error.title
