"""Documents in, the right passage out, through the API and the real stores."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from benchmarks.doubles.patience import PATIENT_WORKER
from saegim.app.infrastructure import Fakes
from saegim.db.cells import HOME_CELL
from saegim.jobs.dead_letters import DeadLetters
from saegim.jobs.types import Job, JobKind
from saegim.library.ingest_repository import LARGE_FILE
from saegim.library.parsing.limits import MAX_PASSAGES
from saegim.llm.ports import EmbedKind
from tests.integration.library.conftest import GUIDE, bring_in, finished, search
from tests.stack import Databases, Stack, new_stack

FAQ = '[{"id": "faq-1", "question": "비밀번호를 잊었어요", "answer": "재설정을 누르세요."}]'


@pytest.mark.requirement("LB1", "LB2")
async def test_a_document_comes_in_with_sections_and_tags(stack: Stack) -> None:
    report = await bring_in(stack, {"ec2-cost.md": GUIDE})
    [file] = report["files"]
    assert (file["state"], file["error"]) == ("done", None)
    assert file["stored"] == file["passages"] == file["embedded"] > 0
    tenant = stack.tenant.tenant.id
    async with stack.services.db.cells.home.transaction(tenant) as connection:
        found = await connection.execute(b"select bytes from document")
        assert [row["bytes"] > 0 for row in await found.fetchall()] == [True]

    found = await search(stack, "스팟 인스턴스 여는 방법")
    [first, *_] = found["found"]
    assert "스팟 요청" in first["text"]
    assert first["path"][-1] == "스팟 인스턴스"
    assert first["document"]["title"] == "EC2 비용 줄이기"
    steps = await search(stack, "인스턴스", has_steps=True)
    assert [hit["path"][-1] for hit in steps["found"]] == ["스팟 인스턴스"]


@pytest.mark.requirement("LB3")
async def test_faq_entries_and_others_come_in_their_shares(stack: Stack) -> None:
    faq = "\n".join(["질문,답변", *[f"비용 질문 {n},비용에 대한 답 {n}입니다." for n in range(12)]])
    guides = {f"g{n}.md": f"# 비용 안내 {n}\n\n비용을 줄이는 방법 {n}번." for n in range(12)}
    await bring_in(stack, {"faq.csv": faq}, kind="faq")
    await bring_in(stack, guides)

    types = [hit["document"]["type"] for hit in (await search(stack, "비용"))["found"]]
    assert (types.count("faq"), types.count("guide")) == (3, 7)
    short = await search(stack, "비용", faq=3, other=20)
    types = [hit["document"]["type"] for hit in short["found"]]
    assert types.count("guide") == 12
    assert types.count("faq") == 11


@pytest.mark.requirement("LB4")
async def test_a_document_is_looked_up_in_any_spelling_and_a_section_opened(stack: Stack) -> None:
    await bring_in(stack, {"faq.json": FAQ}, kind="faq")
    await bring_in(stack, {"ec2-cost.md": GUIDE})
    for spelling in ("EC2 Cost.md", "ec2_cost.md", "ec2-cost.md"):
        response = await stack.http.get(f"/v1/documents/{spelling}", headers=stack.headers())
        assert response.status_code == 200, response.text
        assert [p["path"][-1] for p in response.json()["passages"]][1:2] == ["예약 인스턴스"]
    hit = (await search(stack, "약정 할인"))["found"][0]
    section = await stack.http.get(
        f"/v1/passages/{hit['passage_id']}/section", headers=stack.headers()
    )
    assert [place["path"][-1] for place in section.json()] == ["예약 인스턴스"]


async def test_unchanged_files_cost_nothing_and_an_edit_changes_only_its_passages(
    stack: Stack,
) -> None:
    long = "\n\n".join(
        f"## {n}장\n\n" + f"이 장은 {n}번째 이야기를 담고 있습니다. " * 12 for n in range(10)
    )
    [first] = (await bring_in(stack, {"long.md": long}))["files"]
    [again] = (await bring_in(stack, {"long.md": long}))["files"]
    edited = long.replace("5번째 이야기", "5번째로 고친 이야기")
    [changed] = (await bring_in(stack, {"long.md": edited}))["files"]

    assert first["embedded"] == first["passages"] >= 10
    assert (again["embedded"], again["removed"]) == (0, 0)
    assert again["stored"] == again["passages"]
    assert (changed["embedded"], changed["removed"]) == (1, 1)
    texts = [hit["text"] for hit in (await search(stack, "고친 이야기"))["found"]]
    assert "고친" in texts[0]
    assert not any("5번째 이야기" in text for text in texts)


async def test_a_bad_file_stops_nothing(stack: Stack) -> None:
    report = await bring_in(
        stack,
        {"broken.pdf": b"%PDF-1.7 nothing of it", "fine.md": "# 괜찮은 글\n\n읽을 수 있습니다."},
    )
    states = {file["name"]: (file["state"], file["error"]) for file in report["files"]}
    assert states["fine.md"] == ("done", None)
    assert states["broken.pdf"][0] == "failed"
    assert states["broken.pdf"][1] == "corrupt"
    messages = {file["name"]: file["message"] for file in report["files"]}
    assert messages["fine.md"] is None
    assert str(messages["broken.pdf"]).startswith("The file is damaged. Open it")


async def test_a_removed_document_is_never_shown_even_before_the_index_follows(
    stack: Stack,
) -> None:
    await bring_in(stack, {"secret.md": "# 비밀 문서\n\n보라색 기린은 춤을 춥니다."})
    assert (await search(stack, "보라색 기린"))["found"]
    removed = await stack.http.delete("/v1/documents/secret.md", headers=stack.headers("editor"))
    assert removed.status_code == 204
    assert (await search(stack, "보라색 기린"))["found"] == []


@pytest.mark.requirement("LB11")
async def test_a_collection_with_an_audience_is_not_there_for_others(stack: Stack) -> None:
    await bring_in(stack, {"pay.md": "# 급여 규정\n\n연봉 협상은 3월에 합니다."})
    cell = stack.services.db.cells.home
    async with cell.transaction(stack.tenant.tenant.id) as connection:
        await connection.execute(
            b"update collection set audience = '{hr}' where tenant_id = %s",
            (stack.tenant.tenant.id,),
        )
    hidden = await stack.http.get("/v1/documents/pay.md", headers=stack.headers())
    missing = await stack.http.get("/v1/documents/nothing.md", headers=stack.headers())
    assert (await search(stack, "연봉 협상"))["found"] == []
    assert hidden.status_code == missing.status_code == 404
    same = {"request_id"}
    assert {k: v for k, v in hidden.json().items() if k not in same} == {
        k: v for k, v in missing.json().items() if k not in same
    }


async def test_a_lost_index_says_degraded_and_is_made_again_without_embedding(
    stack: Stack,
) -> None:
    await bring_in(stack, {"ec2-cost.md": GUIDE, "other.md": "# 다른 글\n\n전혀 다른 이야기."})
    before = await search(stack, "약정 할인")
    folder = stack.databases.index
    assert folder is not None
    tenant = stack.tenant.tenant.id
    for path in folder.rglob(tenant.hex):
        shutil.rmtree(path)
    lost = await search(stack, "약정 할인")
    embedder = stack.services.llm.embedder
    assert isinstance(embedder, HashEmbedder)
    embedded = len(embedder.embedded)
    await stack.services.library.index_sync.rebuild(tenant)
    after = await search(stack, "약정 할인")

    assert (lost["found"], lost["degraded"]) == ([], ["index"])
    ids = [hit["passage_id"] for hit in before["found"]]
    assert [hit["passage_id"] for hit in after["found"]] == ids
    assert len(embedder.embedded) - embedded == 1, "the question alone"


async def test_members_cannot_bring_documents_in(stack: Stack) -> None:
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, "bound", user="carol"
    )
    response = await stack.http.post(
        "/v1/ingests", json={}, headers={"Authorization": f"Bearer {key}"}
    )
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")


async def test_cancelling_stops_what_has_not_begun(stack: Stack) -> None:
    headers = stack.headers("editor")
    opened = await stack.http.post("/v1/ingests", json={}, headers=headers)
    ingest = opened.json()["ingest_id"]
    await stack.http.put(f"/v1/ingests/{ingest}/files/a.md", content=GUIDE, headers=headers)
    cancelled = await stack.http.post(f"/v1/ingests/{ingest}/cancel", headers=headers)
    assert cancelled.json()["cancelled"] is True
    async with stack.working():
        report = await finished(stack, ingest)
    assert [file["state"] for file in report["files"]] == ["cancelled"]


async def test_the_index_job_runs_twice_without_a_trace(stack: Stack) -> None:
    await bring_in(stack, {"ec2-cost.md": GUIDE})
    tenant = stack.tenant.tenant.id
    before = await search(stack, "인스턴스")
    assert await stack.services.library.index_sync.sync(tenant) == 0
    missing, extra = await stack.services.library.index_sync.reconcile(tenant)
    assert (missing, extra) == (0, 0)
    assert await search(stack, "인스턴스") == before
    assert Job(JobKind.SYNC_INDEX, tenant, uuid4()).lock is None


async def test_a_document_of_too_many_passages_fails_at_once_and_says_the_limit(
    stack: Stack,
) -> None:
    long = "".join(f"# {number}\n\n줄\n\n" for number in range(MAX_PASSAGES + 1))
    [file] = (await bring_in(stack, {"app.md": long}))["files"]
    headers = stack.headers("editor") | {"Accept-Language": "ko"}
    [korean] = (await stack.http.get("/v1/documents?state=failed", headers=headers)).json()[
        "documents"
    ]

    assert (file["state"], file["error"], file["embedded"]) == ("failed", "too_long", 0)
    for message in (file["message"], korean["message"]):
        assert f"{MAX_PASSAGES:,}" in message
    assert "Split it" in file["message"]
    assert "나눠" in korean["message"]


async def test_a_large_file_comes_after_the_small_ones_of_its_ingest(stack: Stack) -> None:
    large = f"<p>하늘</p><!--{'x' * LARGE_FILE}-->"
    done = await bring_in(stack, {"a.html": large, "b.md": "# 나\n\n바다", "c.md": "# 다\n\n산"})
    order = {file["name"]: UUID(file["document_id"]) for file in done["files"]}
    assert sorted(order, key=lambda name: order[name]) == ["b.md", "c.md", "a.html"]


class FaultyEmbedder(HashEmbedder):
    """Fails until it is mended."""

    is_mended = False

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        if not self.is_mended:
            raise PermissionError("no")
        return await super().embed(texts, kind)


async def test_a_file_whose_job_is_given_up_has_failed_until_a_replay(databases: Databases) -> None:
    times = replace(PATIENT_WORKER, attempts=2, first_pause_seconds=0.01)
    embedder = FaultyEmbedder()
    async with new_stack(databases, Fakes(embedder=embedder)) as stack:
        headers = stack.headers("editor")
        opened = await stack.http.post("/v1/ingests", json={}, headers=headers)
        ingest = opened.json()["ingest_id"]
        await stack.http.put(f"/v1/ingests/{ingest}/files/guide.md", content=GUIDE, headers=headers)
        async with stack.working(times):
            over = await finished(stack, ingest)
            assert [(f["state"], f["error"]) for f in over["files"]] == [("failed", "internal")]
            embedder.is_mended = True
            await DeadLetters(stack.services.db.cells.named(HOME_CELL)).replay_all()
            while (again := await finished(stack, ingest))["files"][0]["state"] != "done":
                await asyncio.sleep(0.05)
        assert again["files"][0]["error"] is None
        assert (await search(stack, "예약 인스턴스"))["found"]
