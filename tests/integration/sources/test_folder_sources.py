"""A folder of the server stays in sync, for operators, and within the folder that is allowed."""

from pathlib import Path
from uuid import UUID

import pytest

from saegim.domain.errors import Invalid, PermissionDenied
from saegim.sources.types import CrawlLimits, Folder, NewSource
from tests.integration.sources.conftest import counts, documents, look, look_again
from tests.stack import Databases, Stack, new_stack

pytestmark = pytest.mark.requirement("LB10")


def of(folder: Path | str) -> NewSource:
    return NewSource(Folder(str(folder)), "default", "guide", 3600, CrawlLimits())


async def add(stack: Stack, folder: Path | str) -> str:
    tenant: UUID = stack.tenant.tenant.id
    return str((await stack.services.sources.sources.add_as_operator(tenant, of(folder))).source.id)


async def test_files_come_in_change_and_go(stack: Stack, root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub/a.md").write_text("# 하나\n\n첫 문서입니다.", "utf-8")
    (root / "b.txt").write_text("둘째 문서입니다.", "utf-8")
    (root / ".hidden.md").write_text("# 숨김\n\n보이지 않습니다.", "utf-8")
    (root / "photo.png").write_bytes(b"\x89PNG")
    source = await add(stack, root)
    assert counts(await look(stack, source)) == (2, 2, 0, 0, 0)
    assert counts(await look_again(stack, source)) == (2, 0, 2, 0, 0)

    (root / "sub/a.md").write_text("# 하나\n\n고친 문서입니다.", "utf-8")
    (root / "b.txt").rename(root / "c.txt")
    assert counts(await look_again(stack, source)) == (2, 2, 0, 0, 1)
    assert set(await documents(stack)) == {"sub/a.md", "c.txt"}


async def test_a_folder_that_is_gone_or_empty_deletes_nothing(stack: Stack, root: Path) -> None:
    folder = root / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# 하나\n\n첫 문서입니다.", "utf-8")
    source = await add(stack, folder)
    await look(stack, source)
    folder.rename(root / "moved")
    assert (await look_again(stack, source))["error"] == "folder_not_allowed"
    folder.mkdir()  # as an unmounted disk looks
    assert (await look_again(stack, source))["error"] == "empty_listing"
    assert set(await documents(stack)) == {"a.md"}


async def test_links_out_of_the_folder_lead_nowhere(
    stack: Stack, root: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("# 비밀\n\n밖의 문서입니다.", "utf-8")
    (root / "in.md").write_text("# 안\n\n안의 문서입니다.", "utf-8")
    (root / "link.md").symlink_to(outside / "secret.md")
    (root / "folder").symlink_to(outside)
    assert (await look(stack, await add(stack, root)))["documents"] == 1
    assert set(await documents(stack)) == {"in.md"}
    for path in (outside, root / "folder", root / "../outside", "relative", "/"):
        with pytest.raises(Invalid, match="folder_not_allowed"):
            await add(stack, path)


async def test_no_folder_is_a_source_without_the_setting_nor_through_the_api(
    stack: Stack, databases: Databases, root: Path
) -> None:
    async with new_stack(databases) as plain:
        with pytest.raises(Invalid, match="folder_not_allowed"):
            await add(plain, root)
    with pytest.raises(PermissionDenied):
        await stack.services.sources.sources.add(await stack.caller(), of(root))
    body = {"source": {"kind": "folder", "path": str(root)}}
    response = await stack.http.post("/v1/sources", json=body, headers=stack.headers())
    assert response.status_code == 422


async def test_a_setting_that_is_no_network_stops_the_start(databases: Databases) -> None:
    from saegim.app.container import build
    from saegim.app.from_settings import MissingSetting

    wrong = databases.settings().model_copy(update={"sources_private_networks": ["everything"]})
    with pytest.raises(MissingSetting, match="SAEGIM_SOURCES_PRIVATE_NETWORKS"):
        build(wrong)
