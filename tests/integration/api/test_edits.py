"""Two people who edit the same thing do not overwrite each other unseen; profiles."""

import pytest

from tests.stack import Stack

pytestmark = pytest.mark.requirement("CH1")


async def test_a_correction_of_what_was_changed_meanwhile_is_refused(stack: Stack) -> None:
    headers = stack.headers()
    added = await stack.http.post(
        "/v1/memories", json={"content": "땅콩 알레르기가 있다"}, headers=headers
    )
    path = f"/v1/memories/{added.json()['memory_id']}"
    read = await stack.http.get(path, headers=headers)
    tag = {"If-Match": read.headers["ETag"]}
    first = await stack.http.patch(path, json={"content": "호두"}, headers=headers | tag)
    second = await stack.http.patch(path, json={"content": "새우"}, headers=headers | tag)
    after = {"If-Match": first.headers["ETag"]}
    third = await stack.http.patch(path, json={"content": "우유"}, headers=headers | after)

    assert first.status_code == 200
    assert (second.status_code, second.json()["code"]) == (412, "changed")
    assert third.json()["content"] == "우유"


@pytest.mark.parametrize(
    ("path", "first", "second"),
    [
        ("/v1/assistant/config", {"strict": True}, {"strict": False}),
        ("/v1/ranking", {"faq": 1, "other": 5}, {"faq": 2, "other": 5}),
    ],
)
async def test_a_setting_that_was_changed_meanwhile_is_not_overwritten(
    stack: Stack, path: str, first: dict[str, object], second: dict[str, object]
) -> None:
    headers = stack.headers("admin")
    read = await stack.http.get(path, headers=headers)
    tag = {"If-Match": read.headers["ETag"]}
    taken = await stack.http.put(path, json=first, headers=headers | tag)
    refused = await stack.http.put(path, json=second, headers=headers | tag)
    free = await stack.http.put(path, json=second, headers=headers)

    assert taken.status_code == 200, taken.text
    assert refused.status_code == 412
    assert free.status_code == 200


async def test_a_draft_of_an_assistant_is_not_overwritten_unseen(stack: Stack) -> None:
    headers, base = stack.headers("admin"), f"/v1/assistants/{stack.tenant.assistant.id}"
    read = await stack.http.get(f"{base}/versions", headers=headers)
    tag = {"If-Match": read.headers["ETag"]}
    draft = {"name": "bot", "persona": "친절하다"}
    first = await stack.http.put(f"{base}/draft", json=draft, headers=headers | tag)
    second = await stack.http.put(f"{base}/draft", json=draft, headers=headers | tag)

    assert (first.status_code, second.status_code) == (200, 412)


async def test_one_sees_ones_own_profiles(stack: Stack) -> None:
    await stack.say("안녕", **{"Saegim-Profile": "work"})
    shown = await stack.http.get(
        "/v1/profiles", headers=stack.headers(**{"Saegim-Profile": "work"})
    )
    other = await stack.http.get("/v1/profiles", headers=stack.headers("bob"))

    assert [each["name"] for each in shown.json() if each["current"]] == ["work"]
    assert [each["name"] for each in other.json()] == ["default"]


@pytest.mark.parametrize(
    "said_at",
    ["0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00", "0999-12-31T00:00:00Z"],
)
async def test_a_time_that_no_store_can_tell_is_refused(stack: Stack, said_at: str) -> None:
    told = {"type": "fact", "content": "서울에 산다", "importance": 0.5, "said_at": said_at}
    body = {"format": "saegim-memory/1", "memories": [told]}
    refused = await stack.http.post("/v1/memories/import", json=body, headers=stack.headers())
    listed = await stack.http.get("/v1/memories", headers=stack.headers())

    assert refused.status_code == 422
    assert listed.json()["memories"] == []
