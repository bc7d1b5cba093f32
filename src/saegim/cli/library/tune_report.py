"""The work of `saegim tune`, and its table of before and after."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

import typer
from rich import box
from rich.table import Table

from saegim.app.container import Services
from saegim.cli.console import err, fail, out
from saegim.cli.language import _
from saegim.library.ranking import RankingWeights
from saegim.library.tuning import Label
from saegim.library.weight_fitting import FOLDS, TuningResult

MEASURES = (("nDCG@10", "ndcg10"), ("MRR", "mrr"), ("R@10", "recall10"))
SHOWN_UNKNOWN = 5


@dataclass(frozen=True, slots=True)
class TuneRequest:
    """What is to be tuned, by which questions, and whether the result is to be used."""

    tenant: UUID
    labels: Sequence[tuple[str, str]] | None
    questions: int
    seed: int
    apply: bool


async def tune(services: Services, asked: TuneRequest, *, as_json: bool) -> None:
    tuning, tenant = services.library.tuning, asked.tenant
    if asked.labels is None:
        found = await tuning.make(tenant, asked.questions, asked.seed)
    else:
        found = await tuning.labelled(tenant, [Label(*label) for label in asked.labels])
    if found.unknown:
        some = ", ".join(found.unknown[:SHOWN_UNKNOWN])
        err.print(
            _("Ignored {count} unknown IDs: {some}", count=len(found.unknown), some=some),
            style="yellow",
        )
    if len({question.fold for question in found.asked}) < FOLDS:
        fail(_("Too few questions: each fold needs at least one."))
    tuned = await tuning.tune(tenant, found.asked)
    applied = asked.apply and await tuning.keep(tenant, tuned)
    if as_json:
        report = asdict(tuned) | {"is_worth_it": tuned.is_worth_it, "applied": applied}
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
        return
    _show(tuned, made=asked.labels is None)
    if applied:
        out.print(_("The new weights are now in use."), style="green")
    else:
        waits = tuned.is_worth_it and not asked.apply
        out.print(
            _("To use them, add --apply.")
            if waits
            else _(
                "The weights were not changed: no better ones were found, or the held-out "
                "folds would get worse."
            ),
            style="yellow",
        )


def _show(tuned: TuningResult, *, made: bool) -> None:
    source = _("made from passages") if made else _("labelled")
    out.print(_("{count} questions, {source}.", count=tuned.questions, source=source))
    table = Table(_("metric"), _("before"), _("after"), box=box.SIMPLE)
    for title, name in MEASURES:
        before, after = getattr(tuned.before, name), getattr(tuned.held_out, name)
        table.add_row(title, f"{before:.4f}", f"{after:.4f}")
    table.add_row("", _named(tuned.weights), _named(tuned.fitted))
    out.print(table)
    gain = tuned.gain
    shown = _(
        "nDCG@10 {mean} (95 % interval {low} … {high}) on the held-out folds.",
        mean=f"{gain.mean:+.4f}",
        low=f"{gain.low:+.4f}",
        high=f"{gain.high:+.4f}",
    )
    out.print(shown)
    out.print(_("Weights: {weights}", weights=_named(tuned.fitted)))


def _named(weights: RankingWeights) -> str:
    return ", ".join(
        f"{name} {value}" if isinstance(value, str) else f"{name} {value:g}"
        for name, value in asdict(weights).items()
    )
