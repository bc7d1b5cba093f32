"""Writes an answer: attribution of its sentences, sanitizing, and the events of its citations."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from saegim.chat.answer_task import AnswerResult, Task
from saegim.chat.context.evidence import unmarked
from saegim.chat.escalation import Check, Decision, DraftAnswer
from saegim.chat.events import CitationEvent
from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.places import cited_place
from saegim.chat.grounding.support import EvidenceSupport, no_source
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.relay import TurnStream
from saegim.chat.turn_tools.types import ToolAnswer
from saegim.chat.types import Evidence, EvidenceKind
from saegim.llm.model_call import CallSource
from saegim.llm.types import StepEnd, TextDelta
from saegim.locales import N_, translate
from saegim.text.analysis import language
from saegim.usage.trace import AnswerUse

FROM_DOCUMENT = N_("Based on “{titles}”:")


class AnswerWriter:
    """Writes an answer to the stream through the sanitizer; `holds` keeps it back to be checked."""

    def __init__(
        self, task: Task, sink: TurnStream, *, has_model: bool = True, holds: bool = False
    ) -> None:
        config = task.config
        links = [link.url for link in config.menu_links]
        self._task = task
        self._sink = sink
        self._evidence = task.evidence
        self._sanitizer = StreamSanitizer(self._evidence, links, config.link_hosts)
        evidence = self._evidence.values()
        self._support = EvidenceSupport.of(task.context, evidence, task.client.rounds)
        self._attribution = Attribution(self._support)
        self._attributes = has_model
        self._holds = holds
        self._cited_count = 0
        self._lead = _lead(task)
        self._round: list[str] = []
        self._found: list[Evidence] = []
        self._gap = ""
        self.kept_text = ""
        self.outcome = "answered"
        self.has_text = False
        self.grounded: bool | None = None

    async def follow(self, stream: AsyncGenerator[TextDelta | StepEnd]) -> StepEnd:
        """Write the text of one request piece by piece as it arrives."""
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, StepEnd):
                    return piece
                self._round.append(piece.text)
                await self._write(self._sanitize(self._attributed(self._gap + piece.text)))
                self._gap = "" if piece.text else self._gap
        raise AssertionError("a step's stream ends with its StepEnd")

    def take_round(self) -> str:
        """Return what the model wrote since the last call of this; text that follows is a new
        paragraph."""
        written, self._round = "".join(self._round), []
        self._gap = "\n\n" if written else self._gap
        return written

    def add(self, answer: ToolAnswer) -> None:
        """Let the text that follows cite and use what a tool found."""
        self._evidence.update({each.marker: each for each in answer.evidence})
        self._found += answer.evidence
        self._support.add(answer.evidence, answer.text)

    async def finish(self, *, complete: bool = True) -> None:
        """Write what was kept back for the end of a model's text."""
        rest = self._attribution.close(complete=complete) if self._attributes else ""
        await self._write(self._sanitize(rest) + self._sanitizer.close())

    def by_rule(self) -> None:
        """Note that the text to follow is of the rules, which cite by themselves."""
        self._attributes = False

    def attribute(self, text: str) -> str:
        """Return a model's complete text with its sentences attributed to the evidence."""
        if not self._attributes:
            return text
        return self._attribution.feed(text) + self._attribution.close()

    async def show(self, text: str) -> None:
        """Write a complete text."""
        self._holds = False
        await self._write(self._sanitize(text) + self._sanitizer.close())

    async def check(self) -> None:
        """Note whether an answer from documents is grounded, and name below it what is not."""
        found = any(each.kind is EvidenceKind.PASSAGE for each in self._found)
        if self._support.is_about_text or not (self._task.asks_documents or found):
            return
        unknown = self._attribution.unknown
        self.grounded = bool(self.cited) and not unknown
        if unknown:
            line = no_source(unknown, language(self._task.context.message))
            await self.show(f"\n\n{line}")

    @property
    def cited(self) -> list[Evidence]:
        return list(self._sanitizer.cited.values())

    def result(
        self,
        end: StepEnd | None,
        decision: Decision,
        draft: DraftAnswer | None,
        checked: Check | None,
    ) -> AnswerResult:
        used_fallback = end is not None and end.call.source is CallSource.FALLBACK
        quoted = used_fallback and self.outcome == "answered"
        use = AnswerUse(
            outcome="search_mode" if quoted else self.outcome,
            choice=decision.choice.value,
            reasons=decision.reasons,
            self_score=None if draft is None else draft.self_score.overall,
            check=None if checked is None else checked.as_json(),
            markers_removed=self._sanitizer.unknown,
            links_removed=self._sanitizer.defused,
            grounded=self.grounded,
            sentences=self._attribution.sentences,
            supported_sentences=self._attribution.supported,
        )
        complete = end is None or end.complete
        by_rule = used_fallback or self.outcome in ("search_mode", "nothing_found")
        return AnswerResult(complete, use, self._task, self.cited, by_rule)

    def _attributed(self, text: str) -> str:
        return self._attribution.feed(text) if self._attributes and not self._holds else text

    def _sanitize(self, text: str) -> str:
        if not text:
            return ""
        if self._holds:
            # It is attributed and sanitized once it is checked.
            self.kept_text += text
            return ""
        # The lead quotes titles of documents, so it is sanitized too.
        led, self._lead = f"{self._lead}{text}", ""
        return self._sanitizer.feed(led)

    async def _write(self, text: str) -> None:
        if not text:
            return
        self.has_text = self.has_text or bool(text.strip())
        await self._sink.write(text)
        for evidence in self.cited[self._cited_count :]:
            place = cited_place(evidence, self._sink.text)
            await self._sink.tell(CitationEvent(replace(evidence, locator=place)))
        self._cited_count = len(self.cited)


def _lead(task: Task) -> str:
    """Return the line before an answer that names the earlier document it is from."""
    findings = task.gathered.findings
    if task.route.source != "history" or not task.route.lookup or not findings.documents:
        return ""
    titles = dict.fromkeys(each.title or each.outside_id for each in findings.documents)
    named = unmarked(", ".join(titles))
    return f"{translate(FROM_DOCUMENT, language(task.context.message), titles=named)}\n\n"
