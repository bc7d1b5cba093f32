from typing import Any

from scripts.api_docs import first_line, render


def operation(tag: str, text: str) -> dict[str, Any]:
    return {"tags": [tag], "summary": "Summary", "description": text, "responses": {}}


def test_operations_are_grouped_by_tag_with_their_permission() -> None:
    page = render(
        {
            "paths": {
                "/v1/me": {"get": operation("access", "Who one is. More.")},
                "/health/live": {"get": operation("health", "Alive.")},
            }
        }
    )
    assert "## Access\n" in page
    assert "| `GET /v1/me` | `self` | Who one is |" in page
    assert "| `GET /health/live` | *public* | Alive |" in page


def test_a_description_is_one_sentence_of_one_line() -> None:
    assert first_line(operation("x", "Lists a | b,\nnewest first. Then more.")) == (
        "Lists a \\| b, newest first"
    )
    assert first_line({"summary": "Read me"}) == "Read me"
