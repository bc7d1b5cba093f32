"""Redirects lead to our own pages only."""

import pytest

from saegim.web.auth import inside


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "chat",
        "//evil.com",
        "/\\evil.com",
        "/\t/evil.com",
        "/\t\\evil.com",
        "/\n/evil.com",
        "/chat\r\nSet-Cookie: a=b",
        "/chat\x00",
        "/a\\b",
        " /chat",
        "https://evil.com",
        "javascript:alert(1)",
    ],
)
def test_addresses_that_may_lead_elsewhere_are_replaced(address: str | None) -> None:
    assert inside(address) == "/chat"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/memory?words=a&type=fact#x", "/memory?words=a&type=fact#x"),
        ("/library?collection=%EA%B7%9C", "/library?collection=%EA%B7%9C"),
        ("/library?collection=규정", "/library?collection=%EA%B7%9C%EC%A0%95"),
    ],
)
def test_addresses_of_our_own_pages_are_kept_as_headers_can_hold_them(
    address: str, expected: str
) -> None:
    assert inside(address) == expected
