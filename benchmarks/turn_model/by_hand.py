"""A model that is played by hand through files.

The run writes each request to FOLDER/NNN.md and waits for FOLDER/NNN.answer. What an earlier
request had is named there and not repeated. Whoever plays the model runs

    python -m benchmarks.turn_model.by_hand FOLDER                  # shows the open request
    python -m benchmarks.turn_model.by_hand FOLDER NNN <<'END'      # answers it, shows the next one
    The text of the answer.
    CALL recall {"query": "dentist"}
    END

Lines "CALL name {arguments}" at the end call tools. A request for a form is answered with its JSON.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.turn_model.model_server import (
    ModelAnswer,
    ModelRequest,
    callable_tools,
    message_text,
)
from benchmarks.turn_model.replay import digest_of, texts_of

CALL = re.compile(r"^CALL (\w[\w.-]*) (\{.*\})\s*$")
POLL_SECONDS = 0.3
WAIT_SECONDS = 570.0
FINISHED = "finished"


@dataclass
class ByHand:
    """Asks whoever answers in the folder. An interrupted run that begins again gets the answers of
    the requests that were the same."""

    folder: Path
    number: int = 0
    shown: dict[str, str] = field(default_factory=dict[str, str])
    """Texts that a request has shown, and its name."""
    known: dict[str, str] = field(default_factory=dict[str, str])
    """Written answers by the digest of their request."""

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / FINISHED).unlink(missing_ok=True)
        for file in sorted(self.folder.glob("*.digest")):
            self.number = max(self.number, int(file.stem))
            answer = file.with_suffix(".answer")
            if answer.exists():
                self.known[file.read_text()] = answer.read_text("utf-8")
            else:
                file.with_suffix(".md").unlink(missing_ok=True)

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        digest = digest_of([request.message, request.role, request.kind, *texts_of(request)])
        if digest in self.known:
            return parsed(self.known[digest])
        self.number += 1
        name = f"{self.number:03d}"
        file = self.folder / name
        file.with_suffix(".digest").write_text(digest)
        file.with_suffix(".md").write_text(self.readable(request, name), "utf-8")
        answer = file.with_suffix(".answer")
        while not answer.exists():  # noqa: ASYNC110 - a file
            await asyncio.sleep(POLL_SECONDS)
        self.known[digest] = answer.read_text("utf-8")
        return parsed(self.known[digest])

    def readable(self, request: ModelRequest, name: str) -> str:
        """Return the request as text, without what was shown before."""
        form = request.body.get("response_format")
        parts = [f"# Request {name}: {request.role}, {request.kind}"]
        tools = [
            json.dumps(each["function"], ensure_ascii=False)
            for each in callable_tools(request.body)
        ]
        heads = [("Tools", "\n".join(tools))] if tools else []
        heads += [("Answer in this form", json.dumps(form, ensure_ascii=False))] if form else []
        for title, text in heads:
            parts.append(f"## {title}\n{self._once(text, name)}")
        texts = list(map(message_text, request.messages))
        before = 0
        while before < len(texts) - 1 and "\0".join(texts[: before + 1]) in self.shown:
            before += 1
        if before:
            earlier = self.shown["\0".join(texts[:before])]
            parts.append(f"## Messages 1 to {before}: the first {before} of request {earlier}")
        for number in range(before, len(texts)):
            self.shown.setdefault("\0".join(texts[: number + 1]), name)
            parts.append(f"## Message {number + 1}\n{texts[number]}")
        return "\n\n".join(parts) + "\n"

    def _once(self, text: str, name: str) -> str:
        return f"as in request {self.shown[text]}" if text in self.shown else self._new(text, name)

    def _new(self, text: str, name: str) -> str:
        self.shown[text] = name
        return text


def parsed(written: str) -> ModelAnswer:
    """Return a written answer: a text, and lines that call tools at its end."""
    lines, calls = written.rstrip().split("\n"), list[tuple[str, str]]()
    while lines and (found := CALL.match(lines[-1])):
        json.loads(found[2])
        calls.insert(0, (found[1], found[2]))
        lines.pop()
    return ModelAnswer("\n".join(lines).strip("\n"), tuple(calls))


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        print(__doc__)
        return 2
    folder = Path(arguments[0])
    if len(arguments) > 1:
        written = sys.stdin.read()
        parsed(written)
        answer = folder / f"{arguments[1]}.answer"
        # Renamed, so that the run never reads a part of it.
        answer.with_suffix(".new").write_text(written, "utf-8")
        answer.with_suffix(".new").rename(answer)
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        waiting = [file for file in folder.glob("*.md") if not file.with_suffix(".answer").exists()]
        if waiting:
            print(min(waiting).read_text("utf-8"))
            return 0
        if (folder / FINISHED).exists():
            print("The run is finished.")
            return 0
        time.sleep(POLL_SECONDS)
    print("No request yet; run this again.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
