"""Prints a capacity plan as tables."""

from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Literal

from rich import box
from rich.table import Table

from saegim.cli.console import out, say
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.llm.presets import preset
from saegim.usage.plan import MONTH_DAYS, CapacityPlan, Machines, Workload, measured, plan

NANO_INPUT_USD, NANO_OUTPUT_USD = 0.05e-6, 0.40e-6
SESSIONS_PER_DAY, DAYS = 1_000, 30
TURNS_PER_UPDATE = 5
RERANKS = 2


@dataclass(frozen=True, slots=True)
class Component:
    """A model call of the table: its tokens and printed price."""

    input_tokens: int
    output_tokens: int
    printed_usd: float

    @property
    def usd(self) -> float:
        """The cost at the prices the table names."""
        return self.input_tokens * NANO_INPUT_USD + self.output_tokens * NANO_OUTPUT_USD


UPDATE = Component(2_000, 400, 0.0003)
RERANK = Component(1_000, 500, 0.0003)
ANSWER = Component(1_500, 1_000, 0.00055)


@dataclass(frozen=True, slots=True)
class CopilotRow:
    """The monthly cost of one scenario, printed and recalculated."""

    turns: int
    printed_usd: float
    exact_usd: float


def rows() -> tuple[CopilotRow, ...]:
    """Return the scenarios of 20, 50 and 100 turns per session."""
    return tuple(_row(turns) for turns in (20, 50, 100))


def _row(turns: int) -> CopilotRow:
    month = SESSIONS_PER_DAY * DAYS * turns
    updates = month / TURNS_PER_UPDATE
    # The printed sums assume two of the "one or two" reranks per turn.
    printed = updates * UPDATE.printed_usd + month * (
        RERANKS * RERANK.printed_usd + ANSWER.printed_usd
    )
    exact = updates * UPDATE.usd + month * (RERANKS * RERANK.usd + ANSWER.usd)
    return CopilotRow(turns, round(printed, 2), round(exact, 2))


# Turns per session, the printed sum, the exact one, and ours.
type Comparison = tuple[int, float, float, Decimal]

MILLION = 1_000_000


def show(workload: Workload, models: Literal["openai", "gemini"]) -> None:
    """Print the plan of a workload, and its cost beside that of the original design."""
    roles = preset(models, api_key="-").roles
    costs, names = measured(), {role.value: config.model for role, config in roles.items()}
    capacity = plan(workload, costs, names)
    comparison = _compare(workload, names)
    beside = [list(map(str, row)) for row in comparison]
    report(asdict(capacity) | {"usd_per_month": capacity.usd_per_month, "beside_copilot": beside})
    say(
        "{sessions:,} sessions × {turns} turns = {per_day:,} turns per day, "
        "{peak:,.1f} per second at peak",
        sessions=workload.sessions_per_day,
        turns=workload.turns,
        per_day=workload.turns_per_day,
        peak=capacity.peak_turns_per_s,
    )
    out.print(_machines(capacity, Machines()))
    say(
        "{cells} cells · Postgres {gb:,.0f} GB per year, without replicas · Redis {redis:,.1f} GB",
        cells=capacity.cells,
        gb=capacity.postgres_gb_per_year,
        redis=capacity.redis_gb,
    )
    out.print(_money(capacity))
    month = capacity.workload.turns_per_day * MONTH_DAYS
    say("${usd:.6f} per turn", usd=float(capacity.usd_per_month) / month)
    _show_comparison(comparison)
    say(
        "Basis: {rate:.1f} turns per second per core with answers of {tokens} tokens. Your "
        "conversations may differ; measure with `make bench-load`.",
        rate=1 / sum(costs.at(workload.answer_tokens).core_seconds.values()),
        tokens=workload.answer_tokens,
    )


def _show_comparison(comparison: list[Comparison]) -> None:
    say(
        "Compared with the cost table of the original design (1,000 sessions a day, gpt-5-nano)",
        style="bold",
    )
    table = Table(
        _("turns per session"), _("as printed"), _("recalculated"), _("Saegim"), box=box.SIMPLE
    )
    for turns, printed, exact, ours in comparison:
        table.add_row(str(turns), f"${printed:,.0f}", f"${exact:,.0f}", f"${ours:,.0f}")
    out.print(table)
    say(
        "The printed sums are wrong: an answer of 1,500 + 1,000 tokens costs "
        "$0.000475, not $0.00055; a rerank of 1,000 + 500 costs $0.00025, not "
        "$0.0003; two reranks are always counted. The 1,500 input tokens of an "
        "answer are far below the context of 5,300 in the same design. Extraction "
        "and the strong model are not included. Saegim's sums also use answers of "
        "1,000 tokens."
    )


def _machines(capacity: CapacityPlan, machines: Machines) -> Table:
    table = Table(_("component"), _("cores"), _("machines"), box=box.SIMPLE)
    for component, cores in capacity.cores.items():
        count = capacity.machines.get(component)
        needed = count and _("{count} × {cores} cores", count=count, cores=machines.cores)
        table.add_row(component, f"{cores:,.1f}", needed or "")
    return table


def _money(capacity: CapacityPlan) -> Table:
    columns = (
        _("role"),
        _("model"),
        _("calls per day"),
        _("input tokens (millions)"),
        _("output tokens (millions)"),
        _("USD per month"),
    )
    table = Table(*columns, box=box.SIMPLE)
    for role, money in capacity.roles.items():
        day, usd = money.use_per_day, money.usd_per_month
        table.add_row(
            role,
            money.model,
            f"{day.calls:,.0f}",
            f"{day.input_tokens / MILLION:,.1f}",
            f"{day.output_tokens / MILLION:,.1f}",
            _("no price") if usd is None else f"{usd:,.0f}",
        )
    table.add_row(_("total"), "", "", "", "", f"{capacity.usd_per_month:,.0f}", style="bold")
    return table


def _compare(workload: Workload, models: dict[str, str]) -> list[Comparison]:
    """Compare the costs for the number of sessions of the original table."""
    same = replace(workload, sessions_per_day=SESSIONS_PER_DAY, answer_tokens=ANSWER.output_tokens)
    comparison: list[Comparison] = []
    for row in rows():
        ours = plan(replace(same, turns=row.turns), measured(), models).usd_per_month
        comparison.append((row.turns, row.printed_usd, row.exact_usd, round(ours, 2)))
    return comparison
