"""Metrics and traces of jobs."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from uuid import UUID

from opentelemetry.context import Context
from opentelemetry.trace import SpanKind

from saegim.domain.errors import UserErased
from saegim.jobs.types import JobKind
from saegim.jobs.worker import Handler
from saegim.telemetry import spans
from saegim.usage.metrics import JobEnd, Metrics

# Jobs about a turn: their spans belong to its trace.
OF_TURNS = frozenset({JobKind.EXTRACT, JobKind.INDEX_EPISODE, JobKind.WATCH_TURN})


def observed(handlers: Mapping[JobKind, Handler], observer: Metrics) -> dict[JobKind, Handler]:
    """Wraps handlers with metrics and spans."""
    return {kind: _observed(kind, handler, observer) for kind, handler in handlers.items()}


def _observed(kind: JobKind, handler: Handler, observer: Metrics) -> Handler:
    async def run(tenant: UUID, subject: UUID) -> None:
        began = time.perf_counter()
        end: JobEnd = "failed"
        try:
            with _span(kind, tenant, subject):
                await handler(tenant, subject)
            end = "done"
        except UserErased:
            end = "gone"
            raise
        except asyncio.CancelledError:
            end = "handed_back"
            raise
        finally:
            observer.job(kind.value, end, time.perf_counter() - began)

    return run


def _span(kind: JobKind, tenant: UUID, subject: UUID) -> AbstractContextManager[object]:
    attributes = {
        "messaging.system": "procrastinate",
        "messaging.operation.type": "process",
        "saegim.job": kind.value,
        "saegim.tenant": str(tenant),
        "saegim.subject": str(subject),
    }
    context = spans.within(subject) if kind in OF_TURNS else Context()
    return spans.span(f"job {kind}", attributes, context, SpanKind.CONSUMER)
