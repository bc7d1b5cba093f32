"""One trace per turn, in OpenTelemetry's words; without an SDK set up, all of it does nothing.

A turn's trace id is the turn's own id, so that whoever works on it, in whichever process, joins the
same trace, and whoever knows the turn finds it. Spans carry ids, names of ours and counts: never
what was said, nor the text of an error, which could quote it.
"""

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, SpanKind, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.trace.status import StatusCode

TRACER = trace.get_tracer("saegim")
ERROR_TYPE = "error.type"
NANOSECONDS = 1_000_000_000

Attributes = Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class SpanIds:
    """The ids that a span is to have."""

    trace: int
    span: int


wanted_ids: ContextVar[SpanIds | None] = ContextVar("wanted_ids", default=None)
"""Heeded by the SDK's generator of ids, where one is set up: the root of a turn's trace is written
last, when its children have named it already."""


def root_of(turn: UUID) -> SpanIds:
    """The ids of the request that began a turn, known to everybody who knows the turn."""
    return SpanIds(turn.int, int.from_bytes(sha256(turn.bytes).digest()[:8]) or 1)


def within(turn: UUID) -> Context:
    """The context of a turn's trace, whether its root is written already or not."""
    root = root_of(turn)
    parent = SpanContext(
        root.trace, root.span, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED)
    )
    return trace.set_span_in_context(NonRecordingSpan(parent), Context())


@contextmanager
def span(
    name: str,
    attributes: Attributes | None = None,
    context: Context | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Generator[Span]:
    """A span around what happens; a failure shows by its kind alone."""
    with TRACER.start_as_current_span(
        name, context, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except BaseException as error:
            _mark_failed(current, type(error).__name__)
            raise


def note_request(turn: UUID, name: str, began: float, attributes: Attributes, caller: str) -> None:
    """The root of a turn's trace: the request that began it, now over; `caller` is its own
    traceparent, which is linked, since the turn's trace has an id of its own."""
    token = wanted_ids.set(root_of(turn))
    try:
        root = TRACER.start_span(
            name,
            Context(),
            SpanKind.SERVER,
            attributes,
            links=_links(caller),
            start_time=_nanoseconds(began),
        )
    finally:
        wanted_ids.reset(token)
    root.end()


def note_finished_call(
    name: str, attributes: Attributes, seconds: float, fault: str | None
) -> None:
    """Records a call to another service that ended just now."""
    current = TRACER.start_span(
        name,
        kind=SpanKind.CLIENT,
        attributes=attributes,
        start_time=_nanoseconds(time.perf_counter() - seconds),
    )
    if fault is not None:
        _mark_failed(current, fault)
    current.end()


def _mark_failed(current: Span, kind: str) -> None:
    current.set_attribute(ERROR_TYPE, kind)
    current.set_status(StatusCode.ERROR)


def _nanoseconds(began: float) -> int:
    """An instant of `perf_counter` on the wall clock."""
    return time.time_ns() - int((time.perf_counter() - began) * NANOSECONDS)


def _links(traceparent: str) -> list[Link]:
    found = TraceContextTextMapPropagator().extract({"traceparent": traceparent}, Context())
    theirs = trace.get_current_span(found).get_span_context()
    return [Link(theirs)] if theirs.is_valid else []
