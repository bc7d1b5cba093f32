"""What a model does without the product: alone, and in a plain loop of tools.

The loop has the search of the same library, and notes of its own that it may add to and delete.
Each knows the conversation so far; the notes of a person stay from session to session.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from benchmarks.turn_model.script import ScriptMessage, Shown

ALONE = "You are a helpful assistant for the employees of {company}. It is {now} (Asia/Seoul)."
LOOP = (
    ALONE + " Answer from the documents of the company, which `search` finds, and name the document"
    " that you used. Your notes about the user:\n{notes}"
)
MOST_ROUNDS = 6
WORD = {"type": "string"}


def _tool(name: str, about: str, **fields: Mapping[str, str]) -> dict[str, Any]:
    form = {"type": "object", "properties": fields, "required": list(fields)}
    function = {"name": name, "description": about, "parameters": form}
    return {"type": "function", "function": function}


TOOLS = [
    _tool("search", "Search the documents of the company.", query=WORD),
    _tool("note", "Write down a fact about the user.", text=WORD),
    _tool("delete_note", "Delete a note by its number.", number={"type": "integer"}),
]


@dataclass
class PlainLoop:
    """Answers messages with a model server; without tools if `searches` is None."""

    models: httpx2.AsyncClient
    searches: httpx2.AsyncClient | None
    company: str
    threads: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    async def play(self, message: ScriptMessage) -> Shown:
        thread, notes = self.threads[message.session], self.notes[message.user]
        thread.append({"role": "user", "content": message.say})
        effects: list[dict[str, str]] = []
        for _ in range(MOST_ROUNDS):
            said = await self._ask(message, thread, notes)
            thread.append(said)
            if not said.get("tool_calls"):
                break
            for call in said["tool_calls"]:
                result = await self._run(call["function"], notes, effects)
                thread.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        kept = tuple(filter(None, notes))
        return Shown(thread[-1].get("content") or "", effects=tuple(effects), memories=kept)

    async def _ask(
        self, message: ScriptMessage, thread: Sequence[Any], notes: Sequence[str]
    ) -> dict[str, Any]:
        numbered = [f"{number}. {text}" for number, text in enumerate(notes, 1) if text]
        system = (LOOP if self.searches else ALONE).format(
            company=self.company, now=f"{message.at:%A, %d %B %Y, %H:%M}", notes="\n".join(numbered)
        )
        body: dict[str, Any] = {"model": "lite", "messages": [_system(system), *thread]}
        body |= {"tools": TOOLS} if self.searches else {}
        response = await self.models.post("/v1/chat/completions", json=body)
        response.raise_for_status()
        return response.json()["choices"][0]["message"]

    async def _run(
        self, function: Mapping[str, str], notes: list[str], effects: list[dict[str, str]]
    ) -> str:
        given = json.loads(function["arguments"])
        if function["name"] == "note":
            notes.append(given["text"])
            effects.append({"kind": "remembered", "text": given["text"]})
            return f"Noted as {len(notes)}."
        if function["name"] == "delete_note":
            number = int(given["number"])
            if not 1 <= number <= len(notes):
                return "There is no such note."
            effects.append({"kind": "forgotten", "text": notes[number - 1]})
            notes[number - 1] = ""
            return "Deleted."
        assert self.searches is not None
        response = await self.searches.post("/v1/search", json={"query": given["query"]})
        response.raise_for_status()
        found = response.json()["found"][:6]
        texts = [
            f"{' › '.join([one['document']['title'], *one['path']])}\n{one['text']}"
            for one in found
        ]
        return "\n\n".join(texts) or "Nothing was found."


def _system(text: str) -> dict[str, str]:
    return {"role": "system", "content": text}
