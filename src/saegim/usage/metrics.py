"""Prometheus metrics. Labels never name a tenant."""

from collections.abc import Mapping, Sequence
from typing import Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from saegim import __version__
from saegim.db.pool import PoolUse
from saegim.llm.model_call import ModelCall
from saegim.usage.trace import Interaction, TurnTrace

TOP = (1, 3, 5, 10)
PASSAGE = "passage"
NOT_RANKED = "not_ranked"


def first_cited_rank(trace: TurnTrace) -> int | None:
    """Return the rank of the best cited passage, or None."""
    cited = {citation.id for citation in trace.citations if citation.kind == PASSAGE}
    ranked = [item for item in trace.items if item.kind == PASSAGE and item.fate != NOT_RANKED]
    return next((rank for rank, item in enumerate(ranked, start=1) if item.id in cited), None)


JobEnd = Literal["done", "failed", "gone", "handed_back"]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
CONTEXT = (500, 1_000, 2_000, 3_000, 5_300, 6_900, 10_000)
NONE = "none"


# The help text of each counter and its labels.
COUNTERS: Mapping[str, Sequence[str]] = {
    "saegim_http_requests": ("Answered API requests.", "method", "route", "status"),
    "saegim_http_refused": ("Requests refused because of load.", "bound"),
    "saegim_authentication_failures": ("Rejected credentials.", "credential"),
    "saegim_turns": ("Recorded turns by outcome.", "outcome"),
    "saegim_turns_escalated": ("Turns escalated to the strong model.",),
    "saegim_turns_with": ("Turns with this evidence in the context.", "evidence"),
    "saegim_turns_degraded": ("Turns without a component.", "part"),
    "saegim_searches": ("Turns that searched the library.",),
    "saegim_search_hits": ("Searches with one of the first k passages cited.", "k"),
    "saegim_searches_covered": ("Searches with sufficient results.",),
    "saegim_model_calls": (
        "Model steps by source and fault.",
        *("step", "role", "model", "source", "fault"),
    ),
    "saegim_model_tokens": ("Tokens of models.", "role", "model", "direction"),
    "saegim_model_cost_usd": ("Cost of models with known prices.", "role", "model"),
    "saegim_jobs": ("Finished jobs by result.", "kind", "end"),
}
# The help text of each histogram, its buckets and its labels.
HISTOGRAMS: Mapping[str, tuple[str, Sequence[float], Sequence[str]]] = {
    "saegim_http_request_seconds": ("Seconds to the end of a response.", LONG, ("route",)),
    "saegim_event_loop_lag_seconds": ("Lateness of the event loop.", SHORT, ()),
    "saegim_turn_seconds": ("Seconds from message to record.", LONG, ()),
    "saegim_turn_own_seconds": ("Seconds of a turn without models.", SHORT, ()),
    "saegim_turn_stage_seconds": ("Seconds of a stage, with models.", SHORT, ("stage",)),
    "saegim_turn_context_tokens": ("Tokens of a turn's context.", CONTEXT, ()),
    "saegim_model_call_seconds": ("Seconds of a model step.", LONG, ("role",)),
    "saegim_job_seconds": ("Seconds of a job.", LONG, ("kind",)),
}


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._gauges: dict[str, Gauge] = {}
        self._counters = {
            name: Counter(name, text, labels, registry=self._registry)
            for name, (text, *labels) in COUNTERS.items()
        }
        self._histograms = {
            name: Histogram(name, text, labels, registry=self._registry, buckets=buckets)
            for name, (text, buckets, labels) in HISTOGRAMS.items()
        }
        for k in TOP:
            self._count("saegim_search_hits", str(k), by=0)
        self.gauge("saegim_info", "The running release.", 1, version=__version__)

    def _count(self, name: str, *labels: str, by: float = 1) -> None:
        counter = self._counters[name]
        (counter.labels(*labels) if labels else counter).inc(by)

    def _observe(self, name: str, value: float, *labels: str) -> None:
        histogram = self._histograms[name]
        (histogram.labels(*labels) if labels else histogram).observe(value)

    def turn(self, event: Interaction, trace: TurnTrace) -> None:
        self._count("saegim_turns", event.outcome)
        self._observe("saegim_turn_seconds", event.latency_ms / 1000)
        model_seconds = sum(call.seconds for call in trace.calls)
        own_seconds = max(0.0, event.latency_ms / 1000 - model_seconds)
        self._observe("saegim_turn_own_seconds", own_seconds)
        for stage in trace.spans:
            self._observe("saegim_turn_stage_seconds", stage.took_ms / 1000, stage.name)
        for part in event.degraded:
            self._count("saegim_turns_degraded", part)
        if event.escalated:
            self._count("saegim_turns_escalated")
        for kind in {item.kind for item in trace.items if item.fate == "injected"}:
            self._count("saegim_turns_with", str(kind))
        if trace.searches:
            self._search(trace)
        if trace.context is not None:
            self._observe("saegim_turn_context_tokens", trace.context.tokens)

    def _search(self, trace: TurnTrace) -> None:
        self._count("saegim_searches")
        is_covered = trace.findings is not None and trace.findings.is_sufficient
        self._count("saegim_searches_covered", by=int(is_covered))
        rank = first_cited_rank(trace)
        for k in TOP:
            self._count("saegim_search_hits", str(k), by=int(rank is not None and rank <= k))

    def model_call(self, call: ModelCall) -> None:
        """Count a model step of a turn or a job."""
        fault = call.fault.value if call.fault else NONE
        labels = (call.step, call.role, call.model, call.source.value, fault)
        self._count("saegim_model_calls", *labels)
        self._observe("saegim_model_call_seconds", call.seconds, call.role)
        model = (call.role, call.model)
        self._count("saegim_model_tokens", *model, "input", by=call.input_tokens)
        self._count("saegim_model_tokens", *model, "output", by=call.output_tokens)
        self._count("saegim_model_cost_usd", *model, by=float(call.cost_usd or 0))

    def job(self, kind: str, end: JobEnd, seconds: float) -> None:
        self._count("saegim_jobs", kind, end)
        self._observe("saegim_job_seconds", seconds, kind)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._count("saegim_http_requests", method, route, str(status))
        self._observe("saegim_http_request_seconds", seconds, route)

    def refused(self, bound: str) -> None:
        self._count("saegim_http_refused", bound)

    def authentication_failed(self, credential: str) -> None:
        self._count("saegim_authentication_failures", credential)

    def loop_lag(self, seconds: float) -> None:
        """Record how late the event loop ran a timer."""
        self._observe("saegim_event_loop_lag_seconds", seconds)

    def pool(self, cell: str, use: PoolUse) -> None:
        """Record the current use of a connection pool."""
        text = "Connections of this process to a cell."
        for state, count in (("used", use.size - use.free), ("free", use.free), ("most", use.most)):
            self.gauge("saegim_pool_connections", text, count, cell=cell, state=state)
        self.gauge(
            "saegim_pool_waiting", "Requests waiting for a connection.", use.waiting, cell=cell
        )

    def gauge(self, name: str, text: str, value: float, **labels: str) -> None:
        """Set a gauge that is measured when the page is requested."""
        if name not in self._gauges:
            self._gauges[name] = Gauge(name, text, tuple(labels), registry=self._registry)
        gauge = self._gauges[name]
        (gauge.labels(**labels) if labels else gauge).set(value)

    def forget(self, *names: str) -> None:
        """Remove gauges that cannot be measured now: an old value would mislead."""
        for name in names:
            if (gauge := self._gauges.pop(name, None)) is not None:
                self._registry.unregister(gauge)

    def page(self) -> bytes:
        """Return the page in Prometheus's text format."""
        return generate_latest(self._registry)
