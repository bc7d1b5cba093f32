"""Text of users is encrypted in every store, and readable with the key."""

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest

from benchmarks.idle import until_idle
from benchmarks.prepared_cluster import DATA, KEYRING, start_servers
from tests.sizes import sized
from tests.stack import Databases, Stack, new_stack

TURNS = sized(60, 200)
TENANT = "a name that is not sealed"
SUBJECTS = (
    "우리 딸 서연이가",
    "The quarterly budget of Hanbit",
    "지난주 화요일에 김부장님이",
    "My cat Nabi",
)
DEEDS = (
    "새로 산 자전거를 {n}번 잃어버렸어요",
    "asked for {n} thousand won and nobody answered",
    "한강에서 {n}킬로미터를 달렸습니다",
    "needs medicine number {n} every evening",
)


@pytest.fixture
def own() -> Iterator[tuple[Databases, Path]]:
    """Servers whose files belong to this test."""
    with TemporaryDirectory(prefix="saegim-sealed-") as folder:
        servers = start_servers(Path(folder))
        yield Databases(servers, DATA, KEYRING), Path(folder)
        servers.stop()


def sentences() -> list[str]:
    chance = random.Random(20261115)
    return [
        f"{chance.choice(SUBJECTS)} {chance.choice(DEEDS).format(n=1000 + n)}" for n in range(TURNS)
    ]


@pytest.mark.sized
async def test_no_sentence_stands_on_disk_and_all_read_back(own: tuple[Databases, Path]) -> None:
    databases, folder = own
    said = sentences()
    users = ("민수-outside-id", "alice-outside-id", "さくら-outside-id")
    sessions: dict[str, str] = {}
    async with new_stack(databases, name=TENANT) as stack:
        async with stack.working():
            for number, sentence in enumerate(said):
                user = users[number % len(users)]
                reply = await stack.say(sentence, _ascii(user), **{"Saegim-Session": "s"})
                sessions[user] = reply["session_id"]
            await until_idle(stack.services)
        read_back = [
            turn["message"]
            for user in users
            for turn in await _turns(stack, _ascii(user), sessions[user])
        ]
    databases.servers.stop()

    assert sorted(read_back) == sorted(said)
    planted = [text.encode() for text in (*said, *users)]
    planted += [part.encode() for part in ("서연이", "Hanbit", "김부장", "Nabi", "자전거를")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    held = [path for path in files if any(text in path.read_bytes() for text in planted)]
    assert any(TENANT.encode() in path.read_bytes() for path in files), "the search would find it"
    assert held == []


def _ascii(name: str) -> str:
    return quote(name)


async def _turns(stack: Stack, user: str, session: str) -> list[dict[str, str]]:
    page = await stack.http.get(f"/v1/sessions/{session}/turns", headers=stack.headers(user))
    return page.json()["turns"]
