"""Copies of a document within what a reader may see, where documents come from, and stale ones."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from typing import Any
from uuid import UUID

import docx
import pytest

from saegim.library.types import RankingSettings
from tests.integration.library.conftest import bring_in, finished, search
from tests.stack import Databases, Stack, new_stack

POLICY = """# 출장비 규정

국내 출장 숙박비는 하루 12만 원까지 지급합니다. 영수증은 출장이 끝난 날부터 닷새 안에 내야 하며,
팀장이 승인한 뒤 다음 급여일에 지급합니다. 항공권은 일반석만 인정하고, 기차는 KTX 일반실을
기준으로 합니다. 렌터카는 대중교통이 없는 곳에서만 쓸 수 있고, 유류비는 실비로 정산합니다.

## 식비

식비는 하루 3만 원이며, 회식비는 따로 신청합니다. 접대가 필요한 때에는 미리 부서장의 승인을 받고,
참석자의 이름과 목적을 적어 제출해 주세요. 주말 출장에는 대체 휴무를 하루 드립니다.
"""
OTHER = "# 휴가 규정\n\n연차는 입사 1년 뒤부터 15일이며, 3년마다 하루씩 늘어납니다."


@pytest.fixture
async def stack(databases: Databases) -> AsyncIterator[Stack]:
    async with new_stack(databases) as running:
        await running.services.warm_up()
        yield running


async def listed(stack: Stack, user: str = "editor", **params: Any) -> list[dict[str, Any]]:
    response = await stack.http.get("/v1/documents", params=params, headers=stack.headers(user))
    assert response.status_code == 200, response.text
    return response.json()["documents"]


async def named(stack: Stack, name: str, user: str = "editor") -> dict[str, Any]:
    [document] = await listed(stack, user, q=name)
    return document


async def attach(stack: Stack, user: str, name: str, content: str) -> None:
    """Add a private document of a user."""
    headers = stack.headers(user)
    opened = await stack.http.post("/v1/ingests", json={"own": True}, headers=headers)
    ingest = opened.json()["ingest_id"]
    await stack.http.put(f"/v1/ingests/{ingest}/files/{name}", content=content, headers=headers)
    async with stack.working():
        await finished(stack, ingest, user=user)


async def restrict(stack: Stack, name: str, *groups: str) -> None:
    """Move a document into a new collection for groups only."""
    headers = stack.headers("admin")
    body = {"name": f"of {name}", "audience": list(groups)}
    made = (await stack.http.post("/v1/collections", json=body, headers=headers)).json()
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        await connection.execute(
            b"insert into assistant_collection (tenant_id, assistant_id, collection_id) "
            b"select tenant_id, assistant_id, %(new)s from assistant where tenant_id = %(tenant)s "
            b"on conflict do nothing",
            {"tenant": tenant, "new": made["collection_id"]},
        )
        await connection.execute(
            b"update document set collection_id = %(new)s "
            b"where tenant_id = %(tenant)s and outside_id = %(name)s",
            {"tenant": tenant, "new": made["collection_id"], "name": name},
        )


async def age(stack: Stack, name: str, months: int) -> datetime:
    """Let a document be of some months ago."""
    then = datetime.now(UTC) - timedelta(days=31 * months)
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        await connection.execute(
            b"update document set modified_at = %(then)s "
            b"where tenant_id = %(tenant)s and outside_id = %(name)s",
            {"tenant": tenant, "then": then, "name": name},
        )
    return then


@pytest.mark.requirement("LB12")
async def test_the_same_text_is_found_once_with_its_places(stack: Stack) -> None:
    copy = POLICY.replace("\n", "\r\n").replace("지급합니다.", "**지급합니다** .")
    files = {"출장비.md": POLICY, "출장비 사본.md": copy, "휴가.md": OTHER}
    await bring_in(stack, files)
    found = (await search(stack, "숙박비는 하루 얼마까지 지급하나요?"))["found"]
    texts = ["".join(each["text"].split()) for each in found]

    assert len(set(texts)) == len(texts)
    lodging = next(each for each in found if "12만 원" in each["text"])
    places = {lodging["document"]["document_id"]} | {
        each["document_id"] for each in lodging["copies"]
    }
    assert places == {"출장비.md", "출장비 사본.md"}


@pytest.mark.requirement("LB12")
async def test_the_list_shows_copies_once_or_alone(stack: Stack) -> None:
    nearly = POLICY.replace("12만", "13만")
    await bring_in(
        stack, {"출장비.md": POLICY, "사본.md": POLICY, "개정.md": nearly, "휴가.md": OTHER}
    )
    once = {each["document_id"]: each for each in await listed(stack, once=True)}
    copied = {each["document_id"] for each in await listed(stack, only="duplicate")}
    by_title = {each["document_id"] for each in await listed(stack, once=True, sort="title")}

    assert set(once) == by_title == {"사본.md", "개정.md", "휴가.md"}
    assert copied == {"출장비.md", "사본.md", "개정.md"}
    assert {(each["document_id"], each["is_exact"]) for each in once["사본.md"]["copies"]} == {
        ("출장비.md", True),
        ("개정.md", False),
    }
    assert once["휴가.md"]["copies"] == []
    # The newest is folded away only if both match the filter.
    assert [each["document_id"] for each in await listed(stack, once=True, q="출장비.md")] == [
        "출장비.md"
    ]


@pytest.mark.requirement("LB12")
async def test_versions_that_differ_in_a_number_are_both_found(stack: Stack) -> None:
    await bring_in(stack, {"옛.md": POLICY, "새.md": POLICY.replace("12만", "13만")})
    found = (await search(stack, "국내 출장 숙박비는 하루 얼마인가요?"))["found"]
    texts = " ".join(each["text"] for each in found)

    assert "12만" in texts
    assert "13만" in texts


@pytest.mark.requirement("LB12")
async def test_a_reader_never_learns_of_a_copy_that_he_may_not_read(stack: Stack) -> None:
    await bring_in(stack, {"출장비.md": POLICY, "비밀 사본.md": POLICY, "휴가.md": OTHER})
    await restrict(stack, "비밀 사본.md", "hr")
    await attach(stack, "bob", "bob의 사본.md", POLICY)
    await attach(stack, "alice", "alice의 사본.md", POLICY)

    async def shown(user: str) -> tuple[set[str], set[str], set[str]]:
        found = (await search(stack, "숙박비는 하루 얼마까지 지급하나요?", user))["found"]
        lodging = next(each for each in found if "12만 원" in each["text"])
        places = [lodging["document"], *lodging["copies"]]
        documents = await listed(stack, user, only="duplicate")
        copies = [copy for each in documents for copy in each["copies"]]
        return (
            {each["document_id"] for each in places},
            {each["document_id"] for each in documents},
            {each["document_id"] for each in copies},
        )

    for_alice = {"출장비.md", "alice의 사본.md"}
    for_bob = {"출장비.md", "bob의 사본.md"}
    assert await shown("alice") == (for_alice, for_alice, for_alice)
    assert await shown("bob") == (for_bob, for_bob, for_bob)
    # Nobody else has a copy to see, so nothing says that there is any.
    for user in ("carol", "editor"):
        assert await shown(user) == ({"출장비.md"}, set(), set())
        once = {each["document_id"] for each in await listed(stack, user, once=True)}
        assert once == {"출장비.md", "휴가.md"}
        document = await stack.http.get("/v1/documents/출장비.md", headers=stack.headers(user))
        assert document.json()["document"]["copies"] == []
        assert "사본" not in document.text


@pytest.mark.requirement("LB12")
async def test_evidence_is_not_spent_on_copies(stack: Stack) -> None:
    copies = {f"사본 {number}.md": POLICY for number in range(12)}
    await bring_in(stack, {**copies, "휴가.md": OTHER})
    found = (await search(stack, "출장 숙박비와 연차는 어떻게 되나요?"))["found"]
    reply = await stack.say("출장 숙박비는 하루 얼마까지 지급하나요?")
    trace = await stack.http.get(f"/v1/turns/{reply['turn_id']}/trace", headers=stack.headers())
    used = [each for each in trace.json()["trace"]["items"] if each["kind"] == "passage"]

    assert {each["document"]["document_id"] for each in found} >= {"휴가.md"}
    assert len(found) == 3
    assert len(used) <= 3
    cited = [each for each in reply["citations"] if each["kind"] == "passage"]
    assert cited
    assert len(cited[0]["also_in"]) == 11


@pytest.mark.requirement("LB13")
async def test_a_document_says_where_it_comes_from_and_when_it_was_seen(stack: Stack) -> None:
    before = datetime.now(UTC)
    await bring_in(stack, {"출장비.md": POLICY})
    first = await named(stack, "출장비")
    await bring_in(stack, {"출장비.md": POLICY})
    again = await named(stack, "출장비")
    for_reader = await named(stack, "출장비", "alice")

    assert (first["origin"], first["uploaded_by"]) == ("upload", "editor")
    assert before <= datetime.fromisoformat(first["first_seen_at"])
    assert again["first_seen_at"] == first["first_seen_at"]
    assert again["updated_at"] == first["updated_at"]
    assert again["last_seen_at"] > first["last_seen_at"]
    assert again["changed_at"] == first["updated_at"]
    # The key of these tests may edit, whoever it acts for.
    assert for_reader["uploaded_by"] == "editor"


@pytest.mark.requirement("LB13")
async def test_unchanged_files_that_are_not_uploaded_are_seen(stack: Stack) -> None:
    await bring_in(stack, {"출장비.md": POLICY})
    first = await named(stack, "출장비")
    headers = stack.headers("editor")
    opened = await stack.http.post(
        "/v1/ingests", json={"collection": "default", "type": "guide"}, headers=headers
    )
    files = {"출장비.md": sha256(POLICY.encode()).hexdigest()}
    told = await stack.http.post(
        f"/v1/ingests/{opened.json()['ingest_id']}/unchanged",
        json={"files": files},
        headers=headers,
    )
    again = await named(stack, "출장비")

    assert told.json()["unchanged"] == ["출장비.md"]
    assert again["last_seen_at"] > first["last_seen_at"]
    assert again["updated_at"] == first["updated_at"]


@pytest.mark.requirement("LB14")
async def test_stale_documents_are_flagged_and_weigh_less_if_wanted(stack: Stack) -> None:
    await bring_in(
        stack,
        {
            "old.md": "# 배포 절차\n\n배포는 화요일 오전에 하며 팀장이 승인합니다.",
            "new.md": "# 배포 안내\n\n배포는 목요일 오후에 하고, 담당자가 확인합니다.",
        },
    )
    then = await age(stack, "old.md", 30)
    query = "배포 절차에서 배포는 언제 하나요?"
    flagged = (await search(stack, query))["found"]
    [stale] = await listed(stack, only="stale")
    headers = stack.headers("admin")
    lowered = {"weights": {"stale": 1.0}}
    put = await stack.http.put("/v1/ranking", json=lowered, headers=headers)
    weighed = (await search(stack, query))["found"]
    await stack.http.put("/v1/ranking", json={"stale_months": 0}, headers=headers)
    never = (await search(stack, query))["found"]

    assert put.status_code == 200, put.text
    assert [each["document"]["document_id"] for each in flagged] == ["old.md", "new.md"]
    assert [each["is_stale"] for each in flagged] == [True, False]
    assert datetime.fromisoformat(flagged[0]["changed_at"]) == then
    assert (stale["document_id"], stale["is_stale"]) == ("old.md", True)
    assert [each["document"]["document_id"] for each in weighed] == ["new.md", "old.md"]
    assert [each["is_stale"] for each in never] == [False, False]
    assert await listed(stack, only="stale") == []


@pytest.mark.requirement("LB14")
async def test_a_citation_of_a_stale_document_says_when_it_was_changed(stack: Stack) -> None:
    await bring_in(stack, {"출장비.md": POLICY, "휴가.md": OTHER})
    then = await age(stack, "출장비.md", 40)
    stale = await stack.say("출장 숙박비는 하루 얼마까지 지급하나요?")
    fresh = await stack.say("연차는 며칠인가요?", user="bob")

    cited = {each["document"]: each for each in stale["citations"] if each["kind"] == "passage"}
    assert datetime.fromisoformat(cited["출장비.md"]["stale_since"]) == then
    [leave] = [each for each in fresh["citations"] if each["document"] == "휴가.md"]
    assert leave["stale_since"] is None
    kept = await stack.http.get(f"/v1/turns/{stale['turn_id']}", headers=stack.headers())
    assert kept.json()["citations"][0]["stale_since"] is not None


@pytest.mark.requirement("LB14")
async def test_the_date_in_a_file_is_its_date_of_change(stack: Stack) -> None:
    document, content = docx.Document(), BytesIO()
    document.add_paragraph("보안 지침: 비밀번호는 석 달마다 바꿉니다.")
    document.core_properties.modified = datetime(2019, 5, 17, 9, 30, tzinfo=UTC)
    document.save(content)
    mail = (
        "From: a@example.com\r\nTo: b@example.com\r\nSubject: 공지\r\nMessage-ID: <1@x.com>\r\n"
        "Date: Tue, 03 Mar 2020 10:00:00 +0900\r\n\r\n사무실을 옮깁니다.\r\n"
    )
    await bring_in(stack, {"보안.docx": content.getvalue(), "공지.eml": mail.encode()})
    security, notice = await named(stack, "보안"), await named(stack, "공지")

    assert security["changed_at"] == "2019-05-17T09:30:00Z"
    assert notice["changed_at"] == "2020-03-03T01:00:00Z"
    assert security["is_stale"]


async def test_ranking_settings_keep_what_is_not_default(stack: Stack) -> None:
    tenant: UUID = stack.tenant.tenant.id
    await stack.services.library.rankings.store(tenant, RankingSettings(stale_months=6))

    assert (await stack.services.library.rankings.of_tenant(tenant)).stale_months == 6
