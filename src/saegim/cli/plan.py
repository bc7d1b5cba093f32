"""`saegim plan`: estimates machines, storage, tokens and cost of a workload."""

from typing import Annotated, Literal

import typer

from saegim.cli.language import _


def plan(
    sessions_per_day: Annotated[int, typer.Option(help=_("Sessions per day."), min=1)],
    turns: Annotated[int, typer.Option(help=_("Turns per session."), min=1)],
    models: Annotated[
        Literal["openai", "gemini"], typer.Option(help=_("Model preset to take prices from."))
    ] = "openai",
    peak: Annotated[
        float, typer.Option(help=_("Ratio of the busiest hour to the average hour."), min=1.0)
    ] = 3.0,
    answer_tokens: Annotated[int, typer.Option(help=_("Tokens per answer."), min=1)] = 400,
    escalated: Annotated[
        float,
        typer.Option(help=_("Share of turns that the strong model answers."), min=0.0, max=1.0),
    ] = 0.2,
) -> None:
    # The price list is slow to load.
    from saegim.cli import plan_report  # noqa: PLC0415
    from saegim.usage.plan import Workload  # noqa: PLC0415

    plan_report.show(Workload(sessions_per_day, turns, peak, escalated, answer_tokens), models)
