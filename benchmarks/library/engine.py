"""The interface of an engine in the retrieval benchmark, and the product as one."""

import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from benchmarks.idle import working
from benchmarks.library.bench_stack import BenchStack, Stores, new_bench_stack
from benchmarks.library.sets import BenchDocument
from saegim.app.container import Services
from saegim.domain.errors import StoreUnavailable
from saegim.library.ranking import PER_ARM
from saegim.library.types import FileState, FoundPassage, PassageSignals

# Every candidate of both retrievers.
FOUND = 2 * PER_ARM
ATTEMPTS = 5


class Arm(StrEnum):
    LEXICAL = "lexical"
    DENSE = "dense"
    FUSED = "fused"


class Engine(Protocol):
    """Loads documents and returns the best documents for a question."""

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        """Replaces the documents."""
        ...

    async def search(self, question: str) -> Mapping[Arm, list[str]]:
        """Returns document ids by their best passages, best first, each once, by retriever."""
        ...


class ServiceEngine:
    """The library as served: imported by its job, searched through its service.

    A search returns the scores of both retrievers for every candidate, so each retriever alone is
    the same search in another order.
    """

    def __init__(self, stores: Stores, services: Services) -> None:
        self._stores = stores
        self._services = services
        self._bench_stack: BenchStack | None = None
        self._ids: dict[str, str] = {}
        self._loaded: Sequence[BenchDocument] = ()

    async def load(self, documents: Sequence[BenchDocument]) -> None:
        if documents == self._loaded:
            return
        bench_stack = await new_bench_stack(self._stores, self._services, "벤치마크")
        # Plain ids, because the parser normalises spaces in ids.
        self._ids = {f"d{number}": one.id for number, one in enumerate(documents)}
        lines = "\n".join(map(_line, self._ids, documents))
        async with working(bench_stack.services):
            done = await bench_stack.finished((await bench_stack.send({"set.jsonl": lines})).id)
        [file] = done.files
        if file.state is not FileState.DONE or file.documents != len(documents):
            raise RuntimeError(f"{file.state}: {file.documents} documents, {file.error}")
        self._bench_stack, self._loaded = bench_stack, documents

    async def search(self, question: str) -> Mapping[Arm, list[str]]:
        found = await self._found(question)
        return {
            Arm.FUSED: self._documents(found),
            Arm.LEXICAL: self._documents(_ordered(found, lambda signals: signals.lexical)),
            Arm.DENSE: self._documents(_ordered(found, lambda signals: signals.dense)[:PER_ARM]),
        }

    def _documents(self, found: Sequence[FoundPassage]) -> list[str]:
        return list(dict.fromkeys(self._ids[one.document.outside_id] for one in found))

    async def _found(self, question: str) -> Sequence[FoundPassage]:
        """Returns all candidates; retries after a timeout."""
        bench_stack = self._bench_stack
        assert bench_stack is not None, "documents come first"
        for _ in range(ATTEMPTS):
            with contextlib.suppress(StoreUnavailable):
                searched = await self._services.library.search.search(
                    bench_stack.caller, question, count=FOUND
                )
                if not searched.degraded:
                    return searched.found
        raise RuntimeError("the library does not respond")


def _line(outside_id: str, document: BenchDocument) -> str:
    """Returns a document as a line of JSON, with its title if it has one."""
    titled = {"title": document.title} if document.title else {}
    record = {"id": outside_id, **titled, "text": document.text}
    return json.dumps(record, ensure_ascii=False)


def _ordered(
    found: Sequence[FoundPassage], score: Callable[[PassageSignals], float | None]
) -> list[FoundPassage]:
    """Sorts by a score, descending; equal ones by id, as in the index."""
    scored = [(value, one) for one in found if (value := score(one.signals)) is not None]
    return [one for _, one in sorted(scored, key=lambda pair: (-pair[0], pair[1].passage.id))]
