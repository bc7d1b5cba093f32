"""Confidence of a verbatim search by rules: `python -m benchmarks.answers.calibration FILE`.

Thresholds of the fast path are chosen on the dev halves of these rows. Each Korean question is
searched twice: in the whole library, and in a library without its answer.
"""

import argparse
import asyncio
import json
import math
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, override

from benchmarks.doubles.models import ScriptedModels
from benchmarks.library.in_memory import MemoryEngine
from benchmarks.library.sets import RetrievalSet, folder, held_out_ids, load
from benchmarks.turn.questions import CALLER, NOW, MemoryLibrary
from saegim.chat.context.assembly import Budgets
from saegim.chat.context.evidence import Refs, RetrievedContext, fit, found
from saegim.chat.review import ConversationReading
from saegim.chat.routing import plain
from saegim.chat.types import AssistantConfig
from saegim.conversations.types import Exchange
from saegim.library.types import FoundPassage
from saegim.llm.steps import Steps, TurnModelBudget
from saegim.research.loop import Research, features
from saegim.research.types import Findings, ResearchQuestion

KOREAN = ("korquad", "autorag_ko")
MTRAG = "mtragun_last"


@dataclass(frozen=True, slots=True)
class Row:
    """One search, and where its answer was."""

    set: str
    half: str
    id: str
    message: str
    answerable: bool
    confidence: float
    gold_in_context: bool
    gold_rank: int | None
    gold_rank_by_rule: int | None
    sufficient_by_rule: bool
    coverage: float
    nearness: float
    margin: float
    history: int = 0
    label: str = ""
    kind: str = ""
    in_thread_confidence: float | None = None
    in_thread_gold_in_context: bool | None = None
    in_thread_gold_rank: int | None = None


class PartialLibrary(MemoryLibrary):
    """A library from which documents can be taken out."""

    hidden: Collection[str] = frozenset()

    @override
    async def _found(self, question: str, *flags: str) -> tuple[FoundPassage, ...]:
        whole = await super()._found(question, *flags)
        return tuple(one for one in whole if one.document.outside_id not in self.hidden)

    def hide(self, documents: Collection[str]) -> None:
        self.hidden = documents
        self._asked = {}


async def rows(root: Path, most: int) -> AsyncIterator[Row]:
    """Yields the rows of all sets, up to `most` questions of each Korean half."""
    for name in (*KOREAN, MTRAG):
        chosen = load(root, name)
        engine = MemoryEngine()
        await engine.load(chosen.documents)
        library = PartialLibrary(engine)
        each = _mtrag(root, chosen, library) if name == MTRAG else _korean(chosen, library, most)
        async for row in each:
            yield row
        await engine.close()


async def _korean(chosen: RetrievalSet, library: PartialLibrary, most: int) -> AsyncIterator[Row]:
    for half, questions in (("dev", chosen.dev), ("held_out", chosen.held_out)):
        for one in questions[:: max(1, len(questions) // most)][:most]:
            for answerable in (True, False):
                library.hide(frozenset() if answerable else one.gold)
                findings = await _find(library, ResearchQuestion(one.text))
                ident = one.id if answerable else f"{one.id}#without"
                yield _row(chosen.name, half, ident, one.text, one.gold, answerable, findings)
    library.hide(frozenset())


async def _mtrag(root: Path, chosen: RetrievalSet, library: PartialLibrary) -> AsyncIterator[Row]:
    gold = {one.id: one.gold for one in chosen.questions}
    lines = (root / "mtragun" / "queries.jsonl").read_text().splitlines()
    for line in lines:
        asked = json.loads(line)
        wanted = gold.get(asked["_id"], frozenset[str]())
        half = "held_out" if asked["_id"] in held_out_ids(MTRAG) else "dev"
        label = "+".join(asked["answerability"])
        alone = await _find(library, ResearchQuestion(asked["text"]))
        together = await _find(library, _in_thread(asked))
        row = _row(MTRAG, half, asked["_id"], asked["text"], wanted, label == "ANSWERABLE", alone)
        yield Row(
            **asdict(row)
            | {
                "history": len(asked["history"]),
                "label": label,
                "kind": "+".join(asked["multi_turn"]),
                "in_thread_confidence": together.confidence,
                "in_thread_gold_in_context": in_context(together.considered, wanted),
                "in_thread_gold_rank": rank_of(together.considered, wanted),
            }
        )


def _in_thread(asked: dict[str, Any]) -> ResearchQuestion:
    said = tuple(
        Exchange(number, turn["text"], "", NOW)
        for number, turn in enumerate(asked["history"])
        if turn["role"] == "user"
    )
    route = plain(ConversationReading(asked["text"], said, AssistantConfig()))
    return ResearchQuestion(asked["text"], route.standalone, route.variants)


async def _find(library: MemoryLibrary, question: ResearchQuestion) -> Findings:
    steps = TurnModelBudget(Steps(ScriptedModels({})), math.inf, lambda _: None)
    return await Research(library).find(CALLER, question, steps)


def _row(  # noqa: PLR0913 - the fields of a row
    name: str,
    half: str,
    ident: str,
    message: str,
    gold: Collection[str],
    answerable: bool,
    findings: Findings,
) -> Row:
    signals = features(message, findings.considered)
    return Row(
        set=name,
        half=half,
        id=ident,
        message=message,
        answerable=answerable,
        confidence=findings.confidence,
        gold_in_context=in_context(findings.considered, gold),
        gold_rank=rank_of(findings.considered, gold),
        gold_rank_by_rule=rank_of(findings.ranked, gold),
        sufficient_by_rule=findings.is_sufficient,
        coverage=signals.coverage,
        nearness=signals.nearness,
        margin=signals.margin,
    )


def rank_of(passages: Sequence[FoundPassage], gold: Collection[str]) -> int | None:
    """Returns the place of the first passage of a document that answers, from 1."""
    places = (at for at, one in enumerate(passages, 1) if one.document.outside_id in gold)
    return next(places, None)


def in_context(passages: Sequence[FoundPassage], gold: Collection[str]) -> bool:
    """Returns whether an answer fits into the tokens for memories and evidence."""
    pieces = found(RetrievedContext(findings=Findings(ranked=tuple(passages))), "", Refs())
    fitting, _ = fit(pieces, Budgets().gathered)
    return any(piece.evidence.document in gold for piece in fitting)


async def write(root: Path, to: Path, most: int) -> int:
    """Writes the rows as a JSON list after each set; returns how many."""
    found_rows: list[dict[str, Any]] = []
    async for row in rows(root, most):
        if found_rows and found_rows[-1]["set"] != row.set:
            await asyncio.to_thread(_save, to, found_rows)
        found_rows.append(asdict(row))
    await asyncio.to_thread(_save, to, found_rows)
    return len(found_rows)


def _save(to: Path, found_rows: Sequence[dict[str, Any]]) -> None:
    # Some scores are floats of NumPy.
    text = json.dumps(found_rows, ensure_ascii=False, indent=1, default=float)
    to.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--questions", type=int, default=300, help="of each Korean half")
    given = parser.parse_args()
    data = folder()
    assert data is not None, "set SAEGIM_BENCH_DATA"
    print(asyncio.run(write(data, given.file, given.questions)), "rows")
