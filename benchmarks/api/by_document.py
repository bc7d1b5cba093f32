"""Send valid and invalid requests made from the OpenAPI document, and check each response against
it.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.failures import Failure, FailureGroup

from benchmarks.api.tenant import OWNER, Planted

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# Shares of requests with an existing id, and of those sent by its owner.
SHARE_PLANTED = 0.7
USERS = 40
LAST = ("/v1/limits", "/v1/erasures")
ORDER = {"get": 0, "post": 1, "put": 2, "patch": 3, "delete": 4}
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@dataclass
class Tally:
    """Counts of requests, responses and violations."""

    requests: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])
    busy: int = 0
    leaks: int = 0
    operations: int = 0
    labels: set[str] = field(default_factory=set[str])
    reached: set[str] = field(default_factory=set[str])
    failures: list[str] = field(default_factory=list[str])

    @property
    def server_errors(self) -> int:
        return sum(count for status, count in self.statuses.items() if status >= 500)


@dataclass
class Run:
    """One key against every operation. `theirs` is the tenant whose ids are used."""

    url: str
    key: str
    theirs: Planted
    foreign: bool
    each: int
    number: int = 7
    modes: Sequence[GenerationMode] = MODES

    def all(self) -> Tally:
        tally = Tally()
        loaded = schemathesis.openapi.from_url(f"{self.url}/v1/openapi.json", timeout=120)
        with requests.Session() as session:
            session.trust_env = False
            for operation in _operations(loaded):
                tally.operations += 1
                tally.labels.add(operation.label)
                for mode in self.modes:
                    self._fuzz(operation, mode, session, tally)
        return tally

    def _fuzz(
        self, operation: Any, mode: GenerationMode, session: requests.Session, tally: Tally
    ) -> None:
        chance = random.Random(f"{operation.label}{mode}{self.number}")

        @seed(self.number)
        @settings(
            max_examples=self.each,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),  # pyright: ignore[reportArgumentType] - theirs
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def ask(case: Case) -> None:
            self.theirs.fill(case.path_parameters, chance, SHARE_PLANTED)
            self._ask(case, chance, session, tally)

        try:
            ask()
        except schemathesis.errors.InvalidSchema as error:
            tally.failures.append(f"{operation.label}: {error}")
        except Exception as error:
            if type(error).__name__ not in ("Unsatisfiable", "SkipTest", "FlakyStrategyDefinition"):
                raise

    def _ask(
        self, case: Case, chance: random.Random, session: requests.Session, tally: Tally
    ) -> None:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Saegim-User": OWNER if chance.random() < SHARE_PLANTED else _anybody(chance),
        }
        response = case.call(base_url=self.url, session=session, headers=headers, timeout=90)
        tally.requests += 1
        tally.statuses[response.status_code] += 1
        if response.status_code < 300:
            tally.reached.add(case.operation.label)
        if response.status_code == 503:
            # A documented 503 with Retry-After is counted, but not a failure.
            tally.busy += 1
            return
        if self.foreign and self.theirs.canary in response.text:
            tally.leaks += 1
            tally.failures.append(f"{case.method} {case.path}: shows another tenant's")
        try:
            case.validate_response(response, checks=CHECKS, headers=headers)
        except FailureGroup as group:
            tally.failures += [_line(case, one) for one in group.exceptions]
        except Failure as failure:
            tally.failures.append(_line(case, failure))


def _anybody(chance: random.Random) -> str:
    return f"user-{chance.randrange(USERS)}"


def _operations(loaded: Any) -> Iterator[Any]:
    """Orders the operations: those that delete come late, and those that affect all others last."""
    found = [each.ok() for each in loaded.get_all_operations()]
    yield from sorted(found, key=lambda each: (each.path in LAST, ORDER[each.method]))


def _line(case: Case, failure: Exception) -> str:
    said = " ".join(str(getattr(failure, "message", failure)).split())[:300]
    asked = repr(case.body)[:1_000]
    return f"{case.method} {case.path}: {type(failure).__name__}: {said}: {asked}"
