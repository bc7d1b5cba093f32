"""Descriptions of slash commands in Korean; Discord shows them to whoever speaks it."""

import discord
from discord import app_commands

from saegim.locales import catalogue


class Korean(app_commands.Translator):
    """Gives Discord our own texts; commands of plug-ins keep theirs."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py's signature
    ) -> str | None:
        korean = locale is discord.Locale.korean
        return catalogue("ko").get(string.message) if korean else None
