"""Questions to go on with after an answer."""

import pytest

from tests.integration.chat.library_stack import FAQ
from tests.integration.library.conftest import GUIDE, bring_in
from tests.stack import Stack

pytestmark = pytest.mark.requirement("CH11")

BUDGET = """---
id: faq-2
type: faq
title: 비용 예산은 어디에서 정하나요?
---
# 비용 예산은 어디에서 정하나요?

예산 메뉴의 새 예산에서 월 예산과 비용 알림 기준을 정합니다.
"""


async def suggested(stack: Stack, turn: str, user: str = "alice") -> list[str]:
    path = f"/v1/turns/{turn}/suggestions"
    response = await stack.http.get(path, headers=stack.headers(user))
    assert response.status_code == 200, response.text
    return response.json()["suggestions"]


async def test_sections_beside_the_cited_one_and_faq_entries_are_suggested(stack: Stack) -> None:
    await stack.services.warm_up()
    await bring_in(stack, {"ec2.md": GUIDE, "alert.md": FAQ, "budget.md": BUDGET})
    about_ec2 = await stack.say("예약 인스턴스는 최대 얼마나 할인돼요?")
    sections = await suggested(stack, about_ec2["turn_id"])
    faq = await stack.say("비용 알림은 어떻게 받나요?")
    entries = await suggested(stack, faq["turn_id"])
    same = {"Saegim-Session": faq["session_id"]}
    next_turn = await stack.say("비용 예산은 어디에서 정하나요?", **same)
    later = await suggested(stack, next_turn["turn_id"])
    english = await stack.say("How much is the discount for 예약 인스턴스 of EC2?")
    in_english = await suggested(stack, english["turn_id"])
    others = await stack.http.get(
        f"/v1/turns/{faq['turn_id']}/suggestions", headers=stack.headers("bob")
    )

    assert about_ec2["citations"]
    assert "‘EC2 비용 줄이기’ 문서에서 ‘스팟 인스턴스’ 부분을 설명해 주세요" in sections
    assert len(sections) <= 3
    assert "비용 예산은 어디에서 정하나요?" in entries
    assert "비용 알림은 어떻게 받나요?" not in entries
    assert not {"비용 예산은 어디에서 정하나요?", "비용 알림은 어떻게 받나요?"} & set(later)
    assert not english["citations"] or in_english[0].startswith("What does “EC2 비용 줄이기” say")
    assert others.status_code == 404


async def test_small_talk_has_no_suggestions(stack: Stack) -> None:
    reply = await stack.say("안녕하세요")

    assert await suggested(stack, reply["turn_id"]) == []
