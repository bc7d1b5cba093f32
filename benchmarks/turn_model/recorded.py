"""What a recording says: of each message what the person got, and what the model was asked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from benchmarks.turn_model.model_server import ANSWER_ROLES
from benchmarks.turn_model.script import Shown

# Reviews of what was found are asked for on the way to an answer.
REPLY_ROLES = (*ANSWER_ROLES, "assessor")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording by the ids of its messages, in their order."""

    shown: Mapping[str, Shown]
    failures: Mapping[str, Sequence[str]]
    """What a machine found wrong when it was recorded."""
    requests: Sequence[Mapping[str, Any]]

    @classmethod
    def load(cls, path: Path) -> "Recorded":
        document = json.loads(path.read_text("utf-8"))
        entries = {str(each["id"]): each for each in document["messages"]}
        return cls(
            {name: _shown(each) for name, each in entries.items()},
            {name: each["failures"] for name, each in entries.items()},
            document["requests"],
        )

    def written(self, message: str) -> str:
        """Return what the model wrote as the answer of a message."""
        texts = [
            str(each["answer"].get("text") or "").strip()
            for each in self.requests
            if each["message"] == message and each["role"] in ANSWER_ROLES
        ]
        return "\n\n".join(filter(None, texts))

    def digest(self, message: str) -> str:
        """Return a digest of what the person got, so that a verdict stays with what was judged."""
        return digest(self.shown[message])


def digest(shown: Shown) -> str:
    effects = [(each["kind"], each.get("text")) for each in shown.effects]
    # Memories of the same moment have no order.
    got = [shown.answer, shown.citations, effects, shown.proposal, sorted(shown.memories)]
    text = json.dumps(got, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_answering(request: Mapping[str, Any]) -> bool:
    """Return whether the person waited for a request."""
    return request["role"] in REPLY_ROLES


def _shown(entry: Mapping[str, Any]) -> Shown:
    given: dict[str, Any] = {}
    for each in fields(Shown):
        value = entry[each.name]
        given[each.name] = tuple(value) if isinstance(value, list) else value
    return Shown(**given)
