"""Create a tenant with one of everything, so that requests find existing ids."""

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx2

PAGE = "# 비용 안내\n\n예약 인스턴스로 최대 72% 할인을 받습니다. {canary}\n"
# The user of the planted turn, session and memory.
OWNER = "owner"
GUILD = "100"
SOURCE = {"source": {"kind": "urls", "urls": ["https://a.invalid/"]}}
NOTICE = {"channel_id": "42", "place": "서울", "at": "07:30"}
LIMITS = {
    "limits": [
        {"subject": subject, "resource": "requests", "window_seconds": 60, "most": 1_000_000}
        for subject in ("user", "tenant", "key")
    ]
}


@dataclass
class Planted:
    """Strings that only one tenant knows, and its ids by the names of path parameters."""

    key: str
    canary: str = field(default_factory=lambda: f"카나리아{uuid4().hex}")
    ids: dict[str, str] = field(default_factory=dict)

    def headers(self, user: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "Saegim-User": user}

    def fill(self, path: dict[str, Any], chance: random.Random, share: float) -> None:
        """Sometimes replaces generated ids with existing ones."""
        for name in path:
            if name in self.ids and chance.random() < share:
                path[name] = self.ids[name]


async def plant(url: str, key: str) -> Planted:
    planted = Planted(key)
    async with httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:

        async def made(method: str, path: str, body: object = None, user: str = OWNER) -> Any:
            headers = planted.headers(user) | {"Saegim-Guild": GUILD}
            response = await http.request(method, path, json=body, headers=headers)
            assert response.is_success, f"{method} {path}: {response.text}"
            return response.json() if response.content else {}

        await made("PUT", "/v1/limits", LIMITS)
        reply = await made("POST", "/v1/chat", {"message": planted.canary})
        memory = await made("POST", "/v1/memories", {"content": planted.canary})
        ingest = await made("POST", "/v1/ingests", {})
        await http.put(
            f"/v1/ingests/{ingest['ingest_id']}/files/page.md",
            content=PAGE.format(canary=planted.canary).encode(),
            headers=planted.headers(OWNER),
        )
        found = await _found(made)
        webhook = await made(
            "POST", "/v1/webhooks", {"url": "https://a.invalid/", "events": ["turn.handed_off"]}
        )
        planted.ids = {
            "turn_id": reply["turn_id"],
            "session_id": reply["session_id"],
            "memory_id": memory["memory_id"],
            "ingest_id": ingest["ingest_id"],
            "name": "page.md",
            "document_id": "page.md",
            "passage_id": found["passage_id"],
            "webhook_id": webhook["webhook_id"],
        } | await _administered(made, planted)
    return planted


async def _administered(made: Any, planted: Planted) -> dict[str, str]:
    """Creates what admins manage: keys, members, collections and so on."""
    collection = await made("POST", "/v1/collections", {"name": "법무"})
    assistants = await made("GET", "/v1/assistants")
    key = await made("POST", "/v1/keys", {"name": planted.canary, "user": "colleague"})
    source = await made("POST", "/v1/sources", SOURCE)
    notice = await made("POST", "/v1/guild/notices", NOTICE)
    people = {name: await made("GET", "/v1/me", user=name) for name in ("colleague", "leaver")}
    leave = {"member_id": people["leaver"]["user_id"], "reason": planted.canary}
    erased = await made("POST", "/v1/erasures", leave)
    return {
        "collection_id": collection["collection_id"],
        "assistant_id": assistants[0]["assistant_id"],
        "model_id": assistants[0]["assistant_id"],
        "key_id": key["id"],
        "member_id": people["colleague"]["user_id"],
        "source_id": source["source_id"],
        "notice_id": notice["notice_id"],
        "erasure_id": erased["erasure_id"],
    }


async def _found(made: Any) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            found = await made("POST", "/v1/search", {"query": "예약 인스턴스 할인"})
            if found["found"]:
                return found["found"][0]
            await asyncio.sleep(0.2)
