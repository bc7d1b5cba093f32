"""`saegim usage|limits`: use, rate limits and budgets of a tenant, through the API."""

from typing import TYPE_CHECKING, Annotated

import typer

from saegim.cli.client_target import ClientTarget, client_command
from saegim.cli.console import fail, print_table, say
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.client.types import LimitRule
from saegim.locales import N_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from saegim.client import SaegimClient

limits = typer.Typer(no_args_is_help=True)

MICRO = 1_000_000


def usage(
    target: ClientTarget,
    days: Annotated[int, typer.Option(min=1, max=400, help=_("Number of days."))] = 30,
) -> None:
    by_day = target.call(lambda client: client.usage(days))
    columns = (
        *(_("day"), _("turns"), _("unanswered"), _("tokens in"), _("tokens out")),
        *(_("cost (USD)"), _("95 % within")),
    )
    rows = [
        (
            *(each.day, each.turns, each.unanswered, each.input_tokens, each.output_tokens),
            *(
                "?" if each.cost_usd is None else f"{each.cost_usd:.4f}",
                f"{each.p95_ms / 1000:.1f} s",
            ),
        )
        for each in report_list(by_day, N_("No turns in this time."))
    ]
    print_table(columns, rows)
    if any(each.cost_usd is None for each in by_day):
        say("?: a model without a known list price. Your provider's bill has the cost.")


@client_command(limits, "show", _("Show the limits in effect."))
def show_limits(target: ClientTarget) -> None:
    _print(report_list(target.call(lambda client: client.limits()), N_("No limits.")))


@client_command(
    limits,
    "set",
    _(
        "Replace the limits that the tenant set itself. Without limits, the defaults apply. "
        "Example: saegim limits set 'user requests 60/60' 'tenant usd 5/86400'"
    ),
)
def set_limits(
    target: ClientTarget,
    limit: Annotated[
        list[str] | None,
        typer.Argument(help=_("key, user or tenant; requests, tokens or usd; MOST/SECONDS.")),
    ] = None,
) -> None:
    rules = [_parse(each) for each in limit or ()]

    async def change(client: "SaegimClient") -> "Sequence[LimitRule]":
        await client.set_limits(rules)
        return await client.limits()

    _print(report(target.call(change)))
    say("Done.")


def _print(rules: "Sequence[LimitRule]") -> None:
    columns = (_("subject"), _("resource"), _("most"), _("in seconds"))
    print_table(columns, [(e.subject, e.resource, _most(e), e.window_seconds) for e in rules])


def _most(rule: LimitRule) -> str:
    return f"{rule.most / MICRO:g} USD" if rule.resource == "microdollars" else str(rule.most)


def _parse(text: str) -> LimitRule:
    from saegim.quotas.service import parse_limits  # noqa: PLC0415 - slow to import

    try:
        [parsed] = parse_limits(text)
    except ValueError:
        fail("Not a limit: {limit}", limit=text)
    return LimitRule(
        subject=parsed.subject,
        resource=parsed.resource.value,
        window_seconds=parsed.window_seconds,
        most=parsed.most,
    )
