"""A server is set up in the browser: from an empty database to a member who gets cited answers, and
an evaluation. The test uses pages only, never the API."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import docx
import psycopg
import pytest
from pydantic_ai.models import override_allow_model_requests

from benchmarks.doubles import patience
from benchmarks.doubles.providers import BrokenProvider, ProviderMode
from benchmarks.idle import until_idle
from saegim.app.container import Services
from saegim.web.app import create_site
from tests.integration.sources.site import Site, running
from tests.stack import Databases, open_services, served
from tests.web.browser_fixture import GUIDE, PATIENCE
from tests.web.talking import ask, settled

playwright = pytest.importorskip("playwright.async_api")
expect = playwright.expect
pytestmark = pytest.mark.requirement("CH8")

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PASSWORD = "a long password"
ANSWER = "예약 인스턴스는 최대 72% 할인을 받습니다 [1]."
SUPPORT = "지원 시간은 평일 9시부터 18시까지입니다 [1]."
CONTRACT = "# 계약 안내\n\n## 해지\n\n계약은 30일 전에 서면으로 알리면 해지할 수 있습니다.\n"
WARRANTY = "무상 보증 기간은 구매일부터 18개월입니다."
WARRANTY_ANSWER = "무상 보증 기간은 구매일부터 18개월입니다 [1]."
LOOPBACK = {
    "model_private_networks": ["127.0.0.0/8"],
    "sources_private_networks": ["127.0.0.0/8"],
}


@contextlib.asynccontextmanager
async def _worker(services: Services) -> AsyncIterator[None]:
    worker = services.worker(patience.PATIENT_WORKER)
    task = asyncio.create_task(worker.run())
    try:
        yield
    finally:
        worker.stop()
        await asyncio.wait_for(task, 120)


@pytest.fixture
async def empty(databases: Databases) -> AsyncIterator[tuple[Services, str]]:
    """A running site on a database without tenants, and its address."""
    with psycopg.connect(databases.admin_url, autocommit=True) as admin:
        admin.execute("delete from saegim.set_up_code")
        admin.execute("update saegim.embedder_use set indexes = 0")
    async with (
        open_services(databases, settings=LOOPBACK) as services,
        served(services, create_site) as http,
        _worker(services),
    ):
        await services.warm_up()
        # The model's server is the test's own.
        with override_allow_model_requests(True):
            yield services, str(http.base_url).rstrip("/")


@pytest.fixture
async def visitor(browser: Any) -> AsyncIterator[Any]:
    """Opens pages of people, each in a browser of their own."""
    contexts: list[Any] = []

    async def new_page() -> Any:
        context = await browser.new_context(locale="ko-KR", reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        return await context.new_page()

    yield new_page
    for context in contexts:
        await context.close()


async def test_a_server_is_set_up_in_the_browser(empty: tuple[Services, str], visitor: Any) -> None:
    services, url = empty
    code = await services.auth.set_up.new_code()
    page, theirs = await visitor(), await visitor()
    async with BrokenProvider(text=WARRANTY_ANSWER) as provider, running(Site()) as website:
        website.put("/support", "고객 지원", "고객 지원 시간은 평일 9시부터 18시까지입니다.")
        await _create_administrator(page, url, code)
        await _connect_model(page, provider)
        await _add_documents(page)
        await until_idle(services)
        await _asks_the_first_question(page, provider)
        provider.text, provider.mode = ANSWER, ProviderMode.OK
        await _fill_collection(page, url, "제품", "guide.md", GUIDE)
        await _fill_collection(page, url, "계약", "contract.md", CONTRACT)
        await _make_assistant(page, url)
        await _add_source(page, url, f"{website.url}/support")
        await until_idle(services)
        await _member_signs_in(theirs, await _invite(page, url))
        await _choose_assistant(theirs)
        await _gets_a_cited_answer(
            theirs, "예약 인스턴스는 얼마나 할인돼?", "72%", "EC2 비용 절감 안내서"
        )
        provider.text = SUPPORT
        # The markers of a conversation count on.
        await theirs.get_by_role("link", name="새 대화").first.click()
        await _choose_assistant(theirs)
        await _gets_a_cited_answer(theirs, "고객 지원 시간은 언제야?", "18시", "고객 지원")
        provider.text = ANSWER
        await _set_limits(page, url)
        await _sees_the_usage(page, url)
        await _evaluates(page, url)


async def test_a_correction_reaches_the_owner_and_becomes_the_answer(
    empty: tuple[Services, str], visitor: Any
) -> None:
    services, url = empty
    page, theirs = await visitor(), await visitor()
    await _create_administrator(page, url, await services.auth.set_up.new_code())
    await _member_signs_in(theirs, await _invite(page, url))
    question, right = "사내 헬스장은 몇 층에 있나요?", "사내 헬스장은 지하 2층에 있습니다."
    turn = await ask(theirs, question)
    await turn.get_by_role("button", name="아쉬운 답변").click()
    await turn.get_by_placeholder("어떤 답변이 맞았을까요?").fill(right)
    await turn.get_by_text("편집자와 관리자가 이 질문과 여기에 쓴 내용을 이름 없이").wait_for()
    await page.goto(f"{url}/settings/quality")
    await page.get_by_role("button", name="FAQ 추가").wait_for()
    await expect(page.get_by_text(question)).to_have_count(0)
    await turn.get_by_role("button", name="관리자에게 이 질문 보내기").click()
    await turn.get_by_text("관리자에게 보냈습니다.").wait_for()
    await theirs.reload()
    await theirs.get_by_text("관리자에게 보냈습니다.").wait_for()

    await page.reload()
    row = page.get_by_role("listitem").filter(has_text=question)
    await expect(row).to_contain_text(right)
    await row.get_by_role("button", name="답변 작성").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_label("답변", exact=True)).to_have_value(right)
    await dialog.get_by_role("button", name="저장", exact=True).click()
    await expect(row).to_have_count(0)
    await _is_ready(page, url, question)
    await until_idle(services)
    again = await ask(theirs, question)
    await expect(again.locator(".answer")).to_contain_text("지하 2층")

    await page.goto(f"{url}/settings/quality")
    await page.get_by_role("button", name="FAQ 추가").click()
    await dialog.get_by_label("질문", exact=True).fill("사내 수영장은 언제 여나요?")
    await dialog.get_by_label("답변", exact=True).fill("사내 수영장은 오전 6시에 엽니다.")
    await dialog.get_by_role("button", name="저장", exact=True).click()
    await expect(dialog).to_have_count(0)
    await _is_ready(page, url, "사내 수영장은 언제 여나요?")


async def _is_ready(page: Any, url: str, title: str) -> None:
    await page.goto(f"{url}/library")
    row = page.get_by_role("row").filter(has_text=title)
    await row.get_by_text("준비됨").wait_for()


async def _create_administrator(page: Any, url: str, code: str) -> None:
    await page.goto(f"{url}/set-up?code={code}")
    await page.locator("#organisation").fill("새 상사")
    await page.locator("#name").fill("김주인")
    await page.locator("#email").fill("boss@example.com")
    await page.locator("#password").fill(PASSWORD)
    await page.locator("#again").fill(PASSWORD)
    await page.locator("button[type=submit]").last.click()
    await page.wait_for_url("**/welcome")


async def _connect_model(page: Any, provider: BrokenProvider) -> None:
    await page.get_by_role("radio", name=re.compile("OpenAI 호환 서버")).check()
    await page.get_by_label("주소", exact=True).fill(provider.base_url)
    await page.get_by_role("button", name="모델 목록").click()
    await expect(page.get_by_label("모델", exact=True)).to_have_value("loopback")
    await page.get_by_role("button", name="연결", exact=True).click()
    await page.get_by_role("heading", name="문서 추가").wait_for()


async def _add_documents(page: Any) -> None:
    file = {"name": "보증 안내.docx", "mimeType": DOCX, "buffer": _old_document(WARRANTY)}
    await page.locator("input[type=file]").set_input_files([file])
    await page.get_by_text(re.compile("구절 [0-9]+개")).wait_for()
    await page.get_by_role("button", name="다음").click()
    await page.get_by_label("첫 질문").wait_for()


def _old_document(text: str) -> bytes:
    document = docx.Document()
    document.add_heading("보증 안내", level=1)
    document.add_paragraph(text)
    document.core_properties.modified = datetime(2013, 1, 27, tzinfo=UTC)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


async def _asks_the_first_question(page: Any, provider: BrokenProvider) -> None:
    """The answer is streamed with the source, which is stale, before it is complete."""
    provider.mode = ProviderMode.SLOW
    streams: list[str] = []
    page.on("request", lambda sent: streams.append(f"{sent.method} {sent.url}"))
    await page.get_by_label("첫 질문").fill("무상 보증 기간은 얼마나 되나요?")
    await page.get_by_role("button", name="질문하기").click()
    turn = page.locator(".turn").first
    await turn.locator(".answer").get_by_text("무상 보증").wait_for()
    await settled(page)
    await expect(turn.locator(".answer")).to_contain_text("18개월")
    await turn.locator(".cite").first.click()
    panel = page.get_by_role("dialog").or_(page.get_by_role("complementary"))
    await expect(panel.filter(has_text="마지막 수정 2013").first).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_text("연결된 모델이 없어")).to_have_count(0)
    # A stream that breaks is read again.
    assert not [each for each in streams if each.startswith("GET") and "/events" in each]


async def _fill_collection(page: Any, url: str, name: str, file: str, text: str) -> None:
    await page.goto(f"{url}/library")
    await page.get_by_role("button", name="새 컬렉션").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름", exact=True).fill(name)
    await dialog.get_by_role("button", name="저장", exact=True).click()
    await page.get_by_label("업로드 위치").select_option(name)
    files = [{"name": file, "mimeType": "text/markdown", "buffer": text.encode()}]
    await page.get_by_label("업로드할 파일").set_input_files(files)
    await page.get_by_role("status").get_by_text("파일 1개 준비됨").wait_for()


async def _make_assistant(page: Any, url: str) -> None:
    await page.goto(f"{url}/settings/assistants")
    await page.get_by_role("button", name="새 어시스턴트").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름", exact=True).fill("안내")
    await dialog.locator("textarea").fill("짧게 답합니다.")
    await dialog.get_by_role("button", name="만들기", exact=True).click()
    await page.get_by_role("checkbox", name="계약").check()
    await page.get_by_role("checkbox", name="제품").check()
    await page.get_by_role("button", name="게시", exact=True).click()
    await page.get_by_text("게시했습니다. 지금 사용하는 버전은 2입니다.").wait_for()


async def _add_source(page: Any, url: str, address: str) -> None:
    await page.goto(f"{url}/settings/sources")
    await page.get_by_role("button", name="데이터 소스 추가").first.click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("radio", name=re.compile("개별 페이지")).check()
    await dialog.get_by_label("주소", exact=True).fill(address)
    await dialog.get_by_role("button", name="다음").click()
    await dialog.get_by_label("컬렉션").select_option("제품")
    await dialog.get_by_role("button", name="데이터 소스 추가").click()
    await page.get_by_role("heading", name=address).wait_for()
    await page.get_by_text("최신 상태").wait_for()


async def _invite(page: Any, url: str) -> str:
    await page.goto(f"{url}/settings/people")
    await page.get_by_role("button", name="초대하기").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이메일 주소").fill("member@example.com")
    await dialog.get_by_role("button", name="링크 만들기").click()
    link = await dialog.get_by_role("group", name="초대 링크").locator("code").inner_text()
    return re.sub("^https?://[^/]+", url, link)


async def _member_signs_in(page: Any, link: str) -> None:
    await page.goto(link)
    await page.locator("#password").fill(PASSWORD)
    await page.locator("#again").fill(PASSWORD)
    await page.locator("button[type=submit]").last.click()
    await page.wait_for_url("**/chat**")
    await page.get_by_role("textbox", name="메시지를 입력하세요").wait_for()


async def _choose_assistant(page: Any) -> None:
    await page.locator("header").get_by_role("button", expanded=False).first.click()
    async with page.expect_navigation(url=re.compile("/chat$")):
        await page.get_by_role("menuitemradio", name="안내").click()


async def _gets_a_cited_answer(page: Any, question: str, word: str, source: str) -> None:
    turn = await ask(page, question)
    await expect(turn.locator(".answer")).to_contain_text(word)
    await turn.locator(".cite").first.click()
    panel = page.get_by_role("dialog").or_(page.get_by_role("complementary"))
    await expect(panel.filter(has_text=source).first).to_be_visible()
    await page.keyboard.press("Escape")


async def _set_limits(page: Any, url: str) -> None:
    await page.goto(f"{url}/settings/limits")
    person = page.get_by_role("region", name="구성원별")
    await person.get_by_label("분당 요청 수").fill("300")
    await page.get_by_role("button", name="저장", exact=True).click()
    await page.get_by_text("한도를 저장했습니다. 지금부터 적용됩니다.").wait_for()
    await page.reload()
    await expect(person.get_by_label("분당 요청 수")).to_have_value("300")


async def _sees_the_usage(page: Any, url: str) -> None:
    await page.goto(f"{url}/settings/usage")
    asked = page.locator("dl > div").filter(has_text="질문").locator("dd").first
    await expect(asked).to_have_text("3")
    await page.get_by_role("tab", name="구성원").click()
    await page.get_by_role("cell", name=re.compile("member@example.com")).wait_for()
    await page.get_by_label("어시스턴트", exact=True).select_option("안내")
    await expect(asked).to_have_text("2")


async def _evaluates(page: Any, url: str) -> None:
    await page.goto(f"{url}/settings/quality")
    await page.get_by_label("어시스턴트", exact=True).select_option("안내")
    questions = "예약 인스턴스는 얼마나 할인돼? | 72%\n계약은 언제까지 해지해야 해? | 두 달"
    await page.get_by_label("질문", exact=True).fill(questions)
    await page.get_by_role("button", name="평가 실행").click()
    await page.get_by_text("2개 중 1개 정답").wait_for()
    await page.get_by_role("button", name="보고서 보기").click()
    report = page.get_by_role("listitem").filter(has_text="계약은 언제까지")
    await expect(report.get_by_text("오답").last).to_be_visible()
