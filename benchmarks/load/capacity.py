"""Write the tables of docs/how-to/capacity.md from the measured cost of a turn."""

from collections.abc import Sequence

from benchmarks.page import publish, table
from benchmarks.results import ROOT
from saegim.llm.presets import preset
from saegim.usage.plan import PARTS, CapacityPlan, RoleUse, TurnCost, TurnCosts, Workload, plan

PAGE = ROOT / "docs/how-to/capacity.md"
SESSIONS = (1_000, 100_000, 10_000_000)
TURNS = 20


def write(costs: TurnCosts) -> None:
    """Writes both tables into the page."""
    models = {role.value: one.model for role, one in preset("openai", api_key="-").roles.items()}
    plans = [plan(Workload(count, TURNS), costs, models) for count in SESSIONS]
    planned = costs.at(plans[0].workload.answer_tokens)
    publish("turn", _turn([costs.short, planned, costs.long]), PAGE)
    publish("plan", _plans(plans), PAGE)


def _turn(costs: Sequence[TurnCost]) -> str:
    head = ("a turn with an answer of", *(f"{each.answer_tokens:,.0f} tokens" for each in costs))
    rows = [
        (f"processor, {part}", *(f"{1000 * each.core_seconds[part]:,.1f} ms" for each in costs))
        for part in PARTS
    ]
    rows += [
        ("turns per second and core", *(f"{1 / sum(c.core_seconds.values()):.2f}" for c in costs)),
        *(
            (f"model, `{role}`", *(_use(each.roles[role]) for each in costs))
            for role in costs[0].roles
        ),
        ("Postgres", *(f"{each.postgres_bytes_per_turn / 1000:,.1f} kB" for each in costs)),
        ("Redis, a session", *(f"{each.redis_bytes_per_session / 1000:,.1f} kB" for each in costs)),
    ]
    return table(head, rows, "<>>>")


def _use(use: RoleUse) -> str:
    return f"{use.calls:,.2f} calls, {use.input_tokens:,.0f} in, {use.output_tokens:,.0f} out"


def _plans(plans: list[CapacityPlan]) -> str:
    head = ("sessions a day, 20 turns each", *(f"{each:,}" for each in SESSIONS))
    rows = [
        ("turns a day", *(f"{each.workload.turns_per_day:,}" for each in plans)),
        ("turns a second, busiest hour", *(f"{each.peak_turns_per_s:,.1f}" for each in plans)),
        *(
            (f"cores, {part}", *(f"{each.cores[part]:,.1f}" for each in plans))
            for part in PARTS
        ),
        *(
            (f"machines of 8 cores, {part}", *(f"{each.machines[part]:,}" for each in plans))
            for part in ("api", "worker")
        ),
        ("cells", *(f"{each.cells:,}" for each in plans)),
        ("Postgres a year, TB", *(f"{each.postgres_gb_per_year / 1000:,.1f}" for each in plans)),
        ("Redis, GB", *(f"{each.redis_gb:,.1f}" for each in plans)),
        ("models a month, $", *(f"{each.usd_per_month:,.0f}" for each in plans)),
        (
            "models a turn, $",
            *(f"{each.usd_per_month / each.workload.turns_per_day / 30:.5f}" for each in plans),
        ),
    ]  # fmt: skip
    return table(head, rows, "<>>>")
