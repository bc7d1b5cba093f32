"""Metrics for Prometheus. Labels are names of ours, never of a tenant."""

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
    """Whether the turn asked the library at all."""
    return bool(trace.searches)


def first_cited_rank(trace: TurnTrace) -> int | None:
    """The rank of the best passage that the answer cites; None where it cites none."""
    cited = {one.id for one in trace.citations if one.kind == PASSAGE}
    ranked = [one for one in trace.items if one.kind == PASSAGE and one.fate != NOT_RANKED]
    return next((rank for rank, one in enumerate(ranked, start=1) if one.id in cited), None)


def covered(trace: TurnTrace) -> bool:
    """Whether what was found was judged to be enough for an answer."""
    return trace.findings is not None and trace.findings.is_sufficient


JobEnd = Literal["done", "failed", "gone", "handed_back"]
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
NONE = "none"


class Metrics:
    """Everything one process counts, and the page that shows it."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._gauges: dict[str, Gauge] = {}
        self._count_requests()
        self._count_turns()
        self._count_searches()
        self._count_models()
        self._count_jobs()
        self.gauge("saegim_info", "The release that runs.", 1, version=__version__)

    def _count_requests(self) -> None:
        self._requests = Counter(
            "saegim_http_requests", "Requests that the API answered.",
            ("method", "route", "status"), registry=self._registry,
        )  # fmt: skip
        self._request_seconds = Histogram(
            "saegim_http_request_seconds", "Seconds until a response was over, streams included.",
            ("route",), registry=self._registry, buckets=LONG,
        )  # fmt: skip
        self._refused = Counter(
            "saegim_http_refused", "Requests that were refused for load, by the bound they met.",
            ("bound",), registry=self._registry,
        )  # fmt: skip
        self._authentication_failures = Counter(
            "saegim_authentication_failures", "Credentials that were not good.",
            ("credential",), registry=self._registry,
        )  # fmt: skip
        self._loop_lag = Histogram(
            "saegim_event_loop_lag_seconds", "Seconds by which the event loop was late.",
            registry=self._registry, buckets=SHORT,
        )  # fmt: skip

    def _count_turns(self) -> None:
        self._turns = Counter(
            "saegim_turns", "Turns that were recorded, by how they ended.",
            ("outcome",), registry=self._registry,
        )  # fmt: skip
        self._escalated = Counter(
            "saegim_turns_escalated", "Turns that went to the strong model.",
            registry=self._registry,
        )  # fmt: skip
        self._with = Counter(
            "saegim_turns_with", "Turns whose context had such evidence.",
            ("evidence",), registry=self._registry,
        )  # fmt: skip
        self._turn_seconds = Histogram(
            "saegim_turn_seconds", "Seconds of a turn from its message to its record.",
            registry=self._registry, buckets=LONG,
        )  # fmt: skip
        self._own_seconds = Histogram(
            "saegim_turn_own_seconds", "Seconds of a turn besides those of models.",
            registry=self._registry, buckets=SHORT,
        )  # fmt: skip
        self._stage_seconds = Histogram(
            "saegim_turn_stage_seconds", "Seconds of one stage of a turn, models included.",
            ("stage",), registry=self._registry, buckets=SHORT,
        )  # fmt: skip
        self._context_tokens = Histogram(
            "saegim_turn_context_tokens", "Tokens of the context that a turn was answered with.",
            registry=self._registry, buckets=(500, 1_000, 2_000, 3_000, 5_300, 6_900, 10_000),
        )  # fmt: skip
        self._degraded = Counter(
            "saegim_turns_degraded", "Turns that did without a part.",
            ("part",), registry=self._registry,
        )  # fmt: skip

    def _count_searches(self) -> None:
        self._searched = Counter(
            "saegim_searches", "Turns that searched the library.", registry=self._registry,
        )  # fmt: skip
        self._search_hits = Counter(
            "saegim_search_hits", "Of these, turns whose answer cites one of the first k passages.",
            ("k",), registry=self._registry,
        )  # fmt: skip
        self._searches_covered = Counter(
            "saegim_searches_covered", "Of these, turns that found enough for an answer.",
            registry=self._registry,
        )  # fmt: skip
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
        self._calls = Counter(
            "saegim_model_calls", "Model steps, by who did them and what went wrong.",
            ("step", "role", "model", "source", "fault"), registry=self._registry,
        )  # fmt: skip
        self._call_seconds = Histogram(
            "saegim_model_call_seconds", "Seconds of a model step.",
            ("role",), registry=self._registry, buckets=LONG,
        )  # fmt: skip
        self._tokens = Counter(
            "saegim_model_tokens", "Tokens that models read and wrote.",
            ("role", "model", "direction"), registry=self._registry,
        )  # fmt: skip
        self._cost = Counter(
            "saegim_model_cost_usd", "What models cost, as far as prices are known.",
            ("role", "model"), registry=self._registry,
        )  # fmt: skip

    def _count_jobs(self) -> None:
        self._jobs = Counter(
            "saegim_jobs", "Jobs that a worker let go of, by how they ended.",
            ("kind", "end"), registry=self._registry,
        )  # fmt: skip
        self._job_seconds = Histogram(
            "saegim_job_seconds", "Seconds of a job.",
            ("kind",), registry=self._registry, buckets=LONG,
        )  # fmt: skip

    def turn(self, event: Interaction, trace: TurnTrace) -> None:
        """A turn was recorded."""
        self._turns.labels(event.outcome).inc()
        self._turn_seconds.observe(event.latency_ms / 1000)
        thinking = sum(call.seconds for call in trace.calls)
        self._own_seconds.observe(max(0.0, event.latency_ms / 1000 - thinking))
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
        """A model step was run, for a turn or in the background."""
        fault = call.fault.value if call.fault else NONE
        self._calls.labels(call.step, call.role, call.model, call.source.value, fault).inc()
        self._call_seconds.labels(call.role).observe(call.seconds)
        self._tokens.labels(call.role, call.model, "input").inc(call.input_tokens)
        self._tokens.labels(call.role, call.model, "output").inc(call.output_tokens)
        self._cost.labels(call.role, call.model).inc(float(call.cost_usd or 0))

    def job(self, kind: str, end: JobEnd, seconds: float) -> None:
        """A worker let go of a job."""
        self._jobs.labels(kind, end).inc()
        self._job_seconds.labels(kind).observe(seconds)

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """The API answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def refused(self, bound: str) -> None:
        """The API refused a request because of its load."""
        self._refused.labels(bound).inc()

    def authentication_failed(self, credential: str) -> None:
        """A credential of this kind was not good."""
        self._authentication_failures.labels(credential).inc()

    def loop_lag(self, seconds: float) -> None:
        """The event loop ran a timer so much too late."""
        self._loop_lag.observe(seconds)

    def pool(self, cell: str, use: PoolUse) -> None:
        """How many connections there are, right now."""
        text = "Connections of this process to a cell."
        for state, count in (("used", use.size - use.free), ("free", use.free), ("most", use.most)):
            self.gauge("saegim_pool_connections", text, count, cell=cell, state=state)
        self.gauge("saegim_pool_waiting", "Who waits for a connection.", use.waiting, cell=cell)

    def gauge(self, name: str, text: str, value: float, **labels: str) -> None:
        """Something that is measured when the page is asked for."""
        if name not in self._gauges:
            self._gauges[name] = Gauge(name, text, tuple(labels), registry=self._registry)
        known = self._gauges[name]
        (known.labels(**labels) if labels else known).set(value)

    def forget(self, *names: str) -> None:
        """Takes gauges off the page that nobody can measure now: an old value would mislead."""
        for name in names:
            if (gone := self._gauges.pop(name, None)) is not None:
                self._registry.unregister(gone)

    def page(self) -> bytes:
        """The page, in Prometheus's text format."""
        return generate_latest(self._registry)
