"""Sends traces where the settings say; where they say nothing, nobody is called."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from opentelemetry import trace

from saegim import __version__
from saegim.app.from_settings import MissingSetting
from saegim.telemetry.spans import wanted_ids

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter

ADDRESSES = ("http://", "https://")


def configure(traces_to: str | None, service: str) -> None:
    """Traces of this process go to a file, a line each, or to an OTLP collector over HTTP.

    Raises MissingSetting where the extra that it takes is not installed."""
    if traces_to is None:
        return
    try:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator  # noqa: PLC0415
    except ImportError as missing:
        raise MissingSetting("SAEGIM_TRACES_TO takes the extra `otel`") from missing

    class TurnIds(RandomIdGenerator):
        """Random ids, except where a span asks for its own."""

        def generate_trace_id(self) -> int:
            wanted = wanted_ids.get()
            return super().generate_trace_id() if wanted is None else wanted.trace

        def generate_span_id(self) -> int:
            wanted = wanted_ids.get()
            return super().generate_span_id() if wanted is None else wanted.span

    about = Resource.create({"service.name": service, "service.version": __version__})
    provider = TracerProvider(resource=about, id_generator=TurnIds())
    provider.add_span_processor(BatchSpanProcessor(_exporter(traces_to)))
    trace.set_tracer_provider(provider)


def _exporter(traces_to: str) -> "SpanExporter":
    if traces_to.startswith(ADDRESSES):
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
            OTLPSpanExporter,
        )

        return OTLPSpanExporter(endpoint=traces_to)
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter  # noqa: PLC0415

    path = Path(traces_to)
    path.parent.mkdir(parents=True, exist_ok=True)
    as_line: Callable[[ReadableSpan], str] = lambda span: span.to_json(indent=None) + "\n"  # noqa: E731
    return ConsoleSpanExporter(out=path.open("a", encoding="utf-8"), formatter=as_line)
