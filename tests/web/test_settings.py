"""The settings in a browser: keys, people, assistants, limits, usage, audit, and who sees them."""

import asyncio
import re
from typing import Any

import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles.providers import BrokenProvider, ProviderMode, ToolUse
from saegim.domain.scope import Role
from saegim.llm.connections.discovery import ModelServer
from tests.web.accessibility import findings
from tests.web.browser_fixture import MECHANIC, Site
from tests.web.conftest import SignedIn

playwright = pytest.importorskip("playwright.async_api")
expect = playwright.expect
pytestmark = pytest.mark.requirement("CH3")

PHONE = {"width": 390, "height": 844}
SECTIONS = (
    "models", "assistants", "sources", "channels", "people", "limits", "usage", "quality", "audit",
    "keys", "account",
)  # fmt: skip


async def _create_key(page: Any, name: str) -> Any:
    """Fills the dialog of a new key and sends it; returns the dialog."""
    await page.get_by_role("button", name="키 만들기").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름", exact=True).fill(name)
    await dialog.get_by_role("button", name="만들기", exact=True).click()
    return dialog


@pytest.mark.bug(4)
async def test_a_secret_is_shown_once_and_never_after_a_refused_key(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("비밀", "/settings/keys")
    dialog = await _create_key(page, "first")
    secret = await dialog.get_by_role("group", name="first 비밀 값").locator("code").inner_text()
    headers = {"Authorization": f"Bearer {secret}"}
    used = await site.stack.http.get("/v1/me", headers=headers)
    await dialog.get_by_role("button", name="완료").click()

    await page.get_by_role("button", name="키 만들기").click()
    roles = (
        await dialog.get_by_label("역할")
        .locator("option")
        .evaluate_all("all => all.map(one => one.value)")
    )
    await page.route(
        "**/v1/keys",
        lambda route: route.fulfill(
            status=403,
            content_type="application/problem+json",
            body='{"code": "denied", "title": "권한이 없습니다.", "status": 403}',
        ),
    )
    await dialog.get_by_label("이름", exact=True).fill("second")
    await dialog.get_by_role("button", name="만들기", exact=True).click()
    await dialog.get_by_text("권한이 없습니다.").wait_for()

    assert used.status_code == 200
    assert "owner" not in roles
    assert "auditor" not in roles
    assert secret not in await page.content()
    await expect(dialog.get_by_label("이름", exact=True)).to_have_value("second")


@pytest.mark.bug(19)
async def test_the_key_in_use_cannot_be_revoked(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("쓰는이", "/settings/keys")
    row = page.get_by_role("row", name=re.compile("이 브라우저"))
    await row.get_by_role("button", name=re.compile("작업")).click()
    revoke = page.get_by_role("menuitem", name="지금 사용 중이라 폐기할 수 없음")
    await expect(revoke).to_be_disabled()
    headers = {"Authorization": f"Bearer {await site.key('쓰는이')}"}
    keys = (await site.stack.http.get("/v1/keys", headers=headers)).json()
    [own] = [key["key_id"] for key in keys if key["current"]]
    refused = await site.stack.http.delete(f"/v1/keys/{own}", headers=headers)

    assert refused.status_code == 409


@pytest.mark.bug(18)
async def test_a_draft_is_saved_published_and_rolled_back(signed_in: SignedIn, site: Site) -> None:
    assistant = await site.assistant("길잡이", "길을 안내합니다.")
    page = await signed_in("편집", f"/settings/assistants/{assistant}")
    publish = page.get_by_role("button", name="게시", exact=True)
    save = page.get_by_role("button", name="초안 저장")
    # Without a draft there is nothing to publish.
    await expect(publish).to_be_disabled()
    await (
        page.get_by_label("성격과 말투")
        .or_(page.get_by_label("페르소나"))
        .or_(page.locator("textarea").first)
        .first.fill("길을 아주 짧게 안내합니다.")
    )
    await save.click()
    await page.get_by_text("초안을 저장했습니다. 게시하면 적용됩니다.").wait_for()
    await publish.click()
    await page.get_by_text("게시했습니다. 지금 사용하는 버전은 2입니다.").wait_for()
    await expect(publish).to_be_disabled()
    await page.get_by_role("button", name="더보기").click()
    await page.get_by_role("menuitem", name="버전").click()
    await page.get_by_role("button", name="다시 게시").click()
    await page.get_by_text("다시 게시했습니다. 지금 사용하는 버전은 1입니다.").wait_for()
    await expect(page.locator("textarea").first).to_have_value("길을 안내합니다.")
    assert page.errors == []


async def test_the_draft_answers_in_the_test_chat(signed_in: SignedIn, site: Site) -> None:
    assistant = await site.assistant("시험대", "평범하게 답합니다.")
    page = await signed_in("시험", f"/settings/assistants/{assistant}")
    await page.locator("textarea").first.fill(MECHANIC)
    log = page.get_by_role("log")
    await page.get_by_label("테스트 질문").fill("센서가 이상해요")
    await page.keyboard.press("Enter")
    await log.get_by_text("무쇠가 답합니다").wait_for()
    assert await sessions_of(site, "시험") == []
    path = f"/v1/assistants/{assistant}/versions"
    versions = await site.stack.http.get(path, headers=site.stack.headers("admin"))

    await page.get_by_role("button", name="처음부터 다시").click()
    async with asyncio.timeout(60):
        while await sessions_of(site, "시험"):
            await asyncio.sleep(0.1)
    # What was tried is the draft; nothing was published.
    assert [(each["state"], each["content"]["persona"]) for each in versions.json()] == [
        ("draft", MECHANIC),
        ("published", "평범하게 답합니다."),
    ]
    assert page.errors == []


async def sessions_of(site: Site, user: str) -> list[Any]:
    headers = {"Authorization": f"Bearer {await site.key(user)}"}
    return (await site.stack.http.get("/v1/sessions", headers=headers)).json()["sessions"]


async def test_an_assistant_gets_a_model_of_its_own(signed_in: SignedIn, site: Site) -> None:
    assistant = await site.assistant("모델 고르기", "답합니다.")
    connection = {"provider": "openai", "api_key": "sk-test", "name": "큰 모델", "roles": ["judge"]}
    headers = site.stack.headers("admin")
    added = await site.stack.http.post("/v1/model-connections", json=connection, headers=headers)
    identifier = added.json()["connection_id"]
    page = await signed_in("모델", f"/settings/assistants/{assistant}")
    await page.get_by_label("답변에 쓰는 모델").select_option("큰 모델")
    await page.get_by_label("모델 이름").fill("gpt-large")
    await page.get_by_role("button", name="게시", exact=True).click()
    await page.get_by_text("게시했습니다. 지금 사용하는 버전은 2입니다.").wait_for()
    path = f"/v1/assistants/{assistant}/versions"
    [published, _] = (await site.stack.http.get(path, headers=headers)).json()
    await site.stack.http.delete(f"/v1/model-connections/{identifier}", headers=headers)
    await page.reload()
    await page.get_by_text("이 모델의 연결이 삭제되어 기본 모델이 답합니다.").wait_for()

    assert published["content"]["config"]["model"] == {
        "connection_id": identifier,
        "model": "gpt-large",
    }


async def test_a_connected_model_without_tools_is_shown_as_one(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("도구", "/settings/models", role=Role.OWNER)
    # The model's server is the test's own.
    with override_allow_model_requests(True):
        async with BrokenProvider(text="ok") as provider:
            provider.structured, provider.tools = '{"answer": "OK"}', ToolUse.HTTP_400
            await page.get_by_role("button", name="제공자 연결").first.click()
            dialog = page.get_by_role("dialog")
            await dialog.get_by_role("radio", name=re.compile("OpenAI 호환 서버")).check()
            await dialog.get_by_label("주소", exact=True).fill(provider.base_url)
            await dialog.get_by_label("모델", exact=True).fill("gemma3")
            await dialog.get_by_role("button", name="테스트", exact=True).click()
            await dialog.get_by_text("도구 사용: 불가").wait_for()
            await dialog.get_by_text("턴 1,000개의 예상 비용: $0.00").wait_for()
            await dialog.get_by_role("button", name="연결", exact=True).click()
            await dialog.wait_for(state="hidden")
    await expect(page.locator("table").get_by_text("도구 사용: 불가")).to_have_count(2)
    headers = site.stack.headers("admin")
    listed = (await site.stack.http.get("/v1/model-connections", headers=headers)).json()
    [made] = listed["connections"]
    path = f"/v1/model-connections/{made['connection_id']}"
    await site.stack.http.delete(path, headers=headers)

    assert made["without_tools"] == ["gemma3"]
    assert page.errors == []


async def test_a_model_found_on_the_machine_is_connected_with_one_click(
    signed_in: SignedIn, site: Site
) -> None:
    # The model's server is the test's own.
    with override_allow_model_requests(True):
        async with BrokenProvider(text="ok") as provider:
            provider.structured, provider.models = '{"answer": "OK"}', ("nomic-embed", "qwen2.5:7b")
            site.model_servers.append(ModelServer("Ollama", "ollama", provider.base_url))
            page = await signed_in("찾음", "/settings/models", role=Role.OWNER)
            found = page.get_by_role("note").filter(has_text="이 컴퓨터에서 찾았습니다")
            await expect(found).to_contain_text("Ollama · qwen2.5:7b")
            provider.mode = ProviderMode.HTTP_500
            await found.get_by_role("button", name="Ollama 연결").click()
            await page.get_by_role("alert").wait_for()
            provider.mode = ProviderMode.OK
            await found.get_by_role("button", name="Ollama 연결").click()
            await expect(found).to_have_count(0)
            site.model_servers.clear()
    await page.get_by_role("heading", name="Ollama", exact=True).wait_for()
    headers = site.stack.headers("admin")
    listed = (await site.stack.http.get("/v1/model-connections", headers=headers)).json()
    [made] = listed["connections"]
    path = f"/v1/model-connections/{made['connection_id']}"
    await site.stack.http.delete(path, headers=headers)

    assert made["base_url"] == provider.base_url


@pytest.mark.bug(18)
async def test_the_first_assistant_can_be_edited(signed_in: SignedIn, site: Site) -> None:
    first = site.stack.tenant.assistant
    page = await signed_in("첫편집", f"/settings/assistants/{first.id}")
    await page.get_by_role("heading", name=first.name).wait_for()
    await expect(page.locator("textarea").first).to_have_value(first.persona)


async def test_two_editors_do_not_overwrite_each_other(signed_in: SignedIn, site: Site) -> None:
    assistant = await site.assistant("함께 고침", "함께 고칩니다.")
    path = f"/settings/assistants/{assistant}"
    first, second = await signed_in("먼저", path), await signed_in("나중", path)
    save = {"name": "초안 저장"}
    await second.locator("textarea").first.fill("나중 사람의 말투입니다.")
    await first.locator("textarea").first.fill("먼저 사람의 말투입니다.")
    await first.get_by_role("button", **save).click()
    await first.get_by_text("초안을 저장했습니다. 게시하면 적용됩니다.").wait_for()
    await second.get_by_role("button", **save).click()
    await second.get_by_text("그사이 다른 사람이 이 어시스턴트를 변경했습니다.").wait_for()
    await second.get_by_role("button", name="다시 불러오기").click()
    await expect(second.locator("textarea").first).to_have_value("먼저 사람의 말투입니다.")
    await second.locator("textarea").first.fill("둘이 정한 말투입니다.")
    await second.get_by_role("button", name="게시", exact=True).click()
    await second.get_by_text("게시했습니다. 지금 사용하는 버전은 2입니다.").wait_for()


async def test_a_taken_name_is_refused_in_words(signed_in: SignedIn, site: Site) -> None:
    await site.assistant("이미 있음", "이미 있습니다.")
    page = await signed_in("겹침", "/settings/assistants")
    await page.get_by_role("button", name="새 어시스턴트").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름", exact=True).fill("이미 있음")
    await dialog.locator("textarea").fill("또 있습니다.")
    await dialog.get_by_role("button", name="만들기", exact=True).click()
    said = await dialog.get_by_role("alert").inner_text()

    assert "이름" in said
    assert "저장된 내용과" not in said


async def test_an_invited_person_signs_in_with_the_link(
    signed_in: SignedIn, site: Site, browser: Any
) -> None:
    page = await signed_in("초대자", "/settings/people")
    await page.get_by_role("button", name="초대하기").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이메일 주소").fill("new@example.com")
    await dialog.get_by_role("button", name="링크 만들기").click()
    link = await dialog.get_by_role("group", name="초대 링크").locator("code").inner_text()
    await dialog.get_by_role("button", name="완료").click()
    await page.get_by_role("tab", name=re.compile("초대")).click()
    await page.get_by_role("cell", name="new@example.com").wait_for()
    other = await browser.new_context(locale="ko-KR")
    theirs = await other.new_page()
    await theirs.goto(re.sub("^https?://[^/]+", site.url, link))
    await theirs.get_by_label("비밀번호", exact=True).fill("a long password")
    await (
        theirs.get_by_label(re.compile("비밀번호 (확인|다시)"))
        .or_(theirs.locator("#again"))
        .first.fill("a long password")
    )
    await theirs.locator("button[type=submit]").click()
    await theirs.wait_for_url("**/chat**")
    await theirs.goto(f"{site.url}/settings")
    await theirs.get_by_role("heading", name="계정").wait_for()
    await expect(theirs.get_by_label("현재 비밀번호")).to_be_visible()
    await other.close()

    assert link not in await page.content()


async def test_a_member_sees_the_own_account_only(signed_in: SignedIn, site: Site) -> None:
    await site.key("보통", Role.MEMBER)
    page = await signed_in("보통", "/admin")
    await page.wait_for_url("**/settings")
    await page.get_by_role("heading", name="계정").wait_for()
    names = await page.get_by_role("navigation", name="설정").get_by_role("link").all_inner_texts()
    await page.goto(f"{site.url}/settings/keys")
    await (
        page.get_by_text("없는 페이지입니다")
        .or_(page.get_by_role("heading", level=2))
        .first.wait_for()
    )

    assert names == ["계정"]
    assert await page.get_by_role("button", name="키 만들기").count() == 0


async def test_failed_work_is_shown_in_words_and_tried_again(
    signed_in: SignedIn, site: Site
) -> None:
    site.stack.job("failed", "watch_turn")
    page = await signed_in("운영", "/settings/usage")
    row = page.get_by_role("row", name=re.compile("답변 마무리"))
    await row.get_by_role("button", name="다시 시도").click()
    await page.get_by_text("실패한 작업이 없습니다.").wait_for()
    assert page.errors == []


async def test_usage_has_charts_and_the_same_as_a_table(signed_in: SignedIn, site: Site) -> None:
    headers = {"Authorization": f"Bearer {await site.key('통계')}"}
    body = {"message": "EC2 비용을 줄이려면?"}
    asked = await site.stack.http.post("/v1/chat", json=body, headers=headers)
    assert asked.status_code == 200, asked.text
    page = await signed_in("통계", "/settings/usage")
    chart = page.get_by_role("img", name="질문")
    await chart.wait_for()
    bars = await chart.locator("rect.bar").count()
    await page.get_by_role("button", name="7일").click()
    await expect(chart.locator("rect.bar")).to_have_count(7)
    await page.get_by_role("button", name="표로 보기").click()
    rows = await page.get_by_role("group", name="일별").get_by_role("row").count()

    assert (bars, rows) == (30, 8)
    assert page.errors == []


async def test_the_audit_trail_has_words_and_its_chain_is_verified(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("감사", "/settings/audit")
    trail = page.get_by_role("group", name="감사 기록")
    await trail.get_by_role("row").nth(1).wait_for()
    cells = await trail.get_by_role("row").evaluate_all(
        "rows => rows.slice(1).map(row => row.cells[1].innerText + row.cells[2].innerText)"
    )
    await page.get_by_role("button", name="기록 사슬 검증").click()
    await page.get_by_text(re.compile("기록 사슬이 온전합니다")).wait_for()

    assert not [text for text in cells if "_" in text or "기타 변경" in text]


async def test_an_erasure_is_shown_with_its_receipt(signed_in: SignedIn, site: Site) -> None:
    await site.remember("지움", "혈액형은 AB형이다")
    leaving = {"Authorization": f"Bearer {await site.key('지움')}"}
    member = (await site.stack.http.get("/v1/me", headers=leaving)).json()["user_id"]
    body, admin = {"member_id": member, "reason": "메일로 요청"}, site.stack.headers("eraser")
    asked = await site.stack.http.post("/v1/erasures", json=body, headers=admin)
    assert asked.status_code == 202, asked.text
    page = await signed_in("삭제담당", "/settings/audit")
    receipt = page.get_by_role("button", name="삭제 확인서")
    async with asyncio.timeout(180):
        while await receipt.count() == 0:
            await asyncio.sleep(0.5)
            await page.get_by_role("button", name="새로 고침").click()
    await receipt.first.click()
    shown = await page.get_by_role("dialog").inner_text()

    assert "AB형" not in shown
    assert asked.json()["erasure_id"] in shown


async def test_limits_are_set_in_words(signed_in: SignedIn, site: Site) -> None:
    page = await signed_in("한도", "/settings/limits")
    field = page.get_by_label("30일 비용(달러)").last
    await field.fill("x")
    await page.get_by_role("button", name="저장").click()
    await page.get_by_text("0보다 큰 숫자를 입력하거나").wait_for()
    await field.fill("5000")
    await page.get_by_role("button", name="저장").click()
    await page.get_by_text("한도를 저장했습니다").wait_for()
    limits = (await site.stack.http.get("/v1/limits", headers=site.stack.headers("admin"))).json()

    budget = {"subject": "tenant", "resource": "microdollars"}
    assert [each["most"] for each in limits if budget.items() <= each.items()] == [5_000_000_000]


@pytest.mark.parametrize(
    ("language", "theme", "options"),
    [("ko", "light", {}), ("en", "dark", {"viewport": PHONE, "has_touch": True})],
)
async def test_no_section_has_a_finding_of_axe(
    signed_in: SignedIn, site: Site, language: str, theme: str, options: dict[str, Any]
) -> None:
    assistant = await site.assistant(f"axe {theme}", "친절합니다.")
    page = await signed_in(f"axe {theme}", "/settings", language, color_scheme=theme, **options)
    seen: dict[str, Any] = {}
    for name in (*SECTIONS, f"assistants/{assistant}"):
        await page.goto(f"{site.url}/settings/{name}")
        await page.locator("main h1").first.wait_for()
        await expect(page.get_by_role("status", name=re.compile("불러오|Loading"))).to_have_count(0)
        found = await findings(page)
        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if found or wide > 0:
            seen[name] = wide, found
    assert seen == {}
