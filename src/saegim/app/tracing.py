"""OpenTelemetry export; off when unset."""

import os
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


# The exporter reads this and the other standard variables (headers, certificate, timeout) itself.
OTLP_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


def configure(traces_file: Path | None, service: str) -> None:
    """Export the traces of this process to an OTLP collector over HTTP, to a file, or both.

    Does nothing when neither is set. Raises MissingSetting when the extra `otel` is missing.
    """
    to_collector = bool(os.environ.get(OTLP_ENDPOINT))
    if not to_collector and traces_file is None:
        return
    try:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        from opentelemetry.sdk.trace.id_generator import RandomIdGenerator  # noqa: PLC0415
    except ImportError as missing:
        raise MissingSetting("traces need the extra `otel`") from missing

    class TurnIds(RandomIdGenerator):
        """Random IDs, unless a span sets its own."""

        def generate_trace_id(self) -> int:
            wanted = wanted_ids.get()
            return super().generate_trace_id() if wanted is None else wanted.trace

        def generate_span_id(self) -> int:
            wanted = wanted_ids.get()
            return super().generate_span_id() if wanted is None else wanted.span

    about = Resource.create({"service.name": service, "service.version": __version__})
    provider = TracerProvider(resource=about, id_generator=TurnIds())
    if to_collector:
        provider.add_span_processor(BatchSpanProcessor(_otlp_exporter()))
    if traces_file is not None:
        provider.add_span_processor(BatchSpanProcessor(_file_exporter(traces_file)))
    trace.set_tracer_provider(provider)


def _otlp_exporter() -> "SpanExporter":
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )

    return OTLPSpanExporter()


def _file_exporter(path: Path) -> "SpanExporter":
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter  # noqa: PLC0415

    path.parent.mkdir(parents=True, exist_ok=True)
    as_line: Callable[[ReadableSpan], str] = lambda span: span.to_json(indent=None) + "\n"  # noqa: E731
    return ConsoleSpanExporter(out=path.open("a", encoding="utf-8"), formatter=as_line)
