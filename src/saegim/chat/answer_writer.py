"""Writes an answer: attribution of its sentences, sanitizing, and the events of its citations."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from saegim.chat.answer_task import AnswerResult, Task
from saegim.chat.context.evidence import unmarked
from saegim.chat.escalation import Check, Decision, DraftAnswer
from saegim.chat.events import CitationEvent
from saegim.chat.grounding.attribution import Attribution
from saegim.chat.grounding.places import cited_place
from saegim.chat.grounding.support import EvidenceSupport
from saegim.chat.output.stream_sanitizer import StreamSanitizer
from saegim.chat.relay import TurnStream
from saegim.chat.search_request import SearchRequestReader
from saegim.chat.types import Evidence
from saegim.chat.understanding import is_statement_about_self
from saegim.llm.model_call import CallSource
from saegim.llm.types import StepEnd, TextDelta
from saegim.locales import N_, translate
from saegim.research.types import MOST_CALLS
from saegim.text.analysis import language
from saegim.usage.trace import AnswerUse

PARTIAL = N_("The documents only answer part of this. Here is what they say.")
_TRANSLATION = re.compile(r"번역|\btranslat", re.IGNORECASE)
FROM_DOCUMENT = N_("Based on “{titles}”:")


class AnswerWriter:
    """Writes an answer to the stream through the sanitizer."""

    def __init__(self, task: Task, sink: TurnStream, *, has_model: bool = True) -> None:
        config = task.config
        links = [link.url for link in config.menu_links]
        self._task = task
        self._sink = sink
        self._sanitizer = StreamSanitizer(task.context.evidence, links, config.link_hosts)
        support = EvidenceSupport.of(task.context)
        self._attribution = Attribution(support, marks_unsupported=task.asks_documents)
        message = task.context.message
        # A translation is used as it is, and what the user said of themselves has no other source.
        uncited = _TRANSLATION.search(message) or is_statement_about_self(message)
        self._attributes = has_model and not uncited
        self._cited_count = 0
        self._beginning = SearchRequestReader()
        self._lead = _lead(task, has_model=has_model)
        self.outcome = "answered"
        self.has_text = False
        self.grounded: bool | None = None

    async def follow(self, stream: AsyncGenerator[TextDelta | StepEnd]) -> StepEnd:
        """Write a text piece by piece as it arrives."""
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, StepEnd):
                    await self.show(self._attributed(self._beginning.close(), piece))
                    return piece
                await self._write(
                    self._sanitize(self._attributed(self._beginning.feed(piece.text)))
                )
        raise AssertionError("a step's stream ends with its StepEnd")

    def _attributed(self, text: str, end: StepEnd | None = None) -> str:
        """Return the next piece of a model's text with its sentences attributed."""
        if not self._attributes:
            return text
        shown = self._attribution.feed(text)
        return shown if end is None else shown + self._attribution.close(complete=end.complete)

    def by_rule(self) -> None:
        """Note that the text to follow is of the rules, which cite by themselves."""
        self._attributes = False

    def attribute(self, text: str) -> str:
        """Return a model's complete text with its sentences attributed to the evidence."""
        if not self._attributes:
            return text
        return self._attribution.feed(text) + self._attribution.close()

    async def collect(
        self, stream: AsyncGenerator[TextDelta | StepEnd]
    ) -> tuple[str, StepEnd | None]:
        """Return the whole text of a stream, empty if it asks for a search, and its end."""
        pieces: list[str] = []
        end: StepEnd | None = None
        async with aclosing(stream):
            async for piece in stream:
                if isinstance(piece, TextDelta):
                    pieces.append(self._beginning.feed(piece.text))
                else:
                    end = piece
        return "".join((*pieces, self._beginning.close())), end

    @property
    def query(self) -> str | None:
        """What the model asks to search for instead of answering."""
        return self._beginning.query

    async def show(self, text: str) -> None:
        """Write a complete text."""
        await self._write(self._sanitize(text) + self._sanitizer.close())

    @property
    def has_unsupported(self) -> bool:
        """Whether a sentence is marked as unsupported, or would be where marks may stand."""
        return self._attribution.unsupported > 0

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

    def _sanitize(self, text: str) -> str:
        if not text:
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


def _lead(task: Task, *, has_model: bool) -> str:
    """Return the line before an answer: the earlier document it is from, or that it is partial."""
    locale = language(task.context.message)
    findings = task.gathered.findings
    if task.route.source == "history" and task.route.lookup and findings.documents:
        titles = dict.fromkeys(each.title or each.outside_id for each in findings.documents)
        return f"{translate(FROM_DOCUMENT, locale, titles=unmarked(', '.join(titles)))}\n\n"
    used_up = len(findings.library_calls) >= MOST_CALLS
    if has_model and used_up and task.asks_documents and not findings.is_sufficient:
        return f"{translate(PARTIAL, locale)}\n\n"
    return ""
