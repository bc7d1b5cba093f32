"""Validation of an assistant's configuration."""

from typing import Any

import pytest

from saegim.chat.types import checked
from saegim.domain.errors import Invalid


@pytest.mark.parametrize(
    "given",
    [
        {"thresholds": {"overall": float("inf")}},
        {"thresholds": {"confidence": float("nan")}},
        {"thresholds": {"answer_tokens": 10**400}},
        {"menu_links": [{"label": "a\0", "url": "https://a.example"}]},
        {"document_types": {"a\0": ["b"]}},
        {"tools": ["\0"]},
        {"menu_links": [{"label": "a", "url": "javascript:1"}]},
    ],
)
def test_what_cannot_be_stored_or_compared_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(Invalid):
        checked(given)


def test_what_is_as_by_default_is_not_stored() -> None:
    assert checked({"strict": True}) == {"strict": True}
