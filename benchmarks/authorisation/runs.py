"""Send every trial of every attacker, and collect the escalations."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.authorisation.oracle import Oracle
from benchmarks.authorisation.records import Records
from benchmarks.authorisation.trials import Trial, attacks
from benchmarks.authorisation.world import Attacker, Call, World
from saegim.auth.grants import DENIED_PERMISSIONS, RULES, Grants

READS = ("GET", "HEAD")


@dataclass
class Tally:
    """The number of combinations, and their results."""

    combinations: int = 0
    operations: set[str] = field(default_factory=set[str])
    statuses: Counter[int] = field(default_factory=Counter[int])
    escalations: list[str] = field(default_factory=list[str])


@dataclass
class Run:
    """One application with its rules, against the attackers."""

    world: World
    records: Records
    jwks: Mapping[str, Any]
    call: Call

    async def all(
        self, attackers: Iterable[Attacker], trials: Sequence[Trial], *, first: bool = False
    ) -> Tally:
        """Sends everything; with `first` only until something was obtained."""
        tally, oracle = Tally(), Oracle(self.world, self.records)
        for attacker in attackers:
            for trial in (*attacks(self.world, attacker, self.jwks), *trials):
                tally.escalations += await self._one(attacker, trial, oracle, tally)
                if first and tally.escalations:
                    return tally
        return tally

    async def _one(
        self, attacker: Attacker, trial: Trial, oracle: Oracle, tally: Tally
    ) -> list[str]:
        response = await self.call(
            trial.method, trial.path, attacker.headers, trial.body, trial.content
        )
        tally.combinations += 1
        tally.operations.add(trial.label)
        tally.statuses[response.status_code] += 1
        wrote = trial.method not in READS and response.status_code < 400
        changes = self.records.changes() if wrote else []
        found = oracle.judge(attacker, trial, response, changes)
        if trial.label == "POST /v1/tokens" and response.status_code == 201:
            token = {"Authorization": f"Bearer {response.json()['secret']}"}
            me = await self.call("GET", "/v1/me", token)
            if me.status_code == 200:
                found += oracle.token(attacker, me.json())
        self.records.restore(changes)
        return found


def weakened() -> dict[str, Grants]:
    """Returns rule sets with one hole each, by the rule that was removed."""
    found = {f"without {rule}": Grants(RULES - {rule}) for rule in sorted(RULES)}
    for kind, denied in DENIED_PERMISSIONS.items():
        for each in sorted(denied):
            rest = {**DENIED_PERMISSIONS, kind: denied - {each}}
            found[f"{kind} with {each}"] = Grants(RULES, rest)
    return found
