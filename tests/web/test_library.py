"""The library in a browser: documents are uploaded, filtered, opened, read and removed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest
from playwright.async_api import expect

from benchmarks.idle import until_idle
from saegim.domain.scope import Role
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

pytestmark = pytest.mark.requirement("CH3")

LEAVE = """---
id: leave-1
type: guide
title: 휴가 규정 2026
---
# 휴가 규정

연차 휴가는 입사 첫해에 15일이며, 남은 연차는 이듬해 3월까지 쓸 수 있습니다.
"""


def written(folder: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


async def choose(page: Any, files: list[Path]) -> Any:
    """Uploads files; returns the part of the page that shows their progress."""
    await page.get_by_label("업로드할 파일").set_input_files(files)
    return page.get_by_role("region", name="업로드").first


def row(page: Any, text: str) -> Any:
    return page.get_by_role("row").filter(has_text=text)


@pytest.mark.requirement("CH3")
async def test_an_uploaded_document_is_found_opened_and_removed(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    page = await signed_in("사서", "/library")
    progress = await choose(page, written(tmp_path, {"휴가 규정.md": LEAVE}))
    await progress.get_by_text("파일 1개 준비됨").wait_for()
    assert await progress.get_by_role("progressbar").count() == 0
    await row(page, "휴가 규정 2026").get_by_text("준비됨").wait_for()
    await until_idle(site.stack.services)

    await page.get_by_role("link", name="검색 테스트").first.click()
    await page.get_by_label("질문").fill("연차 며칠")
    await page.get_by_role("button", name="검색", exact=True).click()
    hit = page.get_by_role("article").filter(has_text="15일").first
    await hit.get_by_text("키워드").wait_for()
    await hit.get_by_role("link").click()
    await page.wait_for_url("**/library/documents/*?passage=*")
    await page.locator("[aria-current=true]", has_text="15일").wait_for()
    await page.get_by_role("button", name="추가 작업").click()
    await page.get_by_role("menuitem", name="삭제").click()
    await page.get_by_role("dialog").get_by_role("button", name="삭제").click()
    await page.wait_for_url(f"{site.url}/library")
    await row(page, "EC2 비용 절감 안내서").wait_for()
    assert await row(page, "휴가 규정 2026").count() == 0
    assert page.errors == []


@pytest.mark.bug(17)
async def test_refused_files_say_why_and_good_ones_appear_at_once(
    signed_in: SignedIn, tmp_path: Path
) -> None:
    files = written(
        tmp_path,
        {"표식.md": "# 표식\n\n파란 표식은 안전합니다.", "빈 파일.md": "", "그림.xyz": b"\x00\x01"},
    )
    page = await signed_in("올림", "/library")
    progress = await choose(page, files)
    await row(page, "표식").get_by_text("준비됨").wait_for()
    await progress.get_by_text("2개 실패").wait_for()
    shown = await progress.inner_text()
    assert "빈 파일입니다" in shown
    assert "unsupported" not in shown
    assert await page.get_by_role("alert").count() == 0, "failures are told once, in the list"


@pytest.mark.bug(16)
async def test_a_private_and_a_shared_file_of_one_name_are_told_apart(
    signed_in: SignedIn, tmp_path: Path
) -> None:
    [file] = written(tmp_path, {"같은 이름.md": "# 같은 이름\n\n함께 보는 글입니다."})
    page = await signed_in("겹침", "/library")
    await (await choose(page, [file])).get_by_text("파일 1개 준비됨").wait_for()
    file.write_text("# 같은 이름\n\n혼자 보는 글입니다.", "utf-8")
    await page.get_by_label("업로드 위치").select_option("나만 보기")
    await (await choose(page, [file])).get_by_text("파일 1개 준비됨").wait_for()
    both = row(page, "같은 이름")
    await both.nth(1).wait_for()
    assert await both.filter(has_text="나만 보기").count() == 1
    await both.filter(has_text="나만 보기").get_by_role("link").click()
    await page.get_by_text("혼자 보는 글입니다.").wait_for()
    await page.go_back()
    await both.filter(has_text="공용 문서").get_by_role("link").click()
    await page.get_by_text("함께 보는 글입니다.").wait_for()


async def test_several_documents_are_chosen_and_deleted(
    signed_in: SignedIn, tmp_path: Path
) -> None:
    names = ("묶음 하나", "묶음 둘")
    files = written(tmp_path, {f"{name}.md": f"# {name}\n\n{name} 글" for name in names})
    page = await signed_in("묶음", "/library?q=묶음")
    await (await choose(page, files)).get_by_text("파일 2개 준비됨").wait_for()
    # The row of a file may stay beside that of its document until the list is read again.
    await expect(page.locator("tbody tr")).to_have_count(2)
    await page.get_by_label("모든 문서 선택").check()
    await page.get_by_text("2개 선택됨").wait_for()
    await page.get_by_role("button", name="다시 색인").click()
    await page.get_by_text("문서를 다시 색인하고 있습니다").wait_for()
    await page.get_by_label("모든 문서 선택").check()
    await page.get_by_role("button", name="삭제", exact=True).click()
    await page.get_by_role("dialog").get_by_role("button", name="삭제").click()
    await page.get_by_text("조건에 맞는 문서가 없습니다.").wait_for()


@pytest.mark.bug(8)
async def test_a_document_of_20000_passages_opens_at_a_passage(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    [file] = written(tmp_path, {"아주 긴 글.txt": "아주 긴 글의 한 단락입니다."})
    page = await signed_in("긴글", "/library")
    await (await choose(page, [file])).get_by_text("파일 1개 준비됨").wait_for()
    await row(page, "아주 긴 글").get_by_role("link").click()
    await page.get_by_text("아주 긴 글의 한 단락입니다.").wait_for()
    passage = _enlarge(site, page.url.rpartition("/")[2], 20_000, at=12_345)

    await page.goto(f"{page.url}?passage={passage}")
    marked = page.locator("[aria-current=true]", has_text="찾는 단락")
    await marked.wait_for()
    await page.wait_for_function(
        "() => { const box = document.querySelector('.passage[aria-current=true]')"
        "?.getBoundingClientRect(); return box && box.top >= 0 && box.bottom <= innerHeight }"
    )
    shown = page.locator(".passage")
    assert await shown.count() < 500
    before = await shown.count()
    await page.locator("main").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    await page.wait_for_function(
        "before => document.querySelectorAll('.passage').length > before", arg=before
    )
    assert page.errors == []


def _enlarge(site: Site, document: str, count: int, at: int) -> str:
    """Gives a document many passages; returns the id of one of them."""
    with psycopg.connect(site.stack.databases.admin_url) as connection:
        connection.execute("set search_path to saegim, public")
        connection.execute(
            "insert into passage select p.tenant_id, gen_random_uuid(), p.document_id, "
            "p.section_id, i, case when i = %s then '찾는 단락' else p.text end, p.content_hash, "
            "p.tokens, p.has_steps, p.has_conditions, p.has_table, p.language, p.names "
            "from passage p, generate_series(1, %s - 1) as i where p.document_id = %s",
            (at, count, document),
        )
        connection.execute(
            "update document set passages = %s where document_id = %s", (count, document)
        )
        found = connection.execute(
            "select passage_id from passage where document_id = %s and ordinal = %s",
            (document, at),
        ).fetchone()
        assert found is not None
        return str(found[0])


@pytest.mark.bug(1)
async def test_a_file_attached_in_the_chat_is_what_the_answer_uses(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    file = tmp_path / "메모.md"
    file.write_text("# 메모\n\nEC2 서버는 매주 금요일에 끕니다.\n", "utf-8")
    page = await signed_in("첨부")
    await page.locator("input[type=file]").set_input_files(file)
    chips = page.get_by_role("list", name="메시지와 함께 보낼 항목")
    await chips.get_by_text("준비됨").wait_for()
    await until_idle(site.stack.services)
    turn = await ask(page, "EC2 서버는 언제 끄지?")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    await page.get_by_role("dialog").get_by_text("메모").first.wait_for()
    assert await chips.count() == 0, "sent with the message"


@pytest.mark.requirement("CH6")
async def test_a_chosen_document_is_the_one_that_is_answered_from(
    signed_in: SignedIn, site: Site
) -> None:
    page = await signed_in("고른문서", "/library/document?id=ts-501")
    await page.wait_for_url(f"{site.url}/library/documents/ts-501")
    await page.get_by_role("link", name="이 문서로 대화하기").click()
    chips = page.get_by_role("list", name="메시지와 함께 보낼 항목")
    await chips.get_by_text("SUPRA XP 센서 이상 조치").wait_for()
    turn = await ask(page, "EC2 비용 줄이는 방법?")
    await turn.get_by_role("button", name="왜 이렇게 답했나요?").click()
    why = page.get_by_role("dialog")
    await why.get_by_text("센서 이상 조치").first.wait_for()
    assert await why.get_by_text("EC2 비용 절감 안내서").count() == 0
    await why.get_by_role("tab", name="프롬프트").click()
    await why.get_by_text("선택한 문서").first.wait_for(state="attached")
    assert await chips.count() == 0


async def test_a_collection_is_created_renamed_and_deleted(signed_in: SignedIn) -> None:
    page = await signed_in("모음", "/library")
    collections = page.get_by_role("navigation", name="컬렉션")
    await collections.get_by_role("button", name="새 컬렉션").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름").fill("계약서")
    groups = dialog.get_by_role("combobox", name="열람할 수 있는 그룹")
    await groups.fill("법무, 경영")
    await groups.press("Enter")
    await dialog.get_by_text("법무, 경영 그룹에는 아직 아무도 없습니다").wait_for()
    await dialog.get_by_role("button", name="저장").click()
    await collections.get_by_text("경영, 법무").wait_for()
    await page.get_by_label("업로드 위치").get_by_text("계약서").wait_for(state="attached")
    await collections.get_by_role("button", name="계약서 작업").click()
    await page.get_by_role("menuitem", name="이름과 열람 그룹").click()
    await dialog.get_by_label("이름").fill("계약")
    await groups.press("Backspace")
    await groups.press("Backspace")
    await dialog.get_by_role("button", name="저장").click()
    await collections.get_by_role("link", name="계약 모두", exact=False).wait_for()
    await collections.get_by_role("button", name="계약 작업").click()
    await page.get_by_role("menuitem", name="삭제").click()
    await dialog.get_by_role("button", name="삭제").click()
    await collections.get_by_text("계약").wait_for(state="detached")


async def test_documents_are_filtered_by_title_and_the_address_keeps_it(
    signed_in: SignedIn,
) -> None:
    page = await signed_in("찾기", "/library")
    await row(page, "EC2").first.wait_for()
    await page.get_by_label("문서 제목 검색").fill("센서")
    await row(page, "EC2").first.wait_for(state="detached")
    assert await row(page, "SUPRA XP 센서").count() == 1
    await page.reload()
    await row(page, "SUPRA XP 센서").wait_for()
    assert await page.get_by_label("문서 제목 검색").input_value() == "센서"
    await page.get_by_label("형식", exact=True).select_option("PDF")
    await page.get_by_text("조건에 맞는 문서가 없습니다.").wait_for()


async def test_a_member_reads_without_controls_to_change(signed_in: SignedIn, site: Site) -> None:
    await site.key("읽기만", Role.MEMBER)
    page = await signed_in("읽기만", "/library", viewport={"width": 390, "height": 844})
    card = page.get_by_role("listitem").filter(has_text="EC2 비용 절감 안내서")
    await card.wait_for()
    assert await page.get_by_role("checkbox").count() == 0
    assert await page.get_by_role("button", name="파일 업로드").count() == 0
    await card.get_by_role("link").click()
    await page.get_by_text("예약 인스턴스는 1년 또는 3년").wait_for()
    wide = await page.evaluate("document.scrollingElement.scrollWidth > innerWidth")
    assert not wide
    assert page.errors == []


async def test_filters_show_what_failed_is_outdated_or_has_copies(
    signed_in: SignedIn, site: Site, tmp_path: Path
) -> None:
    text = "# 주차 안내\n\n방문 차량은 지하 2층에 세우고 안내 데스크에서 주차권을 받아 주세요. "
    text += "두 시간까지 무료이며, 그 뒤로는 30분마다 천 원입니다. 밤 열 시에 문을 닫습니다."
    files = {"주차 안내.md": text, "주차 사본.md": text, "주차 낡음.md": text.replace("천", "이천")}
    page = await signed_in("관리인", "/library?q=주차")
    await (await choose(page, written(tmp_path, files))).get_by_text("파일 3개 준비됨").wait_for()
    broken = written(tmp_path, {"주차 그림.xyz": b"\x00\x01"})
    await (await choose(page, broken)).get_by_text("1개 실패").wait_for()
    await until_idle(site.stack.services)
    with psycopg.connect(site.stack.databases.admin_url, autocommit=True) as admin:
        admin.execute(
            "update saegim.document set modified_at = now() - interval '5 years' "
            "where outside_id = '주차 낡음.md'"
        )
    await page.reload()
    await row(page, "업로드 · 주차 사본.md").get_by_text("같은 내용: 주차 안내.md").wait_for()
    assert await page.get_by_role("link", name="주차 안내").count() == 2, "the same text is once"
    await row(page, "업로드 · 주차 사본.md").get_by_text("님이 업로드").wait_for()

    states = page.get_by_label("상태")
    await states.select_option("중복")
    await row(page, "업로드 · 주차 안내.md").get_by_text("같은 내용: 주차 사본.md").wait_for()
    await row(page, "업로드 · 주차 낡음.md").get_by_text("거의 같은 문서").wait_for()
    await states.select_option("오래됨")
    await row(page, "업로드 · 주차 안내.md").wait_for(state="detached")
    await row(page, "업로드 · 주차 낡음.md").get_by_text("오래됨").wait_for()
    await states.select_option("실패")
    await row(page, "주차 그림.xyz").get_by_text("읽을 수 없는").wait_for()
    assert await page.get_by_role("row").count() == 2, "the header and the failed file"
    assert page.errors == []
