"""Pictures of every page in both languages, light, dark and on a phone: `make screenshots`.

Not a test: pytest runs it when it is named, with the folder in SAEGIM_SCREENSHOTS."""

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from saegim.evaluation.results import Figure, QueryResult, Run, ScenarioResult, save
from tests.integration.chat.library_stack import FAQ
from tests.stack import Databases
from tests.web.browser_fixture import GUIDE, GUIDE_EN, MECHANIC, Site, staged
from tests.web.conftest import SignedIn
from tests.web.talking import ask
from tests.web.test_widget import hosted, opened

FOLDER = Path(os.environ.get("SAEGIM_SCREENSHOTS", "build/screenshots"))
DESK = {"width": 1280, "height": 820}
PHONE = {"width": 390, "height": 844}
SAID = {"en": [
    ("fact", "Is allergic to peanuts", "2024-05-02", 0.92),
    ("preference", "Likes answers as tables", "2025-01-15", 0.6),
    ("profile", "Looks after cloud cost at CostLens", "2025-03-03", 0.8),
    ("decision", "Decided to buy reserved instances for three years", "2025-11-20", 0.85),
    ("constraint", "The monthly budget must stay below $9,000", "2026-02-11", 0.9),
    ("todo", "List idle instances by the end of November", "2026-10-30", 0.7),
], "ko": [
    ("fact", "땅콩 알레르기가 있다", "2024-05-02", 0.92),
    ("preference", "답변은 표로 정리해 주는 것을 좋아한다", "2025-01-15", 0.6),
    ("profile", "코스트렌즈에서 클라우드 비용을 담당한다", "2025-03-03", 0.8),
    ("decision", "2026년부터 예약 인스턴스를 3년 약정으로 사기로 했다", "2025-11-20", 0.85),
    ("constraint", "월 예산은 1,200만원을 넘지 않아야 한다", "2026-02-11", 0.9),
    ("todo", "11월 말까지 유휴 인스턴스 목록을 정리한다", "2026-10-30", 0.7),
]}  # fmt: skip
QUESTION = {
    "ko": ("나는 판교에서 일하고 땅콩 알레르기가 있어.", "EC2 비용 줄이는 방법?"),
    "en": ("I live in Pangyo and I am allergic to peanuts.", "How can we reduce our EC2 cost?"),
}


EXAMPLE = Path(__file__).parents[2] / "examples/cost-analysis/documents"
SHOWN = ("setup-101.ko.md", "setup-102.ko.md", "gcb-123.ko.md", "myservice-29392.ko.md")
FILES = {"guide.md": GUIDE, "guide-en.md": GUIDE_EN, "faq.md": FAQ} | {
    name: (EXAMPLE / name).read_text("utf-8") for name in SHOWN
}


@pytest.fixture(scope="module")
async def site(databases: Databases) -> AsyncIterator[Site]:
    async with staged(databases, FILES) as running:
        yield running


async def seed(site: Site, user: str, language: str) -> None:
    memories = [
        {"type": kind, "content": text, "said_at": f"{day}T03:00:00Z", "importance": weight}
        for kind, text, day, weight in SAID[language]
    ]
    headers = {"Authorization": f"Bearer {await site.key(user)}"}
    body = {"format": "saegim-memory/1", "memories": memories}
    response = await site.stack.http.post("/v1/memories/import", json=body, headers=headers)
    assert response.status_code == 202, response.text
    services, tenant = site.stack.services, site.stack.tenant.tenant.id
    await services.memory.imports.run(tenant, UUID(response.json()["import_id"]))
    listed = await site.stack.http.get("/v1/memories", headers=headers)
    first = next(
        each["memory_id"]
        for each in listed.json()["memories"]
        if each["content"] == memories[0]["content"]
    )
    await site.stack.http.put(f"/v1/memories/{first}/pin", json={"pinned": True}, headers=headers)


def seed_usage(site: Site) -> None:
    """Four weeks of use, as a small team has it."""
    tenant = site.stack.tenant
    caller = uuid4()
    with psycopg.connect(site.stack.databases.admin_url) as connection:
        for day in range(28):
            for turn in range(14 + (day * 7) % 11 + 6 * (day % 7 < 5)):
                at = datetime.now(UTC) - timedelta(days=27 - day, hours=turn % 9)
                event = {
                    "escalated": turn % 6 == 0,
                    "input_tokens": 1900 + 37 * (turn % 13),
                    "output_tokens": 260 + 11 * (turn % 17),
                    "cost_usd": str(0.0021 + 0.009 * (turn % 6 == 0)),
                    "latency_ms": 900 + 130 * (turn % 9) + 40 * (day % 5),
                }
                connection.execute(
                    "insert into saegim.usage_event (tenant_id, turn_id, member_id, assistant_id,"
                    " kind, outcome, event, occurred_at)"
                    " values (%s, %s, %s, %s, 'AI_INTERACTION', %s, %s, %s)",
                    (
                        tenant.tenant.id, uuid4(), caller, tenant.assistant.id,
                        "nothing_found" if turn % 19 == 3 else "answered", Jsonb(event), at,
                    ),
                )  # fmt: skip


def seed_evaluation(site: Site) -> None:
    """Two runs, of which the later one lost a little and failed a scenario."""
    folder = site.stack.services.settings.evaluations
    assert folder is not None, "the stage sets it"
    for days, shift in ((7, 0.0), (0, -0.021)):
        figures = {
            name: Figure(value=value + shift, low=value + shift - 0.03, high=value + shift + 0.03,
                         count=120)
            for name, value in (("recall.r10", 0.812), ("recall.ndcg10", 0.671),
                                ("answer.right", 0.884), ("memory.precision", 0.931))
        }  # fmt: skip
        played = tuple(
            ScenarioResult(
                id=f"s{number}",
                title=title,
                language="ko",
                kind="seed",
                turns=12,
                asked=(_asked(title, number == 0 and not days),),
            )
            for number, title in enumerate(("이사한 뒤의 주소", "땅콩 알레르기", "예산 변경"))
        )
        at = datetime.now(UTC) - timedelta(days=days)
        save(Run(kind="offline", at=at, version="1", figures=figures, played=played), folder)


def _asked(title: str, missed: bool) -> QueryResult:
    return QueryResult(
        query=f"{title}, 지금은 어떻지?",
        alone=None,
        with_recall=None,
        tokens_alone=0,
        tokens_with_recall=0,
        seconds=0.1,
        expects=("새 주소",) if missed else (),
    )


FOLDER.mkdir(parents=True, exist_ok=True)


async def shoot(page: Any, name: str) -> None:
    await page.wait_for_timeout(250)
    await page.screenshot(path=FOLDER / f"{name}.png")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("device", ["desk", "phone"])
async def test_pictures(
    signed_in: SignedIn,
    site: Site,
    language: Literal["ko", "en"],
    theme: Literal["light", "dark"],
    device: Literal["desk", "phone"],
) -> None:
    user = f"하늘-{language}-{theme}-{device}"
    await seed(site, user, language)
    if not site.keys.get("used"):
        seed_usage(site)
        seed_evaluation(site)
        await site.assistant("무쇠 · 장비 정비", MECHANIC)
        site.keys["used"] = "yes"
    options = {
        "viewport": DESK if device == "desk" else PHONE,
        "color_scheme": theme,
        "device_scale_factor": 2 if device == "phone" else 1,
    }
    tail = f"{language}-{theme}-{device}"
    page = await signed_in(user, "/chat", language, **options)
    await shoot(page, f"start-{tail}")
    await page.locator(".switch summary").click()
    await shoot(page, f"switch-{tail}")
    await page.keyboard.press("Escape")
    told, question = QUESTION[language]
    first = await ask(page, told)
    await first.locator(".remembered:not(:empty)").wait_for(timeout=20_000)
    await shoot(page, f"remembered-{tail}")
    turn = await ask(page, question)
    await shoot(page, f"chat-{tail}")
    await turn.locator(".cite").first.click()
    await page.locator("#drawer .cited").wait_for()
    await shoot(page, f"cited-{tail}")
    await page.keyboard.press("Escape")
    await turn.locator("[data-act=why]").click()
    await page.locator("#drawer .span").first.wait_for()
    await shoot(page, f"why-{tail}")
    await page.keyboard.press("Escape")
    await page.locator(".composer textarea").fill(question)
    await page.locator("[data-act=preview]").click()
    await page.locator("#drawer .block").first.wait_for()
    await shoot(page, f"preview-{tail}")
    await page.locator(".composer textarea").fill("")
    await page.keyboard.press("Escape")
    if device == "phone":
        await page.locator(".talk-bar .only-small").click()
        await shoot(page, f"conversations-{tail}")
    await page.goto(f"{site.url}/memory")
    await page.locator("article [hx-get$='/edit']").first.click()
    await page.locator("article textarea").wait_for()
    await shoot(page, f"edit-{tail}")
    for name, path in (
        ("memory", "/memory"),
        ("library", "/library"),
        ("search", "/library/search?query=EC2 할인"),
        ("document", "/library/document?id=guide-001"),
        ("usage", "/usage"),
        ("evaluation", "/evaluation"),
        ("admin", "/admin"),
    ):
        await page.goto(site.url + path)
        await shoot(page, f"{name}-{tail}")
    await page.context.clear_cookies()
    await page.goto(f"{site.url}/sign-in")
    await shoot(page, f"sign-in-{tail}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", ["desk", "phone"])
async def test_pictures_of_the_widget(
    browser: Any, site: Site, theme: Literal["light", "dark"], device: Literal["desk", "phone"]
) -> None:
    async with hosted(site) as host:
        size = DESK if device == "desk" else PHONE
        context, page = await opened(browser, host, viewport=size, color_scheme=theme)
        await page.locator(".composer textarea").fill(QUESTION["ko"][1])
        await page.locator(".composer textarea").press("Enter")
        await page.locator(".source").first.wait_for()
        await shoot(page, f"widget-ko-{theme}-{device}")
        await context.close()
