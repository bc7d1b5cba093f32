from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from saegim.auth import tokens
from saegim.domain.errors import Invalid

NOW = datetime(2026, 11, 15, tzinfo=UTC)
GRANT = tokens.Grant(
    user="앨리스",
    profile="업무",
    assistant=uuid4(),
    expires_at=NOW + timedelta(minutes=5),
    origins=frozenset({"https://app.example.com"}),
    groups=frozenset({"sales"}),
)


def test_what_a_token_says_comes_back() -> None:
    assert tokens.from_text(tokens.Grant, tokens.to_text(GRANT)) == GRANT


def test_a_token_is_read_in_its_own_form_alone() -> None:
    tenant, key = uuid4(), uuid4()
    text = tokens.write(tenant, key, b"x" * 60)

    assert tokens.parse(text) == tokens.TokenParts(tenant, key, b"x" * 60)
    for wrong in ("", text[4:], text.upper(), text + "=", f"{text[:30]}", text.replace("_", "-")):
        assert tokens.parse(wrong) is None


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("https://app.example.com", True),
        ("https://evil.example.com", False),
        ("https://app.example.com.evil.com", False),
        ("null", False),
        (None, False),
    ],
)
def test_a_token_counts_on_the_pages_it_names(origin: str | None, allowed: bool) -> None:
    assert GRANT.valid_at(NOW, origin) is allowed


def test_a_token_ends() -> None:
    origin = "https://app.example.com"
    assert not GRANT.valid_at(GRANT.expires_at, origin)


@pytest.mark.parametrize(
    "text",
    ["https://a.com/", "http://a.com", "https://a.com/path", "*", "https://", "a.com", "https://*"],
)
def test_an_origin_is_a_scheme_and_a_host(text: str) -> None:
    with pytest.raises(Invalid):
        tokens.check_origin(text)
