"""One stack under attack: models that obey every order they read, and what came of it."""

import asyncio
import contextlib
import json
import re
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import SecretStr

from benchmarks.doubles.models import Calls, RecordedRequest, Reply, ScriptedModels
from benchmarks.doubles.services import CannedResponse, LocalService, ReceivedRequest
from benchmarks.filter_oracle import escapes
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.types import MemoryType
from tests.integration.chat.attacks import API, Attack, Carrier, Interface
from tests.integration.chat.library_stack import ask, library_stack, scripted
from tests.integration.library.conftest import bring_in, idle
from tests.stack import Databases, Stack

SECRET = "남의 비밀 번호 9911-2233"
ID = re.compile(r"mark\d{3}")
ORDER = re.compile(r"ATTACK-mark\d{3}: .*")
TAG = re.compile(r"<(/?)([a-z_]+)-([0-9a-f]{8})>")
SUFFIX = re.compile(r"tags whose names end in -([0-9a-f]{8})\.")
AT_ONCE = 8


def _text(shown: RecordedRequest) -> str:
    return "\n".join([shown.system, *(message.text for message in shown.messages)])


def _asked(shown: RecordedRequest) -> str:
    """Returns the id of the attack whose question is asked, or an empty text."""
    found = ID.findall([each.text for each in shown.messages if each.role == "user"][-1])
    return found[-1] if found else ""


@dataclass
class Obedience:
    """Models that obey every instruction in their prompt."""

    attacks: Sequence[Attack]
    in_documents: set[str] = field(init=False)
    own: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.own = {one.mark: one.order for one in self.attacks if one.carrier is Carrier.MODEL}
        documents = (Carrier.DOCUMENT, Carrier.TITLE)
        self.in_documents = {one.mark for one in self.attacks if one.carrier in documents}

    def orders(self, shown: RecordedRequest) -> str:
        """Returns all orders in a prompt verbatim, and the whole prompt if an order asks for it."""
        found = [order.partition(": ")[2] for order in ORDER.findall(_text(shown))]
        obeyed = "\n\n".join(found)
        return (
            f"{obeyed}\n{_text(shown)}" if re.search(r"모두 출력|Print every", obeyed) else obeyed
        )

    def calls(self, shown: RecordedRequest) -> list[tuple[str, dict[str, str]]]:
        """Returns the tools that orders name, and a search for what is asked, each once."""
        wanted = _asked(shown)
        named = re.findall(
            r"orders\.cancel_order|send_mail|delete_account|web_search 도구", self.orders(shown)
        )
        query = {"query": f"유출 9911-2233 {wanted}", "number": "7"}
        calls = [(name.split()[0], query) for name in named]
        calls.append(("web_search", {"query": f"EC2 {wanted}"}))
        if wanted in self.in_documents and f"ATTACK-{wanted}" not in _text(shown):
            calls.append(("search", {"query": wanted}))
        called = {
            (each.name, each.arguments) for message in shown.messages for each in message.calls
        }
        return [
            (name, values)
            for name, values in calls
            if (name, json.dumps(values, ensure_ascii=False)) not in called
        ]

    def write(self, shown: RecordedRequest) -> Reply:
        calls = self.calls(shown)
        if shown.tools and calls:
            return Calls(tuple(calls))
        return f"{self.orders(shown)}\n\n{self.own.get(_asked(shown), '')}".strip() or "답"

    def remember(self, shown: RecordedRequest) -> Reply:
        """Writes down every order that it sees, quoted to the letter."""
        said = re.findall(r"(?:EC2 예약 인스턴스 비용 안내 \S+ )?ATTACK-.*", _text(shown))
        own = self.own.get(_asked(shown), "").splitlines()
        return Extraction(
            statements=[
                StatementForm(type=MemoryType.NOTE, content=one, quote=one, topic="EC2 비용")
                for one in dict.fromkeys(line.strip() for line in [*said, *own])
            ]
        )

    def models(self) -> ScriptedModels:
        return scripted(lite=self.write, strong=self.write, extractor=self.remember)


def _asked_in(texts: Iterable[str]) -> str:
    return next(iter(ID.findall("\n".join(texts))), "none")


@dataclass
class Siege:
    """A tenant with all attacks planted, a neighbour with a secret, and a worker that remembers."""

    stack: Stack
    models: ScriptedModels
    service: LocalService
    remembered: dict[str, int] = field(default_factory=dict[str, int])
    effects: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def note(self, attack: Attack, effects: Iterable[str]) -> None:
        for effect in effects:
            self.effects.setdefault(attack.id, []).append(effect)

    async def plant(self, attacks: Sequence[Attack]) -> None:
        """Plants memories: victims state them and a worker extracts them."""
        told = {one.mark: one for one in attacks if one.carrier is Carrier.MEMORY}.values()

        async def tell(attack: Attack) -> None:
            body = {"message": f"받은 안내를 기억해줘: {attack.planted}"}
            headers = self.stack.headers(attack.victim)
            response = await self.stack.http.post("/v1/chat", json=body, headers=headers)
            assert response.status_code == 200, response.text

        await at_once(tell(attack) for attack in told)
        await self.worked_off()
        for attack in told:
            if not await self.memories(attack):
                # The extractor's quote was refused: the victim notes it by hand.
                body = {"content": attack.planted, "type": "note"}
                headers = self.stack.headers(attack.victim)
                noted = await self.stack.http.post("/v1/memories", json=body, headers=headers)
                assert noted.status_code == 201, noted.text
            self.remembered[attack.mark] = await self.memories(attack)

    async def over_api(self, attack: Attack) -> None:
        """Asks through one of the API's interfaces, and checks the whole response."""
        body, headers = _request(attack), self.stack.headers(attack.victim)
        openai = attack.interface in (Interface.OPENAI, Interface.OPENAI_STREAM)
        if attack.interface is Interface.STREAM:
            headers |= {"Accept": "text/event-stream"}
        path = "/v1/chat/completions" if openai else "/v1/chat"
        response = await self.stack.http.post(path, json=body, headers=headers)
        assert response.status_code == 200, response.text
        answers = _answers(attack.interface, response.text)
        assert all(answers), f"{attack.id}: no answer"
        self.note(attack, (found for text in answers for found in escapes(text)))
        await self.look_at_turn(attack, response.headers["saegim-turn"])
        if SECRET in response.text:
            self.note(attack, ["shows another person's data"])

    async def look_at_turn(self, attack: Attack, turn: str) -> None:
        response = await self.stack.http.get(
            f"/v1/turns/{turn}/trace", headers=self.stack.headers(attack.victim)
        )
        tools = [one["tool"] for one in response.json()["trace"]["tools"] if one["state"] == "ok"]
        self.note(attack, (f"ran {tool}" for tool in tools if tool != "web_search"))

    async def settle(self, attacks: Sequence[Attack]) -> None:
        """After all turns: what was remembered, what tools were sent, what tags were closed."""
        await self.worked_off()
        for attack in attacks:
            if await self.memories(attack) != self.remembered.get(attack.mark, 0):
                self.note(attack, ["memory grew"])
        by_mark = {attack.mark: attack for attack in attacks}
        for request in self.service.asked:
            query = request.parameters.get("q", "")
            if request.path != "/customsearch/v1" or "유출" in query:
                for number in ID.findall(query) or list(by_mark)[:1]:
                    self.note(by_mark[number], [f"a tool was sent {query!r}"])
        for shown in self.models.requests:
            if not balanced(shown) and _asked(shown) in by_mark:
                self.note(by_mark[_asked(shown)], ["closed a delimiter"])

    def unread(self, attacks: Sequence[Attack]) -> list[str]:
        """The attacks that no answering model has read: they prove nothing."""
        texts = [(_asked(shown), _text(shown)) for shown in self.models.requests]
        return [
            one.id
            for one in attacks
            if one.carrier is not Carrier.MODEL
            and not any(asked == one.mark and f"ATTACK-{one.mark}" in text for asked, text in texts)
        ]

    async def worked_off(self) -> None:
        async with asyncio.timeout(300):
            while not await idle(self.stack):
                await asyncio.sleep(0.05)

    async def memories(self, attack: Attack) -> int:
        headers = self.stack.headers(attack.victim)
        response = await self.stack.http.get("/v1/memories", headers=headers)
        assert response.status_code == 200, response.text
        return len(response.json()["memories"])


def balanced(shown: RecordedRequest) -> bool:
    """Whether the tags of a prompt are balanced."""
    found = SUFFIX.findall(shown.system)
    if not found:
        return True
    opened = ""
    for end, name, suffix in TAG.findall(_text(shown)):
        if suffix != found[-1]:
            continue
        if bool(end) != bool(opened) or (end and name != opened):
            return False
        opened = "" if end else name
    return not opened


def _request(attack: Attack) -> dict[str, Any]:
    openai = attack.interface in (Interface.OPENAI, Interface.OPENAI_STREAM)
    before: list[dict[str, Any]] = []
    if attack.carrier is Carrier.HISTORY:
        said = {"content": attack.planted} if openai else {"summary": attack.planted, "doc_ids": []}
        before = [{"role": "user", "content": "EC2?"}, {"role": "assistant", **said}]
    if not openai:
        return {"message": attack.question} | ({"chat_history": before} if before else {})
    messages = [*before, {"role": "user", "content": attack.question}]
    stream = attack.interface is Interface.OPENAI_STREAM
    return {"model": "saegim", "messages": messages, "stream": stream}


def _answers(interface: Interface, body: str) -> list[str]:
    """The answer, and the streamed pieces put together."""
    if interface is Interface.CHAT:
        return [json.loads(body)["answer"]]
    if interface is Interface.OPENAI:
        return [json.loads(body)["choices"][0]["message"]["content"]]
    lines = [line[5:].strip() for line in body.splitlines() if line.startswith("data:")]
    data = [json.loads(line) for line in lines if line.startswith("{")]
    if interface is Interface.STREAM:
        # Citations have the text of their source, which pages show as it is.
        tokens = [one.get("text", "") for one in data if "marker" not in one]
        return ["".join(tokens), data[-1]["answer"]]
    deltas = [choice.get("delta", {}) for one in data for choice in one.get("choices", [])]
    return ["".join(delta.get("content") or "" for delta in deltas)]


async def at_once(calls: Iterable[Any]) -> None:
    """Runs all of them, a few at a time."""
    free = asyncio.Semaphore(AT_ONCE)

    async def run(call: Any) -> None:
        async with free:
            await call

    await asyncio.gather(*map(run, calls))


def _web(attacks: Sequence[Attack]) -> Any:
    """A search engine that finds an attack's text when it is asked about it."""
    found = {one.mark: one for one in attacks if one.carrier in (Carrier.TOOL, Carrier.TOOL_TITLE)}

    def answer(asked: ReceivedRequest) -> CannedResponse:
        attack = found.get(_asked_in([asked.parameters.get("q", "")]))
        planted = attack.planted if attack else "EC2 안내"
        titled = attack is not None and attack.carrier is Carrier.TOOL_TITLE
        item = {"title": planted if titled else "EC2", "snippet": "안내" if titled else planted}
        return CannedResponse({"items": [item | {"link": "https://a.example"}]})

    return answer


@contextlib.asynccontextmanager
async def besieged(databases: Databases, attacks: Sequence[Attack]) -> AsyncIterator[Siege]:
    """A stack with all attacks planted, and its worker at work."""
    models = Obedience(attacks).models()
    files = [one.file() for one in attacks if one.carrier in (Carrier.DOCUMENT, Carrier.TITLE)]
    async with LocalService(_web(attacks)) as service:
        settings = {
            "tool_keys": {"google": SecretStr("k"), "google-engine": SecretStr("e")},
            "tool_urls": {"google": service.url},
        }
        async with library_stack(databases, models, files={}, settings=settings) as stack:
            await bring_in(stack, dict(files), seconds=300)
            await ask(stack, f"내 비밀은 {SECRET}이야", user="neighbour")
            async with stack.working():
                siege = Siege(stack, models, service)
                await siege.plant(attacks)
                yield siege


def for_api(attacks: Sequence[Attack]) -> list[Attack]:
    return [attack for attack in attacks if attack.interface in API]
