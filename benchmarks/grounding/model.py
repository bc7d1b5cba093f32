"""Answers of a real model behind an OpenAI-compatible server, with the product's own prompt."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import httpx

from benchmarks.grounding.cases import GroundingCase
from saegim.chat.context.assembly import Budgets, Thread, assemble
from saegim.chat.context.evidence import RetrievedContext
from saegim.chat.types import Evidence
from saegim.domain.tenancy import Assistant
from saegim.library.types import Document, FoundPassage, Passage, PassageSignals, Tags
from saegim.research.types import Findings
from saegim.text.tokens import cut

type Message = dict[str, str]

NOBODY = UUID(int=0)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TAGS = Tags(has_steps=False, has_conditions=False, has_table=False, language="ko")
ASSISTANT = Assistant(NOBODY, NOBODY, "새김", "문서에 근거해 한두 문장으로 답합니다.", "", "ko")
# A small model on two cores reads 20 to 60 tokens a second.
PASSAGE_TOKENS = 160
ANSWER_TOKENS = 100
BEFORE_CHARACTERS = 80
SECONDS = 900.0


def shortened(case: GroundingCase) -> GroundingCase:
    """Cut the passages of a question around its answer."""
    return replace(case, evidence=tuple(_cut(each, case.expected) for each in case.evidence))


def _cut(evidence: Evidence, expected: str) -> Evidence:
    at = evidence.text.find(expected) if expected else 0
    start = max(0, at - BEFORE_CHARACTERS)
    start = evidence.text.find(" ", start) + 1 if start else 0
    # As the prompt names a document without a title.
    title = evidence.title or evidence.id
    return replace(evidence, title=title, text=cut(evidence.text[start:], PASSAGE_TOKENS))


class KeptAnswers:
    """What a model wrote, by its name and the whole prompt; a file of lines, if one is given."""

    def __init__(self, path: Path | None, model: str) -> None:
        self._path = path
        self._model = model
        self._written: dict[str, str] = {}
        if path is not None and path.exists():
            for line in path.read_text("utf-8").splitlines():
                key, written = json.loads(line)
                self._written[key] = written

    def get(self, messages: Sequence[Message]) -> str | None:
        return self._written.get(self._key(messages))

    def put(self, messages: Sequence[Message], written: str) -> None:
        if self._path is None:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self._key(messages), written], ensure_ascii=False) + "\n")

    def _key(self, messages: Sequence[Message]) -> str:
        content = json.dumps([self._model, ANSWER_TOKENS, messages], ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()


async def ask(client: httpx.AsyncClient, url: str, model: str, messages: Sequence[Message]) -> str:
    """Return what the model answers."""
    response = await client.post(
        f"{url.rstrip('/')}/chat/completions",
        json={
            "model": model,
            "temperature": 0,
            "max_tokens": ANSWER_TOKENS,
            "cache_prompt": True,
            "messages": messages,
        },
        timeout=SECONDS,
    )
    response.raise_for_status()
    return response.json()["choices"][0]["message"]["content"]


def prompt(case: GroundingCase) -> list[Message]:
    """Return the messages that the product would send for a question and its passages."""
    found = tuple(
        FoundPassage(
            Passage(UUID(int=number), NOBODY, NOBODY, 0, each.text, 0, TAGS),
            Document(NOBODY, NOBODY, NOBODY, each.id, "guide", None, "1", {}, NOW),
            (),
            PassageSignals(None, None, 1.0),
        )
        for number, each in enumerate(case.evidence, start=1)
    )
    gathered = RetrievedContext(findings=Findings(ranked=found))
    context = assemble(ASSISTANT, Thread(), case.question, Budgets(), gathered)
    sent = context.prompt.with_tags("0a1b2c3d")
    turns = [{"role": message.role, "content": message.text} for message in sent.messages]
    return [{"role": "system", "content": sent.system}, *turns]
