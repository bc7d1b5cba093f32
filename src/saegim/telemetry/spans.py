"""OpenTelemetry traces, one per turn; without an SDK they do nothing.

The trace id is the turn's id, so that every process joins the same trace. Spans carry ids, our own
names and counts, but no user text and no error text, which could quote it.
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
    """The ids of a span to create."""

    trace: int
    span: int


wanted_ids: ContextVar[SpanIds | None] = ContextVar("wanted_ids", default=None)
"""Read by the SDK's id generator: a turn's root span is written last, after its children."""


def root_of(turn: UUID) -> SpanIds:
    """Return the ids of a turn's root span."""
    return SpanIds(turn.int, int.from_bytes(sha256(turn.bytes).digest()[:8]) or 1)


def within(turn: UUID) -> Context:
    """Return the context of a turn's trace, even before its root is written."""
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
    """Open a span; a failure records only the exception's type."""
    with TRACER.start_as_current_span(
        name, context, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except BaseException as error:
            _mark_failed(current, type(error).__name__)
            raise


def note_request(turn: UUID, name: str, began: float, attributes: Attributes, caller: str) -> None:
    """Write the root span of a turn: its finished request, linked to the caller's traceparent."""
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
    """Record a call to another service that just ended."""
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
    """Convert a `perf_counter` time to wall-clock nanoseconds."""
    return time.time_ns() - int((time.perf_counter() - began) * NANOSECONDS)


def _links(traceparent: str) -> list[Link]:
    context = TraceContextTextMapPropagator().extract({"traceparent": traceparent}, Context())
    remote = trace.get_current_span(context).get_span_context()
    return [Link(remote)] if remote.is_valid else []
