"""Two people who edit the same thing do not overwrite each other unseen; profiles."""

import asyncio
from typing import Any
from uuid import UUID

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


GUILD = {"Saegim-Guild": "100"}
BAD_TAGS = ['"another"', "", 'W/"weak"', "not a tag"]


def _limit(most: int) -> dict[str, Any]:
    usual = {"subject": "user", "resource": "requests", "window_seconds": 60}
    return {"limits": [usual | {"most": 100_000 + most}]}


async def _edited(stack: Stack, what: str) -> tuple[str, str, str]:
    """Returns how a resource is read and changed."""
    headers = stack.headers("admin")
    if what == "memory":
        body = {"content": "땅콩 알레르기가 있다"}
        added = await stack.http.post("/v1/memories", json=body, headers=headers)
        path = f"/v1/memories/{added.json()['memory_id']}"
        return path, "PATCH", path
    if what == "collection":
        added = await stack.http.post("/v1/collections", json={"name": "법무"}, headers=headers)
        path = f"/v1/collections/{added.json()['collection_id']}"
        return path, "PATCH", path
    if what == "draft":
        base = f"/v1/assistants/{stack.tenant.assistant.id}"
        return f"{base}/versions", "PUT", f"{base}/draft"
    return what, "PATCH" if what == "/v1/guild" else "PUT", what


EDITS: dict[str, Any] = {
    "memory": lambda number: {"content": f"호두 {number}"},
    "collection": lambda number: {"audience": [f"legal-{number}"]},
    "draft": lambda number: {"name": "bot", "persona": f"친절하다 {number}"},
    "/v1/assistant/config": lambda number: {
        "menu_links": [{"label": f"문의 {number}", "url": "https://a.invalid/"}]
    },
    "/v1/ranking": lambda number: {"faq": 1, "other": number + 1},
    "/v1/limits": _limit,
    "/v1/guild": lambda number: {"persona": f"친절하다 {number}"},
}


@pytest.mark.parametrize("what", EDITS)
async def test_of_edits_of_the_same_at_once_one_is_taken(stack: Stack, what: str) -> None:
    read, method, path = await _edited(stack, what)
    headers = stack.headers("admin", **GUILD)
    tag = (await stack.http.get(read, headers=headers)).headers["ETag"]

    async def edit(number: int, seen: str) -> tuple[int, str]:
        body = EDITS[what](number)
        given = headers | {"If-Match": seen}
        answer = await stack.http.request(method, path, json=body, headers=given)
        return answer.status_code, answer.headers.get("ETag", "")

    edits = await asyncio.gather(*(edit(number, tag) for number in range(6)))
    now = (await stack.http.get(read, headers=headers)).headers["ETag"]
    taken = [shown for status, shown in edits if status < 300]

    assert sorted(status for status, _ in edits)[1:] == [412] * 5, edits
    assert len(taken) == 1
    assert now != tag
    assert taken[0] in (now, ""), "what a change answers is what is read next"
    assert [(await edit(7, bad))[0] for bad in BAD_TAGS] == [412] * 4
    assert (await edit(8, f'"other", {now}'))[0] < 300
    assert (await edit(9, "*"))[0] < 300


async def test_a_draft_that_somebody_else_wrote_meanwhile_is_not_published(stack: Stack) -> None:
    headers, base = stack.headers("admin"), f"/v1/assistants/{stack.tenant.assistant.id}"
    draft = {"name": "bot", "persona": "친절하다"}
    await stack.http.put(f"{base}/draft", json=draft, headers=headers)
    read = await stack.http.get(f"{base}/versions", headers=headers)
    tag = {"If-Match": read.headers["ETag"]}
    await stack.http.put(f"{base}/draft", json=draft | {"persona": "무례하다"}, headers=headers)
    refused = await stack.http.post(f"{base}/publish", headers=headers | tag)
    back = await stack.http.post(f"{base}/rollback", json={"version": 1}, headers=headers | tag)
    [listed] = (await stack.http.get("/v1/assistants", headers=headers)).json()

    assert (refused.status_code, back.status_code) == (412, 412)
    assert listed["persona"] != "무례하다"


async def test_a_record_that_was_changed_meanwhile_is_not_rolled_back(stack: Stack) -> None:
    headers = stack.headers()
    added = await stack.http.post("/v1/memories", json={"content": "땅콩"}, headers=headers)
    path = f"/v1/memories/{added.json()['memory_id']}"
    read = await stack.http.get(path, headers=headers)
    await stack.http.patch(path, json={"content": "호두"}, headers=headers)
    answers = [
        await stack.http.post(
            f"{path}/rollback", json={"version": 1}, headers=headers | {"If-Match": tag}
        )
        for tag in (read.headers["ETag"], "*")
    ]

    assert [each.status_code for each in answers] == [412, 200]
    assert answers[1].json()["content"] == "땅콩"


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


async def imported(stack: Stack, body: dict[str, Any], user: str = "alice") -> list[dict[str, Any]]:
    """Returns a user's memories after an import and its job."""
    taken = await stack.http.post("/v1/memories/import", json=body, headers=stack.headers(user))
    assert taken.status_code == 202, taken.text
    await stack.services.memory.imports.run(stack.tenant.tenant.id, UUID(taken.json()["import_id"]))
    listed = await stack.http.get("/v1/memories", headers=stack.headers(user))
    return listed.json()["memories"]


async def test_what_hardly_matters_is_remembered_all_the_same(stack: Stack) -> None:
    told = {"type": "fact", "content": "서울에 산다", "importance": 1e-300}
    body = {
        "format": "saegim-memory/1",
        "memories": [told | {"said_at": "2026-01-01T00:00:00Z"}],
    }
    [memory] = await imported(stack, body)
    path = f"/v1/memories/{memory['memory_id']}"
    change = {"content": "부산에 산다", "importance": 5e-324}
    changed = await stack.http.patch(path, json=change, headers=stack.headers())

    assert (memory["importance"], changed.status_code) == (0, 200)


async def test_what_was_said_before_ids_begin_is_remembered(stack: Stack) -> None:
    told = {"type": "fact", "content": "임진왜란 전이다", "importance": 0.5}
    body = {
        "format": "saegim-memory/1",
        "memories": [told | {"said_at": "1552-01-06T19:57:09Z"}],
    }
    [memory] = await imported(stack, body, "elder")
    read = await stack.http.get(
        f"/v1/memories/{memory['memory_id']}", headers=stack.headers("elder")
    )

    assert read.json()["said_at"] == "1552-01-06T19:57:09Z"


S3 = {"kind": "s3", "bucket": "docs", "access_key": "a", "secret_key": "s"}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/sources", {"source": S3 | {"endpoint": "https://a\x00.invalid"}}),
        (
            "POST",
            "/v1/sources",
            {"source": S3 | {"endpoint": "https://a.invalid", "prefix": "\x00"}},
        ),
        ("POST", "/v1/sources", {"source": {"kind": "urls", "urls": ["https://a.invalid/\x00"]}}),
        ("POST", "/v1/collections", {"name": "\x00"}),
        ("POST", "/v1/keys", {"name": "\x00"}),
        ("PATCH", "/v1/guild", {"persona": "\x00"}),
        ("POST", "/v1/memories", {"content": "\x00"}),
    ],
)
async def test_a_text_that_no_store_can_hold_breaks_nothing(
    stack: Stack, method: str, path: str, body: dict[str, object]
) -> None:
    headers = stack.headers("admin", **GUILD)
    answer = await stack.http.request(method, path, json=body, headers=headers)

    assert answer.status_code == (201 if path == "/v1/memories" else 422), answer.text
