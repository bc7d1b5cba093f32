"""`saegim plan`: what so many sessions a day need."""

from typing import Annotated, Literal

import typer

from saegim.cli.texts import plan_texts as say


def plan(
    sessions_per_day: Annotated[int, typer.Option(help=say.HELP_SESSIONS(), min=1)],
    turns: Annotated[int, typer.Option(help=say.HELP_TURNS(), min=1)],
    models: Annotated[Literal["openai", "gemini"], typer.Option(help=say.HELP_MODELS())] = "openai",
    peak: Annotated[float, typer.Option(help=say.HELP_PEAK(), min=1.0)] = 3.0,
    answer_tokens: Annotated[int, typer.Option(help=say.HELP_ANSWER(), min=1)] = 400,
    escalated: Annotated[float, typer.Option(help=say.HELP_ESCALATED(), min=0.0, max=1.0)] = 0.2,
) -> None:
    # The price list, which the help of every command would wait for.
    from saegim.cli import plan_report  # noqa: PLC0415
    from saegim.usage.plan import Workload  # noqa: PLC0415

    asked = Workload(sessions_per_day, turns, peak, escalated, answer_tokens)
    plan_report.show(asked, models)
