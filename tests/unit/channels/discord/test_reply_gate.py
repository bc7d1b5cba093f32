"""The gate as rules: who is answered, what is asked, how often."""

import pytest

from saegim.channels.discord.bot import Shards
from saegim.channels.discord.guild_clients import user_id, user_name
from saegim.channels.discord.reply_gate import (
    MOST_NAMES,
    IncomingMessage,
    Limiter,
    ReplyDecision,
    judge,
    question,
    spoken,
)
from saegim.channels.discord.runner import WrongShards, parse_shards

pytestmark = pytest.mark.requirement("CH4")

ME, OTHER = 9, 8


@pytest.mark.parametrize(
    ("heard", "verdict"),
    [
        (IncomingMessage(True, True, frozenset({ME})), ReplyDecision.ANSWER),
        (IncomingMessage(True, True, frozenset({ME, OTHER})), ReplyDecision.ANSWER),
        (IncomingMessage(True, True, frozenset({OTHER})), ReplyDecision.COUNT),
        (IncomingMessage(True, True, frozenset()), ReplyDecision.COUNT),
        (IncomingMessage(False, True, frozenset({ME})), ReplyDecision.PASS_OVER),
        (IncomingMessage(True, False, frozenset({ME})), ReplyDecision.PASS_OVER),
    ],
)
def test_only_a_person_who_mentions_us_in_a_guild_is_answered(
    heard: IncomingMessage, verdict: ReplyDecision
) -> None:
    assert judge(heard, ME) is verdict


def test_a_question_has_no_mention_of_us_and_others_by_name() -> None:
    text = "<@9> <@!8> 생일이 <@7>\n언제야? <@9>"
    assert question(text, ME, {8: "민지"}) == "@민지 생일이 @someone\n언제야?"
    assert question("<@9>", ME, {}) == ""


def test_a_limit_opens_again_after_a_minute_and_takes_nothing_where_it_is_full() -> None:
    now = 0.0
    limiter = Limiter(lambda: now)
    both = {"user": 2, "guild": 3}
    assert [limiter.admit(both) for _ in range(3)] == [True, True, False]
    # The refused one took nothing of the guild's: there is room for one of somebody else.
    assert limiter.admit({"other": 2, "guild": 3})
    assert not limiter.admit({"third": 2, "guild": 3})
    now = 61.0
    assert limiter.admit(both)


def test_names_that_are_quiet_are_forgotten() -> None:
    now = 0.0
    limiter = Limiter(lambda: now)
    for number in range(MOST_NAMES + 10):
        limiter.admit({str(number): 1})
    now = 61.0
    limiter.admit({"new": 1})
    assert len(limiter._times) == 1


def test_names_lead_back_to_accounts() -> None:
    assert user_id(user_name(501)) == 501
    assert user_id("alice") is None


def test_the_bot_speaks_the_language_of_the_message() -> None:
    assert spoken("날씨 어때?", "en") == "ko"
    assert spoken("how is it", "ko") == "en"
    assert spoken("??", "ko") == "ko"


def test_shards_are_named_with_their_count() -> None:
    assert parse_shards(None) == Shards()
    assert parse_shards("0,2/4") == Shards((0, 2), 4)
    for wrong in ("0", "4/4", "a/2", "0,1/"):
        with pytest.raises(WrongShards):
            parse_shards(wrong)
