"""A tenant with something of everything, so that requests find what they name."""

import asyncio
import random
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx2

PAGE = "# 비용 안내\n\n예약 인스턴스로 최대 72% 할인을 받습니다. {canary}\n"
LIMITS = {
    "limits": [
        {"subject": subject, "resource": "requests", "window_seconds": 60, "most": 1_000_000}
        for subject in ("user", "tenant", "key")
    ]
}


@dataclass
class Planted:
    """What only one tenant knows, and the ids under which it has something, by the names that
    paths give them."""

    key: str
    canary: str = field(default_factory=lambda: f"카나리아{uuid4().hex}")
    ids: dict[str, str] = field(default_factory=dict)

    def headers(self, user: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}", "Saegim-User": user}

    def fill(self, path: dict[str, Any], chance: random.Random, share: float) -> None:
        """Puts ids that are there in the place of made-up ones, now and then."""
        for name in path:
            if name in self.ids and chance.random() < share:
                path[name] = self.ids[name]


async def plant(url: str, key: str) -> Planted:
    planted = Planted(key)
    async with httpx2.AsyncClient(base_url=url, timeout=60, trust_env=False) as http:

        async def made(method: str, path: str, body: object = None, **more: Any) -> Any:
            headers = planted.headers("owner")
            response = await http.request(method, path, json=body, headers=headers, **more)
            assert response.is_success, f"{method} {path}: {response.text}"
            return response.json() if response.content else {}

        await made("PUT", "/v1/limits", LIMITS)
        reply = await made("POST", "/v1/chat", {"message": planted.canary})
        memory = await made("POST", "/v1/memories", {"content": planted.canary})
        ingest = await made("POST", "/v1/ingests", {})
        await http.put(
            f"/v1/ingests/{ingest['ingest_id']}/files/page.md",
            content=PAGE.format(canary=planted.canary).encode(),
            headers=planted.headers("owner"),
        )
        found = await _found(made)
        webhook = await made(
            "POST", "/v1/webhooks", {"url": "https://a.invalid/", "events": ["turn.handed_off"]}
        )
        collection = await made("POST", "/v1/collections", {"name": "법무"})
        assistants = await made("GET", "/v1/assistants")
        planted.ids = {
            "turn_id": reply["turn_id"],
            "session_id": reply["session_id"],
            "memory_id": memory["memory_id"],
            "ingest_id": ingest["ingest_id"],
            "name": "page.md",
            "document_id": "page.md",
            "passage_id": found["passage_id"],
            "webhook_id": webhook["webhook_id"],
            "collection_id": collection["collection_id"],
            "assistant_id": assistants[0]["assistant_id"],
        }
    return planted


async def _found(made: Any) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            found = await made("POST", "/v1/search", {"query": "예약 인스턴스 할인"})
            if found["found"]:
                return found["found"][0]
            await asyncio.sleep(0.2)
