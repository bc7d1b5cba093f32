"""A site with documents, memories and models that follow a script, for a browser to look at."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr
from pydantic_ai.exceptions import ModelHTTPError

from benchmarks.doubles.models import Pieces, RecordedRequest, Reply, ScriptedModels, call
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from saegim.app.infrastructure import Fakes, KeyTimes
from saegim.auth.types import ActAs
from saegim.domain.scope import Role
from saegim.llm.bundled_embedders import BundledEmbedder
from saegim.llm.connections.discovery import ModelDiscovery, ModelServer
from saegim.web.app import create_site
from tests.integration.chat.library_stack import FAQ, SENSOR, configure, scripted
from tests.integration.library.conftest import bring_in
from tests.stack import Databases, Stack, new_stack, served

GUIDE = """---
id: guide-001
type: guide
title: EC2 비용 절감 안내서
---
# EC2 비용 절감 안내서

## 예약 인스턴스

예약 인스턴스는 1년 또는 3년 약정으로 최대 72% 할인을 받습니다. 전체 선결제가 할인 폭이 가장 큽니다.

## 스팟 인스턴스

스팟 인스턴스는 남는 용량을 최대 90% 할인된 값에 씁니다. 회수될 수 있어 배치 작업에 알맞습니다.

## 유휴 자원

7일 동안 CPU 사용률이 5% 미만인 인스턴스는 멈추거나 작은 크기로 바꿉니다.
"""
GUIDE_EN = """---
id: guide-051
type: guide
title: Reduce your EC2 cost
---
# Reduce your EC2 cost

## Reserved instances

Reserved instances reduce the EC2 cost by up to 72% with a commitment of one or three years.

## Spot instances

Spot instances reduce the EC2 cost by up to 90%. They may be taken back: use them for batch work.
"""
HOSTILE = """---
id: hostile-1
type: guide
title: "<img src=x onerror=window.hacked=1> 위험한 문서"
---
# <script>window.hacked = 1</script> 위험한 제목

위험한 본문 <img src="https://evil.example/pixel.png" onerror="window.hacked=1"> 과
[링크](javascript:window.hacked=1) ![그림](https://evil.example/p.png) 입니다.
"""
LIBRARY = {"guide.md": GUIDE, "sensor.md": SENSOR, "faq.md": FAQ, "hostile.md": HOSTILE}

GOOD = """EC2 비용은 세 가지로 줄일 수 있습니다.

| 방법 | 할인 | 알맞은 작업 |
| --- | --- | --- |
| 예약 인스턴스 | 최대 72% | 늘 켜 두는 서버 |
| 스팟 인스턴스 | 최대 90% | 배치 작업 |

1. **예약 인스턴스**: 1년 또는 3년 약정으로 최대 72% 할인을 받습니다 [1].
2. **스팟 인스턴스**: 남는 용량을 씁니다. 회수될 수 있으니 배치 작업에 쓰세요 [2].
3. 쓰지 않는 인스턴스는 `aws ec2 stop-instances`로 멈춥니다."""
GOOD_EN = """There are two ways that pay off at once:

1. **Reserved instances** cost up to 72% less with a commitment of one or three years [1].
2. **Spot instances** use spare capacity, up to 90% cheaper, for batch work [2]."""
SEARCH = "예약 인스턴스 약정 할인"
# What the passages have that these answers cite.
SHARES = (("72%",), ("남는 용량",))
SHARES_EN = (("cost by up to 72%",), ("cost by up to 90%",))
EVIL = """<script>window.hacked = 1</script><img src=x onerror="window.hacked=1">
<a href="javascript:window.hacked=1">여기</a> [눌러](javascript:window.hacked=1)
![x](https://evil.example/p.png) <svg onload="window.hacked=1"></svg> <iframe src="//evil.example">
"""
RICH = """# 정산 결과

| 항목 | 9월 | 10월 | 11월 | 12월 | 합계 금액 |
| --- | ---: | ---: | ---: | ---: | ---: |
| 컴퓨팅 인스턴스 | 4,100,000 | 3,930,000 | 4,250,000 | 4,410,000 | 16,690,000 |
| 데이터베이스 | 1,200,000 | 1,180,000 | 1,310,000 | 1,290,000 | 4,980,000 |

- [x] 예약 인스턴스 검토
- [ ] 유휴 자원 정리

```python
def total(prices):
    return sum(prices)  # 합계
```

할인율은 $$r = 1 - \\frac{p}{q}$$ 이고 금액은 $5와 $10입니다."""
LONG = "\n\n".join(
    f"문단 {number}은 **굵은 글자**와 `code {number}`를 담고, 화면이 멈추지 않게 씁니다. " * 5
    for number in range(1, 95)
)
GROWING_LIST = "".join(f"{number}. 항목 {number}은 **굵게** 씁니다.\n\n" for number in range(1, 60))
GROWING_TABLE = "| 이름 | 금액 |\n| --- | ---: |\n" + "".join(
    f"| 항목 {number} | {number},000,000원 |\n" for number in range(1, 60)
)
MECHANIC = "당신은 장비 정비를 돕는 무쇠입니다."
BROKEN = "고장 난 모델:"
"""In a message: the model fails."""
WEB = "웹에서"
"""In a message: has the web searched, which gives nothing but harm."""
PATIENCE = 180_000
"""Milliseconds that a busy machine may take for anything that is waited for."""
GOES_ON = asyncio.Event()
"""Cleared by a test that wants a slow answer to stay unfinished."""
GOES_ON.set()
SLOW = tuple(f"{word} " for word in ("하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열 " * 4).split())


def answer(shown: RecordedRequest) -> Reply:
    """Returns the model's answer, by a word in the message."""
    message = next(each.text for each in reversed(shown.messages) if each.role == "user")
    said = message.rpartition("</")[2] if "</" in message else message
    if shown.messages[-1].role == "user" and (tool := called(shown, said)):
        return tool
    if BROKEN in said:
        return ModelHTTPError(500, "broken")
    if MECHANIC in shown.system:
        return "무쇠가 답합니다: 케이블부터 확인하세요."
    if WEB in said:
        return f"웹에서 찾은 내용입니다 [F1]. {EVIL}"
    if "정산" in said:
        return RICH
    if "아주 길게" in said:
        words = re.findall(r"\S+\s*", LONG)
        return Pieces(tuple(words), pause_seconds=0.001)
    for word, growing in (("목록으로", GROWING_LIST), ("표로", GROWING_TABLE)):
        if word in said:
            return Pieces(tuple(re.findall(r"\S+\s*", growing)), pause_seconds=0.01)
    if "천천히" in said:
        return Pieces(SLOW[:9], 0.05, then=Pieces(SLOW[9:], 0.05, begin=GOES_ON))
    if "위험" in said:
        return EVIL
    if "점심" in said:
        memory = " ".join(f"[{each}]" for each in remembered(shown)[:1])
        nuts = "호두" if "호두" in shown.system + message else "땅콩"
        return f"{nuts} 알레르기가 있으시니 {nuts}이 없는 메뉴를 고르세요 {memory}."
    if "reduce" in said or "save" in said:
        return Pieces(tuple(re.findall(r"\S+\s*", cited(shown, GOOD_EN, *SHARES_EN))), 0.002)
    if "회식" in said:
        return cited(shown, "회식은 22일 저녁 7시에 을지로 한강집에서 합니다 [1].", ("한강집",))
    if "EC2" in said:
        return Pieces(tuple(re.findall(r"\S+\s*", cited(shown, GOOD, *SHARES))), 0.002)
    if said.isascii():
        return "Got it. I will keep that in mind."
    return "네, 알겠습니다. 기억해 두겠습니다."


def called(shown: RecordedRequest, said: str) -> Reply | None:
    """Returns the call of a tool that the message asks for."""
    fact = re.search(r"나는 [^.\n]+", said)
    forgets = "잊어 줘" in said or "Forget" in said
    is_found = any("72%" in passage for _, passage in passages(shown))
    wanted = {
        "web_search": call("web_search", query="EC2") if WEB in said else None,
        "search": call("search", query=SEARCH) if "EC2" in said and not is_found else None,
        "forget": call("forget", refs=remembered(shown)) if forgets else None,
        "undo": call("undo") if said.endswith("undo") else None,
        "remember": call("remember", statement=fact[0], quote=fact[0]) if fact else None,
    }
    return next((each for name, each in wanted.items() if each and name in shown.tools), None)


def remembered(shown: RecordedRequest) -> list[str]:
    """Returns the markers of the memories in the request."""
    text = "\n".join([*shown.blocks("user"), *shown.blocks("memories")])
    return list(dict.fromkeys(re.findall(r"\[(M\d+)\]", text)))


def passages(shown: RecordedRequest) -> list[tuple[str, str]]:
    """Returns the passages in the request with their markers, also those that a tool found."""
    evidence = "\n".join([*shown.blocks("evidence"), *shown.blocks("found")])
    return re.findall(r"(?ms)^\[(\d+)\] (.*?)(?=^\[\d+\] |\Z)", evidence)


def cited(shown: RecordedRequest, text: str, *sources: tuple[str, ...]) -> str:
    """Returns a text in which [1] names the passage that has a word of the first source, and so
    on."""

    def named(found: re.Match[str]) -> str:
        words = sources[int(found[1]) - 1]
        having = (each for each, text in passages(shown) if any(word in text for word in words))
        return f"[{next(having, '1')}]"

    return re.sub(r"\[([12])\]", named, text)


def web_results(_: ReceivedRequest) -> CannedResponse:
    """Search results in which every part tries to run or load something."""
    title = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script> 웹 문서"
    found = {"title": title, "snippet": EVIL, "link": "https://evil.example/page?<script>"}
    return CannedResponse({"items": [found, found | {"link": "javascript:window.hacked=1"}]})


@dataclass
class Site:
    """The site's address, and ways to prepare what it shows."""

    stack: Stack
    url: str
    keys: dict[str, str] = field(default_factory=dict)
    model_servers: list[ModelServer] = field(default_factory=list[ModelServer])
    """Where models are looked for, as `saegim dev` does."""

    async def key(self, user: str, role: Role = Role.ADMIN) -> str:
        """A key of one person."""
        if user not in self.keys:
            tenant = self.stack.tenant
            self.keys[user] = await self.stack.services.auth.tenants.create_key(
                tenant.tenant.id, tenant.assistant.id, "web", user=user, role=role
            )
        return self.keys[user]

    async def cookie(self, user: str, role: Role = Role.ADMIN) -> str:
        """Returns the cookie of a signed-in user."""
        return await self.stack.services.auth.sign_ins.begin(await self.key(user, role), ActAs())

    async def assistant(self, name: str, persona: str) -> str:
        """One more assistant, which everybody may switch to; its id."""
        body = {"name": name, "persona": persona, "config": {"offered_to": []}}
        headers = self.stack.headers("admin")
        response = await self.stack.http.post("/v1/assistants", json=body, headers=headers)
        assert response.status_code == 201, response.text
        return response.json()["assistant_id"]

    async def remember(
        self, user: str, content: str, kind: str = "fact", pinned: bool = False
    ) -> str:
        headers = {"Authorization": f"Bearer {await self.key(user)}"}
        response = await self.stack.http.post(
            "/v1/memories",
            json={"content": content, "type": kind},
            headers=headers,
        )
        assert response.status_code == 201, response.text
        made = response.json()["memory_id"]
        await self.stack.http.put(
            f"/v1/memories/{made}/pin", json={"pinned": pinned}, headers=headers
        )
        return made


@contextlib.asynccontextmanager
async def staged(
    databases: Databases,
    files: Mapping[str, str] = LIBRARY,
    models: ScriptedModels | None = None,
    name: str = "코스트렌즈",
) -> AsyncIterator[Site]:
    """A site with a library, a worker, and a model that answers by the script."""
    models = models or scripted(lite=answer)
    evaluations = (databases.index or Path()).parent / "evaluations"
    async with LocalService(web_results) as web:
        settings = {
            "evaluations": evaluations,
            "model_private_networks": ["127.0.0.0/8"],
            "tool_keys": {"google": SecretStr("k"), "google-engine": SecretStr("e")},
            "tool_urls": {"google": web.url},
        }
        # An erasure is over once no process remembers a key: here within a second.
        # What a message asks of memory without a model is judged with this embedder.
        embedder = BundledEmbedder()
        times = KeyTimes(remember=0.5, margin=0.1)
        fakes = Fakes(models=models, heads_embedder=embedder, key_times=times)
        servers = list[ModelServer]()
        async with new_stack(databases, fakes, name, settings) as stack:
            stack.services.llm.connections.discovery = ModelDiscovery(servers)
            await stack.services.warm_up()
            await bring_in(stack, files)
            # Searches of a library of four documents are never sure.
            await configure(stack, thresholds={"evidence": 0.0})
            async with served(stack.services, create_site) as http, stack.working():
                yield Site(stack, str(http.base_url).rstrip("/"), model_servers=servers)
