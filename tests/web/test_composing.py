"""One Enter sends a Korean sentence once, while the IME composes or not."""

import asyncio
from typing import Any

import pytest

from tests.web.conftest import SignedIn

pytestmark = pytest.mark.requirement("CH3")

ENTER = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
TAKEN_BY_IME = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}


class Ime:
    """An input method: composes, takes keys for itself, commits."""

    def __init__(self, session: Any) -> None:
        self._session = session

    async def compose(self, text: str) -> None:
        at = {"selectionStart": len(text), "selectionEnd": len(text)}
        await self._session.send("Input.imeSetComposition", {"text": text, **at})

    async def commit(self, text: str) -> None:
        await self._session.send("Input.insertText", {"text": text})

    async def press(self, key: dict[str, Any]) -> None:
        kind = "keyDown" if "text" in key else "rawKeyDown"
        await self._session.send("Input.dispatchKeyEvent", {"type": kind, **key})
        await self._session.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})


async def prepared(signed_in: SignedIn, user: str) -> tuple[Any, Ime]:
    page = await signed_in(user)
    await page.get_by_role("textbox", name="메시지를 입력하세요").focus()
    return page, Ime(await page.context.new_cdp_session(page))


async def sent(page: Any, messages: int = 1) -> list[str]:
    """The messages that went out, so many at least, once nothing more can come."""
    if messages:
        await page.locator(".turn .bubble").nth(messages - 1).wait_for()
    await asyncio.sleep(0.5)
    return await page.locator(".turn .bubble").all_inner_texts()


async def test_enter_while_the_last_syllable_is_composed(signed_in: SignedIn) -> None:
    page, ime = await prepared(signed_in, "조합중")
    await ime.compose("안녕하세요")
    await ime.press(TAKEN_BY_IME)
    await ime.commit("안녕하세요")

    assert await sent(page) == ["안녕하세요"]
    assert await page.get_by_role("textbox", name="메시지를 입력하세요").input_value() == ""


async def test_where_the_ime_also_passes_the_key_on(signed_in: SignedIn) -> None:
    page, ime = await prepared(signed_in, "두번")
    await ime.compose("고맙습니다")
    await ime.press(TAKEN_BY_IME)
    await ime.commit("고맙습니다")
    await ime.press(ENTER)

    assert await sent(page) == ["고맙습니다"]


async def test_enter_after_the_syllable_was_committed(signed_in: SignedIn) -> None:
    page, ime = await prepared(signed_in, "조합후")
    await ime.compose("반갑습니다")
    await ime.commit("반갑습니다")
    await ime.press(ENTER)

    assert await sent(page) == ["반갑습니다"]


async def test_the_enter_that_takes_a_japanese_candidate_sends_nothing(
    signed_in: SignedIn,
) -> None:
    page, ime = await prepared(signed_in, "일본어")
    await ime.compose("ありがとう")
    await ime.press(TAKEN_BY_IME)
    await ime.commit("有難う")
    assert await sent(page, 0) == []
    await ime.press(ENTER)
    assert await sent(page) == ["有難う"]


async def test_shift_and_enter_begin_a_line(signed_in: SignedIn) -> None:
    page, _ = await prepared(signed_in, "줄바꿈")
    await page.keyboard.type("one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("two")
    assert await sent(page, 0) == []
    assert await page.locator(".composer textarea").input_value() == "one\ntwo"
