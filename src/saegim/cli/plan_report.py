"""A plan as tables."""

from dataclasses import asdict, replace
from decimal import Decimal
from typing import Literal

from rich import box
from rich.table import Table

from saegim.cli.console import out
from saegim.cli.json_output import report
from saegim.cli.texts import plan_texts as say
from saegim.llm.presets import preset
from saegim.usage.copilot_table import ANSWER, SESSIONS_PER_DAY, rows
from saegim.usage.plan import MONTH_DAYS, Machines, Measured, Plan, Workload, measured, plan

MILLION = 1_000_000


def show(workload: Workload, models: Literal["openai", "gemini"]) -> None:
    """The plan of a workload, and the first design's cost table beside ours."""
    take, names = measured(), _models_of(models)
    made = plan(workload, take, names)
    table = _copilot_table(workload, take, names)
    beside = [list(map(str, row)) for row in table]
    report(asdict(made) | {"usd_per_month": made.usd_per_month, "beside_copilot": beside})
    out.print(
        say.WORKLOAD(
            sessions=workload.sessions_per_day,
            turns=workload.turns,
            per_day=workload.turns_per_day,
            peak=made.peak_turns_per_s,
        )
    )
    out.print(_machines(made, Machines()))
    out.print(say.CELLS(cells=made.cells, gb=made.postgres_gb_per_year, redis=made.redis_gb))
    out.print(_money(made))
    month = made.workload.turns_per_day * MONTH_DAYS
    out.print(say.PER_TURN(usd=float(made.usd_per_month) / month))
    out.print(say.COPILOT(), style="bold")
    out.print(_beside(table))
    out.print(say.WRONG())
    out.print(say.BASIS(rate=1 / sum(take.core_seconds.values())))


def _models_of(name: Literal["openai", "gemini"]) -> dict[str, str]:
    roles = preset(name, api_key="-").roles
    return {role.value: config.model for role, config in roles.items()}


def _machines(made: Plan, machines: Machines) -> Table:
    table = Table(say.PART(), say.CORES(), say.MACHINES(), box=box.SIMPLE)
    for part, cores in made.cores.items():
        count = made.machines.get(part)
        shown = "" if count is None else say.MACHINE_KIND(count=count, cores=machines.cores)
        table.add_row(part, f"{cores:,.1f}", shown)
    return table


def _money(made: Plan) -> Table:
    columns = (say.ROLE, say.MODEL, say.CALLS, say.INPUT, say.OUTPUT, say.MONTH)
    table = Table(*(column() for column in columns), box=box.SIMPLE)
    for role, money in made.roles.items():
        day, usd = money.use_per_day, money.usd_per_month
        table.add_row(
            role,
            money.model,
            f"{day.calls:,.0f}",
            f"{day.input_tokens / MILLION:,.1f}",
            f"{day.output_tokens / MILLION:,.1f}",
            say.NO_PRICE() if usd is None else f"{usd:,.0f}",
        )
    table.add_row(say.TOTAL(), "", "", "", "", f"{made.usd_per_month:,.0f}", style="bold")
    return table


def _copilot_table(
    workload: Workload, take: Measured, models: dict[str, str]
) -> list[tuple[int, float, float, Decimal]]:
    """Turns, the printed sum, the exact one, and ours with the same number of sessions."""
    shown: list[tuple[int, float, float, Decimal]] = []
    for row in rows():
        same = replace(
            workload,
            sessions_per_day=SESSIONS_PER_DAY,
            turns=row.turns,
            answer_tokens=ANSWER.output_tokens,
        )
        ours = plan(same, take, models).usd_per_month
        shown.append((row.turns, row.printed_usd, row.exact_usd, round(ours, 2)))
    return shown


def _beside(rows_: list[tuple[int, float, float, Decimal]]) -> Table:
    table = Table(say.TURNS(), say.PRINTED(), say.EXACT(), say.OURS(), box=box.SIMPLE)
    for turns, printed, exact, ours in rows_:
        table.add_row(str(turns), f"${printed:,.0f}", f"${exact:,.0f}", f"${ours:,.0f}")
    return table
