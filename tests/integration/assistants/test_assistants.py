"""Assistants' configuration: a draft changes nothing, publishing does, rolling back undoes it."""

from typing import Any
from uuid import uuid4

import pytest

from saegim.domain.scope import Role
from tests.integration.auth.conftest import House

pytestmark = pytest.mark.requirement("OP5")

DRAFT = {"name": "새 봇", "persona": "짧게 답합니다.", "policy": "정책", "locale": "en"}


async def now(house: House) -> dict[str, Any]:
    [assistant] = (await house.call("GET", "/v1/assistants", house.admin())).json()
    return assistant


async def change(house: House, what: str, body: object, method: str = "POST") -> Any:
    assistant = house.stack.tenant.assistant.id
    return await house.call(method, f"/v1/assistants/{assistant}/{what}", house.admin(), body)


async def test_a_draft_is_published_and_rolled_back(house: House) -> None:
    before = await now(house)
    collection = before["collections"][0]
    draft = DRAFT | {"collections": [collection], "config": {"routes": []}}
    written = await change(house, "draft", draft, "PUT")
    during = await now(house)
    published = await change(house, "publish", None)
    after = await now(house)
    back = await change(house, "rollback", {"version": 1})

    assert (written.json()["state"], written.json()["version"]) == ("draft", 2)
    assert during == before
    assert published.json()["state"] == "published"
    assert (after["name"], after["locale"], after["policy"]) == ("새 봇", "en", "정책")
    assert back.status_code == 200
    assert await now(house) == before
    versions = (await change(house, "versions", None, "GET")).json()
    assert [(each["version"], each["state"]) for each in versions] == [
        (2, "retired"),
        (1, "published"),
    ]
    assert versions[0]["content"]["config"] == {"routes": []}


async def test_another_configuration_is_a_version_of_its_own(house: House) -> None:
    draft = DRAFT | {"config": {"strict": False}}
    await change(house, "draft", draft, "PUT")
    path = "/v1/assistant/config"
    put = await house.call("PUT", path, house.admin(), {"strict": True})
    during = (await house.call("GET", path, house.admin())).json()
    versions = (await change(house, "versions", None, "GET")).json()
    await change(house, "rollback", {"version": 1})
    after = (await house.call("GET", path, house.admin())).json()

    assert put.status_code == 200
    assert (during["strict"], after["strict"]) == (True, False)
    assert [(each["version"], each["state"], each["content"]["config"]) for each in versions] == [
        (3, "published", {"strict": True}),
        (2, "draft", {"strict": False}),
        (1, "retired", {}),
    ]
    assert versions[0]["content"]["persona"] == versions[2]["content"]["persona"]


async def test_a_draft_with_a_configuration_that_means_nothing_is_refused(house: House) -> None:
    refused = await change(house, "draft", DRAFT | {"config": {"rutes": []}}, "PUT")
    assert refused.status_code == 422


async def test_there_is_one_draft_at_a_time(house: House) -> None:
    for name in ("하나", "둘"):
        await change(house, "draft", DRAFT | {"name": name}, "PUT")
    versions = (await change(house, "versions", None, "GET")).json()

    assert [each["content"]["name"] for each in versions if each["state"] == "draft"] == ["둘"]


async def test_what_cannot_be_published_is_refused(house: House) -> None:
    assert (await change(house, "publish", None)).status_code == 409
    await change(house, "draft", DRAFT | {"collections": [str(uuid4())]}, "PUT")
    before = await now(house)

    assert (await change(house, "publish", None)).status_code == 409
    assert (await change(house, "rollback", {"version": 2})).status_code == 409
    assert (await change(house, "rollback", {"version": 9})).status_code == 404
    assert await now(house) == before


async def test_an_editor_writes_drafts_and_publishes_nothing(house: House) -> None:
    editor = await house.key("eddi", Role.EDITOR)
    path = f"/v1/assistants/{house.stack.tenant.assistant.id}"
    written = await house.call("PUT", f"{path}/draft", editor, DRAFT)
    published = await house.call("POST", f"{path}/publish", editor)

    assert (written.status_code, published.status_code) == (200, 403)
