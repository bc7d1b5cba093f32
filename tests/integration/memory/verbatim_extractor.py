"""An extractor that remembers what a person says word for word."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchmarks.doubles.models import RecordedRequest, Reply, ScriptedModels
from saegim.llm.ports import ModelRole
from saegim.memory.extraction.changes import Relation
from saegim.memory.extraction.extractor import Extraction, StatementForm
from saegim.memory.types import MemoryType
from saegim.text.analysis import sentences
from saegim.text.questions import is_question


@dataclass(frozen=True)
class VerbatimExtractor:
    """Remembers each sentence that asks nothing.

    `details` are fields of the statement of a sentence; `known` and `rests_on` name contents.
    Single words and `ignored` messages are not remembered.
    """

    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    ignored: Collection[str] = ()

    def __call__(self, shown: RecordedRequest) -> Reply:
        listed = re.findall(r"\[(\d+)\] \S+: (.*)", "\n".join(shown.blocks("known")))
        numbers = {content: int(number) for number, content in listed}
        messages = re.findall(r"user: (.*)", "\n".join(shown.blocks("turns")))
        return Extraction(
            statements=[
                self._statement(each, numbers)
                for message in messages
                if message not in self.ignored
                for each in sentences(message)
                if " " in each and not is_question(each)
            ]
        )

    def _statement(self, said: str, numbers: Mapping[str, int]) -> StatementForm:
        more = {"topic": "생활", **self.details.get(said, {})}
        rests_on = [numbers[each] for each in more.pop("rests_on", ()) if each in numbers]
        known = numbers.get(more.pop("known", ""))
        form = StatementForm(type=MemoryType.FACT, content=said, quote=said)
        return form.model_copy(update={**more, "known": known, "rests_on": rests_on})


def supersedes(known: str) -> dict[str, Any]:
    return {"relation": Relation.SUPERSEDES, "known": known}


def refines(known: str) -> dict[str, Any]:
    return {"relation": Relation.REFINES, "known": known}


def reading(
    details: Mapping[str, Mapping[str, Any]] | None = None, ignored: Collection[str] = ()
) -> ScriptedModels:
    """Return models of which only the extractor is there, so that each turn is read at once."""
    return ScriptedModels({ModelRole.EXTRACTOR: VerbatimExtractor(details or {}, ignored)})
