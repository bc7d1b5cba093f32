"""Files that the library has already need no upload."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from benchmarks.doubles.embedders import HashEmbedder
from saegim.app.infrastructure import Fakes
from saegim.cli.library.documents import find_files, upload
from saegim.client import SaegimClient
from saegim.llm.ports import EmbedKind
from tests.integration.library.conftest import GUIDE, bring_in, search
from tests.stack import Databases, Stack, new_stack, served

FAQ = (
    '[{"id": "faq-1", "question": "하나?", "answer": "1."}, '
    '{"id": "faq-2", "question": "둘?", "answer": "2."}]'
)


async def unchanged(
    stack: Stack, files: dict[str, str], collection: str = "default", kind: str = "guide"
) -> list[str]:
    headers = stack.headers("editor")
    body = {"collection": collection, "type": kind}
    opened = await stack.http.post("/v1/ingests", json=body, headers=headers)
    path = f"/v1/ingests/{opened.json()['ingest_id']}/unchanged"
    hashes = {name: sha256(text.encode()).hexdigest() for name, text in files.items()}
    answer = await stack.http.post(path, json={"files": hashes}, headers=headers)
    return answer.json()["unchanged"]


async def test_a_stored_file_is_unchanged_until_it_is_edited_or_means_another(
    stack: Stack,
) -> None:
    await bring_in(stack, {"ec2.md": GUIDE})
    collection = {"name": "another"}
    await stack.http.post("/v1/collections", json=collection, headers=stack.headers("admin"))

    assert await unchanged(stack, {"ec2.md": GUIDE, "new.md": GUIDE}) == ["ec2.md"]
    assert await unchanged(stack, {"ec2.md": GUIDE + "\n새 문장."}) == []
    assert await unchanged(stack, {"ec2.md": GUIDE}, kind="sop") == []
    assert await unchanged(stack, {"ec2.md": GUIDE}, collection="another") == []


async def test_a_removed_document_makes_its_file_new_again(stack: Stack) -> None:
    await bring_in(stack, {"faq.json": FAQ}, kind="faq")
    assert await unchanged(stack, {"faq.json": FAQ}, kind="faq") == ["faq.json"]
    headers = stack.headers("editor")
    removed = await stack.http.delete("/v1/documents/faq-1", headers=headers)
    assert removed.status_code == 204

    assert await unchanged(stack, {"faq.json": FAQ}, kind="faq") == []
    await bring_in(stack, {"faq.json": FAQ}, kind="faq")
    assert await unchanged(stack, {"faq.json": FAQ}, kind="faq") == ["faq.json"]


async def test_a_file_that_could_not_be_read_is_never_unchanged(stack: Stack) -> None:
    await bring_in(stack, {"broken.pdf": "%PDF-1.7 nothing"})
    assert await unchanged(stack, {"broken.pdf": "%PDF-1.7 nothing"}) == []


async def test_only_who_may_write_learns_what_is_unchanged(stack: Stack) -> None:
    own = await stack.http.post("/v1/ingests", json={"own": True}, headers=stack.headers("editor"))
    ingest = own.json()["ingest_id"]
    key = await stack.services.auth.tenants.create_key(
        stack.tenant.tenant.id, stack.tenant.assistant.id, "bound", user="carol"
    )
    bound = {"Authorization": f"Bearer {key}"}
    path, body = f"/v1/ingests/{ingest}/unchanged", {"files": {"a.md": "0" * 64}}
    answers = [
        (await stack.http.post(path, json=body, headers=headers)).status_code
        for headers in (stack.headers("editor"), stack.headers("bob"), bound)
    ]
    assert answers == [200, 404, 404]


async def test_the_second_import_of_a_folder_uploads_only_what_changed(
    stack: Stack, tmp_path: Path
) -> None:
    (tmp_path / "a.md").write_text("# 가\n\n사과는 빨갛다.", "utf-8")
    (tmp_path / "b.md").write_text("# 나\n\n바다는 파랗다.", "utf-8")
    async with (
        served(stack.services) as http,
        SaegimClient(str(http.base_url), stack.tenant.key, user="editor") as client,
        stack.working(),
    ):
        first = await upload(client, find_files([tmp_path]), "default", "guide")
        again = await upload(client, find_files([tmp_path]), "default", "guide")
        (tmp_path / "b.md").write_text("# 나\n\n바다는 깊다.", "utf-8")
        edited = await upload(client, find_files([tmp_path]), "default", "guide")

    assert ({file.name for file in first.files}, first.unchanged) == ({"a.md", "b.md"}, 0)
    assert (again.files, again.unchanged, again.over) == ([], 2, True)
    assert ([file.name for file in edited.files], edited.unchanged) == (["b.md"], 1)


class CountingEmbedder(HashEmbedder):
    """Counts the calls for documents."""

    calls = 0

    async def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[list[float]]:
        self.calls += kind == "document"
        return await super().embed(texts, kind)


async def test_short_documents_of_a_file_are_embedded_together(databases: Databases) -> None:
    embedder = CountingEmbedder()
    lines = "\n".join(
        ["질문,답변", *[f"질문 {n}번은 무엇인가요?,답 {n}번입니다." for n in range(40)]]
    )
    async with new_stack(databases, Fakes(embedder=embedder)) as stack:
        await stack.services.warm_up()
        [file] = (await bring_in(stack, {"faq.csv": lines}, kind="faq"))["files"]
        hit = (await search(stack, "질문 39번은 무엇인가요?"))["found"][0]

    assert (file["documents"], file["embedded"]) == (40, 40)
    assert embedder.calls == 2
    assert "답 39번" in hit["text"]


@pytest.mark.parametrize("size", [(1 << 20) - 1, 1 << 20, (1 << 20) + 1])
async def test_files_around_the_size_of_a_part_arrive_whole(stack: Stack, size: int) -> None:
    text = "가" * 20 + "\n\n"
    content = (text.encode() * (size // len(text.encode()) + 1))[: size - 1].decode(errors="ignore")
    content += "x" * (size - len(content.encode()))
    headers = stack.headers("editor")
    opened = await stack.http.post("/v1/ingests", json={}, headers=headers)
    path = f"/v1/ingests/{opened.json()['ingest_id']}/files/long.txt"
    sent = await stack.http.put(path, content=content, headers=headers)
    assert (sent.status_code, sent.json()["state"], sent.json()["size"]) == (202, "waiting", size)
