"""`make verify-synthesis`: derived memory follows its records through random changes.

A user says things, repeats, corrects and denies them, corrects and forgets memories by hand and
restores them. After each step the stored derived records are compared with a rebuild from scratch,
and each must have living sources only, also before the job has run. Some are undone and restored.
"""

import argparse
import asyncio
import json
import random
import sys
from dataclasses import dataclass, field
from uuid import UUID

from benchmarks import results
from benchmarks.working_memory.bench_stack import bench_stack, stores
from saegim.app.container import Services
from saegim.chat.types import ChatRequest
from saegim.domain.scope import Caller, Scope
from saegim.memory.service import Correction
from saegim.memory.synthesis.repository import derive, is_same
from saegim.memory.synthesis.types import DerivedMemory, DerivedStatement
from saegim.memory.types import Actor, ChangeReason, Record

TURNS = 1_000
PERSON = ChangeReason(Actor.PERSON)
CITIES = ("서울", "부산", "대전", "광주", "제주")
DRINKS = ("커피", "홍차", "우유", "맥주", "녹차")
PEOPLE = ("민수", "지영", "하준", "서연")
PROJECTS = ("모바일", "Apollo", "물류", "Orion")
DAYS = ("월요일", "화요일", "수요일", "목요일", "금요일")
SAYINGS = (
    "나는 {city}에 살아",
    "이제 {city}로 이사했어",
    "나는 매일 아침 {drink}를 마셔",
    "아침마다 {drink}를 마셔",
    "나는 {drink}를 좋아해",
    "나는 {drink}를 안 좋아해",
    "{person} 씨가 {project} 프로젝트를 맡기로 했어",
    "{person} 씨는 디자이너야",
    "{project} 프로젝트 예산은 {number}억이야",
    "{project} 프로젝트 마감은 {day}이야",
    "나는 {day}마다 수영을 해",
    "나는 땅콩 알레르기가 있어",
    "My sister {person} lives in {city}.",
    "I decided to use {project} for the report.",
    "I like {drink}.",
    "올해 목표는 {number}kg 감량이야",
)


@dataclass
class RandomChanges:
    """Changes one user's memory at random and checks what is derived from it."""

    services: Services
    caller: Caller
    chance: random.Random
    differences: int = 0
    without_source: int = 0
    undo_differences: int = 0
    turns: int = 0
    derived: int = 0
    undone: int = 0
    forgotten: list[UUID] = field(default_factory=list[UUID])

    @property
    def scope(self) -> Scope:
        return self.caller.scope

    async def step(self) -> None:
        """Change something, run the job, and count what is wrong."""
        changes = (self.say, self.correct, self.forget, self.restore, self.pin)
        [change] = self.chance.choices(changes, weights=(68, 12, 10, 6, 4))
        await change()
        self.without_source += len(await self.unsupported())
        await self.synthesise()
        self.without_source += len(await self.unsupported())
        self.differences += await self.count_differences()
        if self.chance.random() < 0.1:
            await self.undo_and_restore()

    async def say(self) -> None:
        self.turns += 1
        words = {
            "city": self.chance.choice(CITIES),
            "drink": self.chance.choice(DRINKS),
            "person": self.chance.choice(PEOPLE),
            "project": self.chance.choice(PROJECTS),
            "day": self.chance.choice(DAYS),
            "number": self.chance.randint(1, 9),
        }
        message = self.chance.choice(SAYINGS).format(**words)
        request = ChatRequest(message, session=f"talk {self.turns // 5}")
        opened = await self.services.chat.turns.receive(self.caller, request)
        await self.services.chat.turns.reply(self.scope, opened.turn.id)
        await self.services.memory.extraction.extract(
            self.scope.tenant, opened.turn.id, at_once=True
        )

    async def correct(self) -> None:
        if record := await self._any_record():
            content = f"{self.chance.choice(CITIES)}에서 {self.chance.choice(DRINKS)}를 마신다"
            memories = self.services.memory.memories
            await memories.correct(self.scope, record.id, Correction(content=content), PERSON)

    async def forget(self) -> None:
        if record := await self._any_record():
            await self.services.memory.records.forget_said(self.scope, [record.id], PERSON)
            self.forgotten.append(record.id)

    async def restore(self) -> None:
        if self.forgotten:
            record = self.forgotten.pop(self.chance.randrange(len(self.forgotten)))
            await self.services.memory.records.undo(self.scope, record, PERSON)

    async def pin(self) -> None:
        if record := await self._any_record():
            pinned = not record.pinned
            await self.services.memory.records.pin(self.scope, record.id, pinned, PERSON)

    async def undo_and_restore(self) -> None:
        """Undo a derived record: it stays undone, alone, and comes back as it was."""
        before = await self.stored()
        if not before:
            return
        synthesis, chosen = self.services.memory.synthesis, self.chance.choice(sorted(before))
        await synthesis.undo(self.scope, chosen)
        await self.synthesise()
        undone = await self.stored()
        others = {key: value for key, value in before.items() if key != chosen}
        kept = undone.pop(chosen, None)
        self.undo_differences += kept is None or not kept.undone or undone != others
        await synthesis.restore(self.scope, chosen)
        self.undo_differences += await self.stored() != before
        self.undone += 1

    async def synthesise(self) -> None:
        synthesis = self.services.memory.synthesis
        await synthesis.synthesise(self.scope.tenant, self.scope.profile)

    async def stored(self) -> dict[UUID, DerivedMemory]:
        derived = await self.services.memory.synthesis.derived.browse(self.scope)
        return {each.id: each for each in derived}

    async def unsupported(self) -> list[DerivedMemory]:
        """Return derived records with a source that is forgotten or replaced."""
        living = {each.id for each in await self._living()}
        return [
            each for each in (await self.stored()).values() if not living.issuperset(each.sources)
        ]

    async def count_differences(self) -> int:
        """Count derived records that are only in the store or only in a rebuild from scratch."""
        records = await self.services.memory.synthesis.derived.all_records(self.scope)
        expected = derive(self.chance.sample(records, len(records)), self.services.clock.now())
        stored = list((await self.stored()).values())
        self.derived = len(stored)
        return _differences(stored, expected)

    async def _living(self) -> list[Record]:
        return await self.services.memory.records.browse_all(self.scope)

    async def _any_record(self) -> Record | None:
        records = await self._living()
        return self.chance.choice(records) if records else None


def _differences(stored: list[DerivedMemory], expected: tuple[DerivedStatement, ...]) -> int:
    left = list(stored)
    missing = 0
    for derived in expected:
        found = next((each for each in left if is_same(each, derived)), None)
        if found is None:
            missing += 1
        else:
            left.remove(found)
    return missing + len(left)


async def measure(turns: int, seed: int) -> dict[str, float]:
    """Change memory until the user has said enough; the other changes come between turns."""
    steps = 0
    async with stores() as at, bench_stack(at, lambda _: "알겠습니다.") as home:
        changes = RandomChanges(home.services, home.caller, random.Random(seed))
        while changes.turns < turns:
            await changes.step()
            steps += 1
            if steps % 100 == 0:
                print(f"{steps} steps, {changes.turns} turns", file=sys.stderr, flush=True)
    return {
        "steps": steps,
        "turns": changes.turns,
        "differences": changes.differences,
        "without_source": changes.without_source,
        "undo_differences": changes.undo_differences,
        "undone": changes.undone,
        "derived": changes.derived,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--seed", type=int, default=26)
    chosen = parser.parse_args()
    figures = asyncio.run(measure(chosen.turns, chosen.seed))
    print(json.dumps(figures, indent=2))
    results.write("synthesis", figures, {"seed": chosen.seed, "models": "rules alone"})
    wrong = figures["differences"] + figures["without_source"] + figures["undo_differences"]
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
