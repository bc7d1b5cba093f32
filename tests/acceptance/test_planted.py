"""Ids, card and account numbers and secrets are in no store, index or log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.idle import until_idle
from saegim.app.infrastructure import Fakes
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.memory.types import RecordQuery
from tests.acceptance.test_sealed import own
from tests.stack import Databases, new_stack

__all__ = ["own"]

# None is anybody's: made up, or published as examples. The resident numbers have no checksum.
PLANTED = (
    "900101-1234568",
    "851231-2345670",
    "0105053123456",
    "4111 1111 1111 1111",
    "5555-5555-5555-4444",
    "378282246310005",
    "110-234-567890",
    "3333-01-1234567",
    "1002-123-456789",
    "220-81-62517",
    "110111-1234567",
    "078-05-1120",
    "sk-proj-Zx81kQpL0vB27nRtYw93",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPLE",
    "hunter2!Pass99",
    "Sup3r$ecret!",
)
CONTEXTS = (
    "기억해줘, 내 주민등록번호는 {0}이야",
    "제 주민번호 {1} 이고 서울에 살아요",
    "여권 대신 주민등록증 {2} 써도 되나요? 나는 개발자야",
    "카드번호 {3} 로 결제해줘. 나는 커피를 좋아해",
    "My card is {4} and I live in Seoul.",
    "Remember my amex: {5}",
    "신한은행 계좌 {6} 로 보내줘. 우리 딸 이름은 서연이야",
    "카카오뱅크 {7} 이 내 계좌야",
    "우리은행 {8} 예금주는 김민수",
    "우리 회사 사업자등록번호는 {9}이야",
    "법인등록번호는 {10}이고 직원은 12명이야",
    "my SSN is {11}, keep it for the form",
    "API 키는 {12} 야 기억해줘",
    "the token is {13} and I work at Hanbit",
    "AWS access key {14} 저장해줘",
    "내 비밀번호는 {15} 야. 강아지 초코를 키워",
    "password: {16} -- I'm allergic to peanuts.",
)
CONTACTS = ("010-9876-5432", "minsu.kim@hanbit.example")
MARKER = "a name that is not sealed"


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    """Everything that is logged, at every level."""
    path = tmp_path / "everything.log"
    handler = logging.FileHandler(path, encoding="utf-8")
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.removeHandler(handler)
    root.setLevel(level)
    handler.close()


@pytest.mark.requirement("LM2")
async def test_what_must_never_be_stored_is_stored_nowhere(
    own: tuple[Databases, Path], log_file: Path, tmp_path: Path
) -> None:
    databases, folder = own
    databases = Databases(databases.servers, databases.data, databases.keyring, tmp_path / "index")
    async with new_stack(databases, Fakes(embedder=BundledEmbedder()), name=MARKER) as stack:
        async with stack.working():
            for context in CONTEXTS:
                await stack.say(context.format(*PLANTED), **{"Saegim-Session": "s"})
            await stack.say(
                f"기억해줘, 내 번호는 {CONTACTS[0]}이고 메일은 {CONTACTS[1]}이야",
                **{"Saegim-Session": "s"},
            )
            await until_idle(stack.services)
        scope = (await stack.caller()).scope
        memories = await stack.services.memory.records.browse(scope, RecordQuery(count=1_000))
        client = stack.services.db.redis
        await client.ping()
    databases.servers.stop()

    said = [memory.content + memory.quote + memory.topic for memory in memories]
    assert len(said) >= 6, "what stands beside a secret is remembered"
    assert not [text for text in said if any(value in text for value in (*PLANTED, *CONTACTS))]
    files = [path for root in (folder, tmp_path) for path in root.rglob("*") if path.is_file()]
    assert log_file in files
    assert any(MARKER.encode() in path.read_bytes() for path in files), "the search would find it"
    planted = [value.encode() for value in (*PLANTED, *CONTACTS)]
    held = [(path.name, value) for path in files for value in planted if value in path.read_bytes()]
    assert held == []
