"""Recordings: every request of a run with its answer, and their replay.

A request is known by the message that was played, its role and kind. Of several such requests the
one with the most equal words is taken, each answer once. Markers of passages and memories become
those that the same texts have now: their numbers follow orders that may differ from run to run. So
a recording survives changes of the wording of prompts, and fails loudly if the product asks
something else.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.turn_model.model_server import (
    AnswerSource,
    Exchange,
    ModelAnswer,
    ModelRequest,
    UnknownRequest,
    message_text,
)

_ID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
_SUFFIX = re.compile(r"(?<=-)[0-9a-f]{8}\b")
_LABEL = re.compile(r"(?m)^(?:tool: Remembered as )?\[(M?\d+)\]:?")
_MARKER = re.compile(r'\bM\d+\b|(?<=\[)\d+(?=\])|(?<="ref": ")\d+')


def stable(text: str) -> str:
    """Return the text with ids and the suffixes of tags numbered in their order."""
    for pattern, name in ((_ID, "id"), (_SUFFIX, "s")):
        seen: dict[str, str] = {}
        text = pattern.sub(
            lambda found, seen=seen, name=name: seen.setdefault(found[0], f"{name}{len(seen)}"),
            text,
        )
    return text


def texts_of(request: ModelRequest) -> list[str]:
    """Return the messages of a request, with what varies made stable."""
    return stable("\0".join(map(message_text, request.messages))).split("\0")


def labelled(texts: Sequence[str]) -> dict[str, str]:
    """Return the texts of passages and memories with their markers."""
    found: dict[str, str] = {}
    for text in texts:
        _, *parts = _LABEL.split(text)
        for marker, body in zip(parts[::2], parts[1::2], strict=True):
            found.setdefault(body.partition("\n</")[0].strip(), marker)
    return found


def renamed(answer: ModelAnswer, now: Mapping[str, str]) -> ModelAnswer:
    """Return the answer with other markers."""

    def rename(text: str) -> str:
        return _MARKER.sub(lambda found: now.get(found[0], found[0]), text)

    calls = tuple((name, rename(arguments)) for name, arguments in answer.calls)
    return ModelAnswer(rename(answer.text), calls)


def _without(arguments: str, lost: Set[str]) -> str:
    """Return the arguments of a call, their lists without some markers unless nothing is left."""
    given: Mapping[str, Any] = json.loads(arguments)
    shorter = {
        name: [each for each in value if each not in lost] or value
        for name, value in given.items()
        if isinstance(value, list)
    }
    return json.dumps({**given, **shorter}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A request that was answered once."""

    message: str
    role: str
    kind: str
    rounds: int
    digest: str
    words: frozenset[str]
    labelled: Mapping[str, str]
    answer: ModelAnswer

    def with_markers(self, now: Mapping[str, str]) -> ModelAnswer:
        """Return the answer with the markers that the texts have now. Lists of markers lose those
        whose text is not shown now: they would name another one."""
        both = self.labelled.keys() & now.keys()
        lost = {self.labelled[text] for text in self.labelled.keys() - both}
        kept = replace(
            self.answer, calls=tuple((n, _without(a, lost)) for n, a in self.answer.calls)
        )
        return renamed(kept, {self.labelled[text]: now[text] for text in both})

    def is_like(self, request: ModelRequest) -> bool:
        return (self.message, self.role, self.kind, self.rounds) == (
            request.message,
            request.role,
            request.kind,
            rounds_of(request),
        )


def rounds_of(request: ModelRequest) -> int:
    """Return how many answers of the model there are behind the last message of the user."""
    roles = [message["role"] for message in request.messages]
    last = max((at for at, role in enumerate(roles) if role == "user"), default=0)
    return roles[last:].count("assistant")


@dataclass
class Replay:
    """Answers from a recording; `exact` counts the requests that were the same to the letter."""

    answers: list[RecordedAnswer]
    exact: int = 0
    asked: int = 0

    @classmethod
    def load(cls, path: Path) -> "Replay":
        recording = json.loads(path.read_text("utf-8"))
        return cls([_stored(each, recording["texts"]) for each in recording["requests"]])

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        texts = texts_of(request)
        like = [each for each in self.answers if each.is_like(request)]
        if not like:
            found = f"{request.message}: no answer for {request.role} {request.kind}"
            raise UnknownRequest(f"{found}, round {rounds_of(request)}:\n{texts[-1][-1_000:]}")
        digest, words = digest_of(texts), words_of(texts)
        best = max(like, key=lambda each: (each.digest == digest, len(each.words & words)))
        self.answers.remove(best)
        self.asked += 1
        self.exact += best.digest == digest
        return best.with_markers(labelled(texts))

    @property
    def unused(self) -> list[str]:
        return [f"{each.message}: {each.role} {each.kind}" for each in self.answers]


@dataclass(frozen=True)
class QuietBackground:
    """Answers of a source; background requests get an empty form."""

    source: AnswerSource

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        if not request.is_background:
            return await self.source.answer(request)
        form = request.body.get("response_format") or {}
        schema = form.get("json_schema", {}).get("schema", {})
        return ModelAnswer(json.dumps(_empty(schema), ensure_ascii=False))


def _empty(schema: Mapping[str, Any]) -> Any:
    """Return the shortest value of a schema."""
    match schema.get("type"):
        case "object":
            names = schema.get("required", ())
            return {name: _empty(schema["properties"][name]) for name in names}
        case "array":
            return []
        case "boolean":
            return False
        case "integer" | "number":
            return 0
        case _:
            return "-"


def digest_of(texts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def words_of(texts: Sequence[str]) -> frozenset[str]:
    """Return the words of the last message."""
    return frozenset(re.findall(r"\w+", texts[-1])) if texts else frozenset()


@dataclass
class Packing:
    """Writes requests down without repeating what an earlier one had."""

    texts: list[str] = field(default_factory=list[str])

    def pack(self, exchange: Exchange) -> dict[str, Any]:
        """Return a request as JSON: messages are numbers of `texts`."""
        request, numbers = exchange.request, list[int]()
        tools = [json.dumps(each, ensure_ascii=False) for each in request.body.get("tools") or ()]
        texts = texts_of(request)
        for text in texts:
            if text not in self.texts:
                self.texts.append(text)
            numbers.append(self.texts.index(text))
        return {
            "message": request.message,
            "session": request.session,
            "role": request.role,
            "kind": request.kind,
            "rounds": rounds_of(request),
            "tokens": exchange.tokens,
            "repeated": exchange.repeated,
            "written": exchange.written,
            "tools": [json.loads(each)["function"]["name"] for each in tools],
            "digest": digest_of(texts),
            "texts": numbers,
            "answer": exchange.answer.as_json(),
        }


def _stored(packed: Mapping[str, Any], known: Sequence[str]) -> RecordedAnswer:
    texts = [str(known[number]) for number in packed["texts"]]
    return RecordedAnswer(
        packed["message"],
        packed["role"],
        packed["kind"],
        packed["rounds"],
        packed["digest"],
        words_of(texts),
        labelled(texts),
        ModelAnswer.of(packed["answer"]),
    )
