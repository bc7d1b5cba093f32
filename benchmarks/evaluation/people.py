"""Write and recall the Korean long-term memory set through the product."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from benchmarks.evaluation.searchers import MemoryOwner
from saegim.app.container import Services
from saegim.auth.types import ActAs
from saegim.conversations.types import Lease, LeaseTimes, NewTurn, Outcome, TurnInputs, TurnState
from saegim.domain.ids import new_id
from saegim.domain.scope import Caller
from saegim.evaluation.play import StageClock
from saegim.evaluation.retrieval import Case

DATA = Path(__file__).parents[1] / "data" / "korean_memory"
BETWEEN_TURNS = timedelta(seconds=40)
PEOPLE = ("p1", "p2", "p3", "p4", "p5")
Split = Literal["dev", "held_out", "all"]


@dataclass(frozen=True, slots=True)
class Told:
    """A recorded user of the set: the scope to ask with, and the text of each turn."""

    person: MemoryOwner
    texts: dict[str, str]


def read(name: str) -> dict[str, Any]:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def cases_of(told: dict[str, Any], split: Split) -> tuple[Case, ...]:
    """Returns the questions of one half, or all."""
    return tuple(
        Case(
            id=asked["id"],
            kind=asked["class"],
            question=asked["question"],
            gold=frozenset(asked["evidence"]),
            also=frozenset(asked["also"]),
            stale=frozenset(asked["stale"]),
        )
        for asked in told["questions"]
        if split in ("all", asked["split"])
    )


def texts_of(told: dict[str, Any]) -> dict[str, str]:
    return {
        turn["id"]: f"{turn['message']}\n{turn['reply']}"
        for session in told["sessions"]
        for turn in session["turns"]
    }


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes conversations and processes their memories."""

    services: Services
    clock: StageClock
    key: str

    async def record(self, told: dict[str, Any], user: str) -> Told:
        """Writes all sessions of a user at their times."""
        caller = await self.services.auth.authentication.authenticate(self.key, ActAs(user, None))
        names: dict[UUID, str] = {}
        for session in told["sessions"]:
            self.clock.at = datetime.fromisoformat(session["started_at"])
            for turn in session["turns"]:
                made = await self._say(caller, session["id"], turn)
                names[made] = turn["id"]
                await self.services.memory.episodes.index(caller.scope.tenant, made)
                await self.services.memory.extraction.extract(
                    caller.scope.tenant, made, at_once=True
                )
                self.clock.at += BETWEEN_TURNS
        self.clock.at = datetime.fromisoformat(told["asked_at"])
        person = MemoryOwner(caller, self.clock.at, names)
        return Told(person, texts_of(told))

    async def _say(self, caller: Caller, session: str, said: dict[str, str]) -> UUID:
        now = self.clock.now()
        lease = Lease(new_id(now), 1)
        new = NewTurn(
            id=new_id(now),
            message=said["message"],
            inputs=TurnInputs(),
            session=session,
            idempotency_key=None,
            lease=lease,
            times=LeaseTimes(lasts_seconds=60.0),
            now=now,
        )
        opened = await self.services.conversations.turns.receive(caller, new)
        outcome = Outcome(TurnState.DONE, said["reply"])
        await self.services.conversations.settlement.settle(opened.turn, lease, outcome, [])
        return opened.turn.id


def chosen(names: Sequence[str]) -> list[dict[str, Any]]:
    return [read(name) for name in names]
