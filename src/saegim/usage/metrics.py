"""Prometheus metrics. Labels never name a tenant."""

from collections.abc import Sequence
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


def searched(trace: TurnTrace) -> bool:
    return bool(trace.searches)


def first_cited_rank(trace: TurnTrace) -> int | None:
    """Return the rank of the best cited passage, or None."""
    cited = {citation.id for citation in trace.citations if citation.kind == PASSAGE}
    ranked = [item for item in trace.items if item.kind == PASSAGE and item.fate != NOT_RANKED]
    return next((rank for rank, item in enumerate(ranked, start=1) if item.id in cited), None)


def covered(trace: TurnTrace) -> bool:
    """Whether research judged the findings sufficient."""
    return trace.findings is not None and trace.findings.is_sufficient


JobEnd = Literal["done", "failed", "gone", "handed_back"]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
NONE = "none"


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._gauges: dict[str, Gauge] = {}
        self._count_requests()
        self._count_turns()
        self._count_searches()
        self._count_models()
        self._count_jobs()
        self.gauge("saegim_info", "The running release.", 1, version=__version__)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self._registry)

    def _histogram(self, name: str, text: str, buckets: Sequence[float], *labels: str) -> Histogram:
        return Histogram(name, text, labels, registry=self._registry, buckets=buckets)

    def _count_requests(self) -> None:
        self._requests = self._counter(
            "saegim_http_requests", "Answered API requests.", "method", "route", "status"
        )
        self._request_seconds = self._histogram(
            "saegim_http_request_seconds",
            "Seconds to the end of a response.",
            LONG,
            "route",
        )
        self._refused = self._counter(
            "saegim_http_refused",
            "Requests refused because of load.",
            "bound",
        )
        self._authentication_failures = self._counter(
            "saegim_authentication_failures", "Rejected credentials.", "credential"
        )
        self._loop_lag = self._histogram(
            "saegim_event_loop_lag_seconds", "Lateness of the event loop.", SHORT
        )

    def _count_turns(self) -> None:
        self._turns = self._counter("saegim_turns", "Recorded turns by outcome.", "outcome")
        self._escalated = self._counter(
            "saegim_turns_escalated", "Turns escalated to the strong model."
        )
        self._with = self._counter(
            "saegim_turns_with", "Turns with this evidence in the context.", "evidence"
        )
        self._turn_seconds = self._histogram(
            "saegim_turn_seconds", "Seconds from message to record.", LONG
        )
        self._own_seconds = self._histogram(
            "saegim_turn_own_seconds", "Seconds of a turn without models.", SHORT
        )
        self._stage_seconds = self._histogram(
            "saegim_turn_stage_seconds",
            "Seconds of a stage, with models.",
            SHORT,
            "stage",
        )
        self._context_tokens = self._histogram(
            "saegim_turn_context_tokens",
            "Tokens of a turn's context.",
            (500, 1_000, 2_000, 3_000, 5_300, 6_900, 10_000),
        )
        self._degraded = self._counter(
            "saegim_turns_degraded", "Turns without a component.", "part"
        )

    def _count_searches(self) -> None:
        self._searched = self._counter("saegim_searches", "Turns that searched the library.")
        self._search_hits = self._counter(
            "saegim_search_hits",
            "Searches with one of the first k passages cited.",
            "k",
        )
        self._searches_covered = self._counter(
            "saegim_searches_covered", "Searches with sufficient results."
        )
        for k in TOP:
            self._search_hits.labels(str(k))

    def _search(self, trace: TurnTrace) -> None:
        if not searched(trace):
            return
        self._searched.inc()
        self._searches_covered.inc(int(covered(trace)))
        rank = first_cited_rank(trace)
        for k in TOP:
            self._search_hits.labels(str(k)).inc(int(rank is not None and rank <= k))

    def _count_models(self) -> None:
        self._calls = self._counter(
            "saegim_model_calls",
            "Model steps by source and fault.",
            "step",
            "role",
            "model",
            "source",
            "fault",
        )
        self._call_seconds = self._histogram(
            "saegim_model_call_seconds", "Seconds of a model step.", LONG, "role"
        )
        self._tokens = self._counter(
            "saegim_model_tokens",
            "Tokens of models.",
            "role",
            "model",
            "direction",
        )
        self._cost = self._counter(
            "saegim_model_cost_usd",
            "Cost of models with known prices.",
            "role",
            "model",
        )

    def _count_jobs(self) -> None:
        self._jobs = self._counter("saegim_jobs", "Finished jobs by result.", "kind", "end")
        self._job_seconds = self._histogram("saegim_job_seconds", "Seconds of a job.", LONG, "kind")

    def turn(self, event: Interaction, trace: TurnTrace) -> None:
        self._turns.labels(event.outcome).inc()
        self._turn_seconds.observe(event.latency_ms / 1000)
        model_seconds = sum(call.seconds for call in trace.calls)
        self._own_seconds.observe(max(0.0, event.latency_ms / 1000 - model_seconds))
        for stage in trace.spans:
            self._stage_seconds.labels(stage.name).observe(stage.took_ms / 1000)
        for part in event.degraded:
            self._degraded.labels(part).inc()
        if event.escalated:
            self._escalated.inc()
        for kind in {item.kind for item in trace.items if item.fate == "injected"}:
            self._with.labels(str(kind)).inc()
        self._search(trace)
        if trace.context is not None:
            self._context_tokens.observe(trace.context.tokens)

    def model_call(self, call: ModelCall) -> None:
        """Count a model step of a turn or a job."""
        fault = call.fault.value if call.fault else NONE
        self._calls.labels(call.step, call.role, call.model, call.source.value, fault).inc()
        self._call_seconds.labels(call.role).observe(call.seconds)
        self._tokens.labels(call.role, call.model, "input").inc(call.input_tokens)
        self._tokens.labels(call.role, call.model, "output").inc(call.output_tokens)
        self._cost.labels(call.role, call.model).inc(float(call.cost_usd or 0))

    def job(self, kind: str, end: JobEnd, seconds: float) -> None:
        self._jobs.labels(kind, end).inc()
        self._job_seconds.labels(kind).observe(seconds)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def refused(self, bound: str) -> None:
        self._refused.labels(bound).inc()

    def authentication_failed(self, credential: str) -> None:
        self._authentication_failures.labels(credential).inc()

    def loop_lag(self, seconds: float) -> None:
        """Record how late the event loop ran a timer."""
        self._loop_lag.observe(seconds)

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
