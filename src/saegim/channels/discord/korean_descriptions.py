"""Korean descriptions of slash commands, for users whose Discord is in Korean."""

import discord
from discord import app_commands

from saegim.locales import catalogue


class Korean(app_commands.Translator):
    """Translates the commands of the bot; plug-ins keep their own texts."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py's signature
    ) -> str | None:
        korean = locale is discord.Locale.korean
        return catalogue("ko").get(string.message) if korean else None
