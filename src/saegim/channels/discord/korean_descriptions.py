"""Descriptions of slash commands in Korean; Discord shows them to whoever speaks it."""

import discord
from discord import app_commands

WORDS = {
    "What I remember about you here": "여기서 저를 부른 당신에 대해 기억하는 것",
    "Forget something: its number in /memory, or words of it": "기억 지우기: /memory의 번호나 낱말",
    "Why I answered you as I did": "방금 왜 그렇게 답했는지",
    "Make this account and another one of yours one person": "다른 곳의 내 계정과 잇기",
    "Take this account apart again": "계정 연결 끊기",
    "Who wrote most lately": "요즘 누가 가장 많이 썼는지",
    "How I behave in this server": "이 서버에서 어떻게 행동할지",
    "How well memory helps with a question": "기억이 질문에 얼마나 도움이 되는지",
    "Show the settings of this server": "이 서버의 설정 보기",
    "The language I speak where a message has none of its own": "말이 없는 메시지에 쓸 언어",
    "How I speak in this server, and its rules": "이 서버에서의 말투와 규칙",
    "How I speak in this channel; empty leaves it to the server": (
        "이 채널에서의 말투와 규칙; 비우면 서버를 따름"
    ),
    "Where I log what goes wrong; without a channel, nowhere": (
        "문제를 기록할 채널; 없으면 기록 안 함"
    ),
    "Whether what others said around a question is kept with it": (
        "질문 주변의 대화를 함께 보관할지"
    ),
    "How many answers a minute, for one person and for all": "1분에 몇 번 답할지: 한 사람, 모두",
    "Tell the weather of a place here every day, at HH:MM": "매일 HH:MM에 이곳에 날씨 알리기",
    "The weather notices of this server": "이 서버의 날씨 알림",
    "Stop a weather notice, by its number": "날씨 알림 멈추기, 번호로",
}


class Korean(app_commands.Translator):
    """Gives Discord our own words; commands of plug-ins keep theirs."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py's signature
    ) -> str | None:
        return WORDS.get(string.message) if locale is discord.Locale.korean else None
