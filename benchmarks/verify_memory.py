"""`make verify-memory`: recall values from 400 turns ago that the summary has lost.

500 turns run through the product with a worker. The first hundred each contain a date, amount, id
or name; the summarizer drops all numbers and names. After the last turn each value is asked for and
searched in the result of recall: pinned facts, records and episodes within their budgets.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from benchmarks import results
from benchmarks.doubles.models import RecordedRequest, ScriptedModels
from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle
from benchmarks.working_memory.bench_stack import BenchStack, Stores, stores
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.auth.types import ActAs
from saegim.chat.types import ChatRequest
from saegim.conversations.summary.summariser import SummaryForm
from saegim.db.cells import HOME_CELL
from saegim.domain.errors import StoreUnavailable
from saegim.llm.ports import ModelRole
from saegim.memory.recall.types import RecallRequest

TURNS, PLANTED = 500, 100
LEAST = 0.95
SESSION = "long"
KINDS = ("date", "amount", "id", "name")
THINGS = [
    "한빛",
    "청주",
    "보라",
    "새봄",
    "다온",
    "가람",
    "누리",
    "이든",
    "해솔",
    "라온",
    "도담",
    "미르",
    "소담",
    "아름",
    "여울",
    "예솔",
    "온새",
    "은결",
    "찬솔",
    "초롱",
    "푸름",
    "하늘",
    "한결",
    "햇살",
    "슬기",
]
NAMES = [
    "윤하람",
    "박서진",
    "최유나",
    "정도윤",
    "강이안",
    "임지호",
    "한소율",
    "오태린",
    "서가온",
    "신다인",
]
PLACES = [
    "Ashford",
    "Bexley",
    "Carlow",
    "Dunmore",
    "Elgin",
    "Fulham",
    "Gorey",
    "Harlow",
    "Ilkley",
    "Jarrow",
    "Keswick",
    "Ludlow",
    "Malton",
    "Newry",
    "Oakham",
    "Penrith",
    "Quorn",
    "Ripon",
    "Selby",
    "Thirsk",
    "Ulster",
    "Ventnor",
    "Whitby",
    "Yarm",
    "Zennor",
]
TALK = (
    "오늘 회의가 길었어요",
    "보고서 문장을 다듬어 줘",
    "점심 메뉴 추천해 줄래?",
    "환불 규정이 어떻게 되나요?",
    "표로 정리하면 보기 좋겠네요",
    "그 부분은 나중에 다시 볼게요",
    "Can you explain that again?",
    "Let's move on to the next topic.",
    "How do I export this as a PDF?",
    "메일 제목을 더 짧게 써 줘",
    "일정표 양식이 있나요?",
    "That sounds reasonable to me.",
)


@dataclass(frozen=True)
class Fact:
    """A value that is stated once, and the question for it."""

    kind: str
    value: str
    told: str
    asked: str


def facts(count: int, seed: int = 7) -> list[Fact]:
    """Returns facts of all kinds, half in each language."""
    chance = random.Random(seed)
    made: list[Fact] = []
    for number in range(count):
        kind, korean = KINDS[number % 4], (number // 4) % 2 == 0
        thing = THINGS[number // 4 % len(THINGS)] if korean else PLACES[number // 4 % len(PLACES)]
        value = _value(kind, korean, chance)
        told, asked = (_korean if korean else _english)(kind, thing, value)
        made.append(Fact(kind, value, told, asked))
    return made


def _value(kind: str, korean: bool, chance: random.Random) -> str:
    match kind:
        case "date":
            day, month = chance.randint(1, 28), chance.randint(1, 12)
            return f"2027년 {month}월 {day}일" if korean else f"2027-{month:02d}-{day:02d}"
        case "amount":
            amount = chance.randint(1_000, 9_999)
            return f"{amount:,}만원" if korean else f"${amount:,}"
        case "id":
            return f"{chance.choice('PQRST')}X-{chance.randint(1_000, 9_999)}"
        case _:
            return chance.choice(NAMES) if korean else f"Ms. {chance.choice(PLACES)}son"


def _korean(kind: str, thing: str, value: str) -> tuple[str, str]:
    match kind:
        case "date":
            return f"{thing} 설비 점검일은 {value}이야", f"{thing} 설비 점검일이 언제였지?"
        case "amount":
            return f"{thing} 공사 견적은 {value}이야", f"{thing} 공사 견적이 얼마였지?"
        case "id":
            return f"{thing} 프로젝트 코드는 {value}이야", f"{thing} 프로젝트 코드가 뭐였지?"
        case _:
            return f"{thing} 지점 담당자는 {value}이야", f"{thing} 지점 담당자가 누구였지?"


def _english(kind: str, thing: str, value: str) -> tuple[str, str]:
    match kind:
        case "date":
            return (
                f"The inspection of our {thing} plant is on {value}.",
                f"When is the inspection of the {thing} plant?",
            )
        case "amount":
            return f"The quote for {thing} was {value}.", f"How much was the quote for {thing}?"
        case "id":
            return f"Our {thing} project code is {value}.", f"What is the {thing} project code?"
        case _:
            return (
                f"My contact at the {thing} branch is {value}.",
                f"Who is my contact at the {thing} branch?",
            )


def forgetful(_: RecordedRequest) -> SummaryForm:
    """A summarizer that keeps no number and no name."""
    return SummaryForm(summary="이런저런 이야기를 나누었다.")


@contextlib.asynccontextmanager
async def bench_stack(at: Stores) -> AsyncGenerator[BenchStack]:
    """Services with the bundled embedder, a summarizer that loses everything, and no extractor."""
    models = ScriptedModels(
        {ModelRole.LITE: lambda _: "알겠습니다.", ModelRole.SUMMARIZER: forgetful},
        timeout_seconds=60,
    )
    services = build(at.settings(), patient(Fakes(models=models)))
    await services.open()
    worker = services.worker()
    working = asyncio.create_task(worker.run())
    try:
        tenant = await services.auth.tenants.create("새김 상사", "ko", HOME_CELL)
        caller = await services.auth.authentication.authenticate(tenant.key, ActAs("alice", None))
        yield BenchStack(at, services, caller)
    finally:
        worker.stop()
        await asyncio.wait_for(working, 120)
        await services.close()


async def measure(turns: int, planted: int) -> dict[str, float]:
    """Returns the share of planted values that recall returns after so many turns."""
    told = facts(planted)
    async with stores() as at, bench_stack(at) as home:
        for number in range(turns):
            message = told[number].told if number < planted else TALK[number % len(TALK)]
            await _say(home, number, message)
        await until_idle(home.services, 3600)
        found = {kind: [0, 0] for kind in KINDS}
        for fact in told:
            counts = found[fact.kind]
            counts[0] += fact.value in await _recalled(home, fact.asked)
            counts[1] += 1
    shares = {f"lossy.{kind}": round(hit / all_, 3) for kind, (hit, all_) in found.items()}
    hits = sum(hit for hit, _ in found.values())
    return {"lossy.recalled": round(hits / planted, 3), **shares, "lossy.turns": turns}


async def _say(home: BenchStack, number: int, message: str) -> None:
    """Sends one turn; retries with its key while the server is busy."""
    request = ChatRequest(message, session=SESSION, idempotency_key=f"turn-{number}")
    while True:
        try:
            opened = await home.services.chat.turns.receive(home.caller, request)
            await home.services.chat.turns.reply(home.caller.scope, opened.turn.id)
        except StoreUnavailable:
            await asyncio.sleep(1)
        else:
            return


async def _recalled(home: BenchStack, question: str) -> str:
    """Returns everything that recall would add to the context of a question."""
    caller = home.caller
    request = RecallRequest(
        scope=caller.scope,
        message=question,
        now=home.services.clock.now(),
        time_zone=caller.time_zone,
    )
    brought = await home.services.memory.recall.recall(request)
    taken = (*brought.pinned, *brought.records, *brought.episodes)
    return "\n".join(candidate.text for candidate in taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--planted", type=int, default=PLANTED)
    chosen = parser.parse_args()
    figures = asyncio.run(measure(chosen.turns, chosen.planted))
    print(json.dumps(figures, indent=2))
    results.write(
        "memory_lossy",
        figures,
        {"turns": chosen.turns, "planted": chosen.planted, "extractor": "twin"},
    )
    sys.exit(0 if figures["lossy.recalled"] >= LEAST else 1)


if __name__ == "__main__":
    main()
