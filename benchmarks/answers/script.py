"""What the scripted model says: it knows the gold passages, and uses them only if it reads them."""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

RANKED = 3
"""Passages that an assessment keeps: those that answer, then the best others."""
ABSTAINS = {
    "ko": "주어진 문서에서 답을 찾지 못했습니다.",
    "en": "I could not find the answer in the given documents.",
}
SEARCH = "search"
LONGEST_QUERY = 300
TITLE, SUMMARY = "문서에 대한 질문", "사용자는 문서에 대해 물었고 도우미는 문서에서 답했다. " * 4

# A step by fields that only its output has; the first match counts.
STEPS: Sequence[tuple[str, frozenset[str]]] = (
    ("review", frozenset({"ranked_indices", "standalone"})),
    ("assess", frozenset({"ranked_indices"})),
    ("understand", frozenset({"standalone"})),
    ("draft", frozenset({"self_score"})),
    ("extract", frozenset({"statements"})),
    ("title", frozenset({"title"})),
    ("summarise", frozenset({"summary"})),
)
BACKGROUND = frozenset({"extract", "title", "summarise"})
_PASSAGE = re.compile(r"<passage[\w-]*-(\w+)>\s*\[?(\d+)[\].](.*?)</passage[\w-]*-\1>", re.DOTALL)
_PIECE = re.compile(r"^\[([MTF]?\d+)\] ", re.MULTILINE)


def letters(text: str) -> str:
    """Returns letters and digits alone: parsing and rendering change spaces and marks."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A question as the model knows it: `snippets` are the letters of passages that answer it."""

    id: str
    message: str
    language: str
    answer: str = ""
    snippets: tuple[str, ...] = ()
    previous: str = ""
    """The user's message before, if this one may depend on it."""

    def is_in(self, text: str) -> bool:
        """Returns whether a text has a passage that answers."""
        plain = letters(text)
        return any(snippet in plain for snippet in self.snippets)

    @property
    def whole(self) -> str:
        """The question as it would be asked without the conversation."""
        return f"{self.previous}\n{self.message}" if self.previous else self.message


@dataclass(slots=True)
class Served:
    """A question that is being answered, and whether another search was asked for."""

    question: GoldQuestion
    searched_again: bool = False


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A request, read."""

    body: Mapping[str, Any]
    texts: tuple[tuple[str, str], ...] = field(default=())

    @classmethod
    def of(cls, body: Mapping[str, Any]) -> "ChatCall":
        return cls(body, tuple((each["role"], _text(each)) for each in body["messages"]))

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema of a structured output, by response format or by a tool it must call."""
        wanted = self.body.get("response_format") or {}
        if "json_schema" in wanted:
            return wanted["json_schema"]["schema"]
        if self.body.get("tools") and not self.body.get("stream"):
            return self.body["tools"][0]["function"]["parameters"]
        return None

    @property
    def offered(self) -> frozenset[str]:
        """The names of the tools that an answer may call."""
        return frozenset(each["function"]["name"] for each in self.body.get("tools", ()))

    @property
    def step(self) -> str:
        if (schema := self.schema) is None:
            return "answer"
        fields = set(schema.get("properties", {}))
        return next((name for name, own in STEPS if own <= fields), "other")

    @property
    def prompt(self) -> str:
        """All that a provider reads and counts: schemas and tools first, then the messages."""
        head = [self.body[name] for name in ("tools", "response_format") if self.body.get(name)]
        shown = json.dumps(head, ensure_ascii=False) if head else ""
        return shown + "".join(f"<|{role}|>{text}" for role, text in self.texts)

    @property
    def newest(self) -> str:
        """The last message of the user and what follows: evidence, and results of tools."""
        last = max((at for at, (role, _) in enumerate(self.texts) if role == "user"), default=0)
        return "\n\n".join(text for _, text in self.texts[last:])


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        called = message.get("tool_calls")
        return content + (json.dumps(called, ensure_ascii=False) if called else "")
    return "".join(part.get("text", "") for part in content)


def served_by(call: ChatCall, active: Mapping[str, Served]) -> Served | None:
    """Returns which of the questions under way a call is for: the one it names last."""
    if call.step in BACKGROUND:
        return None
    plain = letters(call.newest)
    places = [
        (plain.rfind(words), len(words), served)
        for served in active.values()
        if (words := letters(served.question.message)) and words in plain
    ]
    if places:
        return max(places, key=lambda each: each[:2])[2]
    return next(iter(active.values())) if len(active) == 1 else None


def structured(call: ChatCall, served: Served | None) -> dict[str, Any]:
    """Returns the output of a structured step, with a value for each field of its schema."""
    schema = call.schema or {}
    known = _background(call.step)
    if served is not None:
        known |= _judged(call, served) | _understood(served.question) | _drafted(call, served)
    return {
        name: known[name] if name in known else minimal(part, schema.get("$defs", {}))
        for name, part in schema.get("properties", {}).items()
        if name in known or name in schema.get("required", [])
    }


def answer_to(call: ChatCall, question: GoldQuestion | None) -> str:
    """Returns the answer: the gold one with its marker if its passage is there, or none."""
    if question is None:
        return "알겠습니다."
    markers = [marker for marker, text in pieces(call.newest) if question.is_in(text)]
    if not markers and not question.is_in(call.newest):
        return ABSTAINS[question.language]
    return " ".join([question.answer, *(f"[{marker}]" for marker in markers[:1])]).strip()


def search_again(call: ChatCall, served: Served | None) -> str | None:
    """Returns the arguments of a call of the search, if it is offered and what was read does not
    answer."""
    if served is None or served.searched_again or served.question.is_in(call.newest):
        return None
    if SEARCH not in call.offered:
        return None
    served.searched_again = True
    query = " ".join(served.question.whole.split())[:LONGEST_QUERY]
    return json.dumps({"query": query}, ensure_ascii=False)


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yields the pieces of evidence with their markers."""
    _, *rest = _PIECE.split(text)
    yield from zip(rest[::2], rest[1::2], strict=True)


def _understood(question: GoldQuestion) -> dict[str, Any]:
    whole = question.whole if question.previous else None
    return {"refers_to_document": False, "route": "general", "standalone": whole, "variants": []}


def _judged(call: ChatCall, served: Served) -> dict[str, Any]:
    """Judges passages by whether one answers; asks for one more search if none does."""
    question = served.question
    passages = [(int(number), text) for _, number, text in _PASSAGE.findall(call.newest)]
    right = [number for number, text in passages if question.is_in(text)]
    others = [number for number, _ in passages if number not in right]
    again = not right and not served.searched_again
    if call.step in ("assess", "review"):
        served.searched_again = served.searched_again or again
    return {
        "ranked_indices": right + others[: max(0, RANKED - len(right))],
        "is_sufficient": bool(right),
        "missing": [] if right else ["the answer"],
        "next_action": "search_again" if again else None,
        "refined_query": question.whole[:1_000] if again else None,
        "confidence": 0.9 if right else 0.2,
    }


def _drafted(call: ChatCall, served: Served) -> dict[str, Any]:
    good = served.question.is_in(call.newest)
    high, low = (0.9, 0.1) if good else (0.3, 0.6)
    return {
        "analysis": "",
        "needs_tool": False,
        "draft": answer_to(call, served.question),
        "self_score": {"accuracy": high, "completeness": high, "risk": low, "overall": high},
        "needs_strong_model": not good,
    }


def _background(step: str) -> dict[str, Any]:
    match step:
        case "title":
            return {"title": TITLE}
        case "summarise":
            return {"summary": SUMMARY, "entities": []}
        case _:
            return {}


def minimal(schema: Mapping[str, Any], shapes: Mapping[str, Any]) -> Any:
    """Returns the smallest value of a schema."""
    if "$ref" in schema:
        return minimal(shapes[schema["$ref"].rpartition("/")[2]], shapes)
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("anyOf"):
        return None if {"type": "null"} in choices else minimal(choices[0], shapes)
    match schema.get("type"):
        case "object":
            parts = schema.get("properties", {})
            return {name: minimal(parts[name], shapes) for name in schema.get("required", [])}
        case "array":
            return []
        case "string":
            return "-"
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return 0
