"""Messages that must not harm a memory, facts that must be kept, and texts that are no facts.

The sentences of `data/harm.json` were written by somebody who saw neither the rules nor the
examples of the classifier. Nothing was tuned on them.
"""

import argparse
import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import httpx2
import psycopg

from benchmarks import results
from benchmarks.conversation.messages import files
from benchmarks.doubles.models import Script, ScriptedModels
from benchmarks.doubles.patience import patient
from benchmarks.idle import until_idle, working
from benchmarks.library.bench_stack import import_texts, stores
from benchmarks.page import everything, publish
from saegim.api.app import create_app
from saegim.app.container import Services, build
from saegim.app.infrastructure import Fakes
from saegim.db.cells import HOME_CELL
from saegim.llm.ports import ModelRole
from saegim.memory.extraction.extractor import Extraction

SENTENCES = Path(__file__).parent / "data" / "harm.json"
# Users who write at once; the worker follows.
_AT_ONCE = 10
_SECONDS = 300.0
_REFUSED = b"select turn_id from saegim.extraction where origin = 'person'"

Kind = Literal["change_nothing", "fact", "request", "not_fact"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message, what is known of its user, and what is expected.

    `expect`: the words that a stored fact contains; the numbers of the known statements that a
    request to forget means, or "this" for one not to remember the message.
    """

    id: str
    lang: Literal["ko", "en"]
    kind: Kind
    message: str
    known: tuple[str, ...] = ()
    expect: tuple[str | int, ...] | Literal["this"] = ()

    @property
    def meant(self) -> list[str]:
        """Return the known statements that a request to forget means."""
        return [self.known[at] for at in self.expect if isinstance(at, int)]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a message did: before and after a "yes" to what was proposed."""

    sentence: Sentence
    before: frozenset[str]
    answer: str
    proposed: str | None
    after: frozenset[str]
    confirmed: frozenset[str] | None
    is_refused: bool

    @property
    def deleted(self) -> set[str]:
        return set(self.before - self.after)

    @property
    def added(self) -> set[str]:
        return set(self.after - self.before)

    @property
    def keeps_fact(self) -> bool:
        """Return whether the new records contain all words expected of a fact."""
        stored = " ".join(self.added).casefold()
        return all(str(word).casefold() in stored for word in self.sentence.expect)

    @property
    def fulfils(self) -> bool:
        """Return whether a request was proposed, and a yes removed just what was meant."""
        if self.confirmed is None:
            return False
        if self.sentence.expect == "this":
            return self.confirmed == self.before
        return self.before - self.confirmed == set(self.sentence.meant)

    @property
    def removes_others(self) -> bool:
        """Return whether a yes to the proposal removed what the request did not mean."""
        gone = self.before - (self.confirmed or self.before)
        return self.sentence.expect != "this" and not gone <= set(self.sentence.meant)


def sentences(path: Path = SENTENCES) -> list[Sentence]:
    fields = Sentence.__dataclass_fields__
    return [
        Sentence(**{name: _frozen(value) for name, value in each.items() if name in fields})
        for each in json.loads(path.read_text())
    ]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, eq=False)
class Users:
    """One user per sentence, over the HTTP API."""

    services: Services
    http: httpx2.AsyncClient
    key: str
    database: str

    async def effects(self, written: Sequence[Sentence]) -> list[Effect]:
        await self._each(written, self._prepare)
        before = await self._each(written, self._stored)
        replies = await self._each(written, self._send)
        await until_idle(self.services, _SECONDS)
        after = await self._each(written, self._stored)
        refused = await asyncio.to_thread(self._refused)
        confirmed = await self._each(list(zip(written, replies, strict=True)), self._confirm)
        return [
            Effect(
                each,
                known,
                reply["answer"],
                reply["proposal"],
                records,
                agreed,
                reply["turn_id"] in refused,
            )
            for each, known, reply, records, agreed in zip(
                written, before, replies, after, confirmed, strict=True
            )
        ]

    async def _each[Given, Found](
        self, given: Sequence[Given], do: Callable[[Given], Awaitable[Found]]
    ) -> list[Found]:
        return [
            found
            for at in range(0, len(given), _AT_ONCE)
            for found in await asyncio.gather(*map(do, given[at : at + _AT_ONCE]))
        ]

    async def _prepare(self, sentence: Sentence) -> None:
        for known in sentence.known:
            await self._call("POST", "/v1/memories", sentence, {"content": known})

    async def _send(self, sentence: Sentence) -> Any:
        return await self._call("POST", "/v1/chat", sentence, {"message": sentence.message})

    async def _stored(self, sentence: Sentence) -> frozenset[str]:
        listed = await self._call("GET", "/v1/memories", sentence)
        return frozenset(each["content"] for each in listed["memories"])

    def _refused(self) -> set[str]:
        """Return the turns that nothing is remembered of."""
        with psycopg.connect(self.database) as connection:
            return {str(turn) for (turn,) in connection.execute(_REFUSED)}

    async def _confirm(self, sent: tuple[Sentence, Any]) -> frozenset[str] | None:
        sentence, reply = sent
        if reply["proposal"] is None:
            return None
        yes = {
            "message": {"ko": "네", "en": "yes"}[sentence.lang],
            "session_id": reply["session_id"],
        }
        await self._call("POST", "/v1/chat", sentence, yes)
        return await self._stored(sentence)

    async def _call(
        self, method: str, path: str, sentence: Sentence, body: Mapping[str, Any] | None = None
    ) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", "Saegim-User": sentence.id}
        headers["Accept-Language"] = sentence.lang
        response = await self.http.request(
            method, path, json=body, headers=headers, timeout=_SECONDS
        )
        assert response.is_success, f"{sentence.id}: {response.text}"
        return response.json()


@contextlib.asynccontextmanager
async def users(
    models: ScriptedModels | None = None, *, documents: bool = True
) -> AsyncGenerator[Users]:
    """Run the product, without a model unless one is scripted."""
    async with stores(durable=False) as at:
        services = build(at.settings(), patient(Fakes(models=models)))
        await services.open()
        try:
            await services.warm_up()
            async with working(services):
                if documents:
                    key = await import_texts(services, "office", files("office"))
                else:
                    key = (await services.auth.tenants.create("office", "ko", HOME_CELL)).key
                transport = httpx2.ASGITransport(app=create_app(services))
                async with httpx2.AsyncClient(transport=transport, base_url="http://a") as http:
                    yield Users(services, http, key, at.servers.postgres.url("saegim"))
        finally:
            await services.close()


def idle_model() -> ScriptedModels:
    """Return a model that answers politely, calls nothing and extracts nothing."""
    answers: dict[ModelRole, Script] = dict.fromkeys(
        (ModelRole.LITE, ModelRole.STRONG), lambda _: "알겠습니다."
    )
    return ScriptedModels({**answers, ModelRole.EXTRACTOR: lambda _: Extraction(statements=[])})


def figures(effects: Sequence[Effect]) -> dict[str, float]:
    by_kind = {kind: [e for e in effects if e.sentence.kind == kind] for kind in get_args(Kind)}
    requests = by_kind["request"]
    return {
        "sentences": float(len(effects)),
        # No message deletes: not even a request, before somebody agreed. A fact may end another.
        "wrong_deletions": float(
            sum(bool(each.deleted) for each in effects if each.sentence.kind != "fact")
        ),
        "wrong_refusals": float(sum(each.is_refused for each in effects)),
        "facts_kept": _share([each.keeps_fact for each in by_kind["fact"]]),
        "quiet": _share([not each.added for each in by_kind["not_fact"]]),
        "needless_proposals": _share([bool(e.proposed) for e in by_kind["change_nothing"]]),
        "requests_fulfilled": _share([each.fulfils for each in requests]),
        "requests_that_remove_others": float(sum(each.removes_others for each in requests)),
    }


def changed_with_model(effects: Sequence[Effect]) -> float:
    """Return how many messages changed a memory although the model called nothing."""
    return float(sum(bool(each.deleted or each.added) for each in effects))


def _share(hits: Sequence[bool]) -> float:
    return sum(hits) / len(hits) if hits else 0.0


async def measure(
    written: Sequence[Sentence], *, documents: bool = True
) -> tuple[dict[str, float], list[Effect]]:
    async with users(documents=documents) as without:
        effects = await without.effects(written)
    async with users(idle_model(), documents=documents) as beside:
        calm = await beside.effects(written)
    return figures(effects) | {"with_model.changed": changed_with_model(calm)}, effects


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=Path, default=SENTENCES)
    parser.add_argument("--show", action="store_true", help="print what each message did")
    options = parser.parse_args()
    found, effects = asyncio.run(measure(sentences(options.sentences)))
    for each in effects if options.show else ():
        print(json.dumps(_row(each), ensure_ascii=False))
    print("\n".join(f"{name:32} {value:.3f}" for name, value in found.items()))
    if options.sentences == SENTENCES:
        results.write("harm", found, {"measured": "messages without and with a scripted model"})
        publish("harm", everything(found))


def _row(effect: Effect) -> dict[str, Any]:
    sentence = effect.sentence
    return {
        "id": sentence.id,
        "kind": sentence.kind,
        "message": sentence.message,
        "deleted": sorted(effect.deleted),
        "added": sorted(effect.added),
        "proposed": effect.proposed,
        "refused": effect.is_refused,
        "answer": effect.answer,
    }


if __name__ == "__main__":
    main()
