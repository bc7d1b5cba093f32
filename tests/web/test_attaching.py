"""Members attach files to their messages; nobody else finds them."""

from typing import Any

from saegim.domain.scope import Role
from tests.web.browser_fixture import Site
from tests.web.conftest import SignedIn
from tests.web.talking import ask

TEXT = (
    "---\nid: own-note-7\n---\n# 회식 안내\n\n7월 회식은 22일 저녁 7시에 을지로 한강집에서 합니다."
)
DROP = """text => {
    const files = new DataTransfer();
    files.items.add(new File([text], "회식.md", { type: "text/markdown" }));
    const chat = document.querySelector(".chat");
    const drop = { dataTransfer: files, bubbles: true, cancelable: true };
    for (const kind of ["dragover", "drop"]) chat.dispatchEvent(new DragEvent(kind, drop));
}"""
ATTACH = "나만 볼 수 있는 파일 첨부"
CHIPS = "메시지와 함께 보낼 항목"


async def as_member(signed_in: SignedIn, site: Site, user: str, path: str = "/chat") -> Any:
    await site.key(user, Role.MEMBER)
    return await signed_in(user, path)


async def drop(page: Any) -> None:
    """Drop a file onto the chat and wait until it is ready."""
    await page.get_by_role("button", name=ATTACH).last.wait_for()
    await page.evaluate(DROP, TEXT)
    await page.get_by_role("list", name=CHIPS).get_by_text("준비됨").wait_for()


async def test_a_member_drops_a_file_and_gets_a_cited_answer(
    signed_in: SignedIn, site: Site
) -> None:
    page = await as_member(signed_in, site, "파일회원")
    await drop(page)
    turn = await ask(page, "7월 회식은 어디서 해?")
    await turn.get_by_role("list", name="출처").get_by_role("button", name="회식").first.click()
    await page.get_by_role("dialog").get_by_text("을지로 한강집").first.wait_for()
    other = await as_member(signed_in, site, "다른회원", "/library")
    await other.get_by_role("region", name="문서").wait_for()
    found = await site.stack.http.get(
        "/v1/documents/own-note-7",
        headers={"Authorization": f"Bearer {await site.key('다른회원')}"},
    )

    assert await other.get_by_text("회식").count() == 0
    assert found.status_code == 404


async def test_a_member_deletes_an_own_document_and_no_other(
    signed_in: SignedIn, site: Site
) -> None:
    page = await as_member(signed_in, site, "지움회원")
    await drop(page)
    await page.goto(f"{site.url}/library")
    rows = page.get_by_role("row").filter(has=page.get_by_role("button"))
    await rows.filter(has_text="센서 이상").first.get_by_role("button").click()
    await page.get_by_role("menuitem", name="열기").wait_for()
    assert await page.get_by_role("menuitem", name="삭제").count() == 0
    await page.keyboard.press("Escape")
    await rows.filter(has_text="회식").get_by_role("button").click()
    await page.get_by_role("menuitem", name="삭제").click()
    await page.get_by_role("dialog").get_by_role("button", name="삭제").click()
    await rows.filter(has_text="회식").wait_for(state="detached")
