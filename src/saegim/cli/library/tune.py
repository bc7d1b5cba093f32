"""`saegim tune`: fits the ranking weights of a tenant and prints the metrics before and after."""

import contextlib
import csv
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer
from rich import box
from rich.table import Table

from saegim.cli.console import fail, out, say, warn
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.service_commands import Tenant

if TYPE_CHECKING:
    from saegim.app.container import Services
    from saegim.library.ranking import RankingWeights
    from saegim.library.weight_fitting import TuningResult

QUESTION = "query"
ANSWERS = ("passage_id", "document_id")
MEASURES = (("nDCG@10", "ndcg10"), ("MRR", "mrr"), ("R@10", "recall10"))
SHOWN_UNKNOWN = 5


async def tune(
    services: "Services",
    tenant: Tenant,
    labelled: Annotated[
        Path | None,
        typer.Option(
            help=_(
                "CSV of questions and the ID of the document or passage that answers each. "
                "Default: questions are made from the passages."
            )
        ),
    ] = None,
    questions: Annotated[int, typer.Option(min=20, help=_("Number of questions to make."))] = 200,
    seed: Annotated[
        int, typer.Option(help=_("Random seed. The same seed makes the same questions."))
    ] = 0,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply", help=_("Use the fitted weights, unless the held-out folds get worse.")
        ),
    ] = False,
) -> None:
    labels = None if labelled is None else read_labels(labelled)
    await fit(services, tenant, labels, (questions, seed), apply=apply)


async def fit(
    services: "Services",
    tenant: UUID,
    labels: Sequence[tuple[str, str]] | None,
    sample: tuple[int, int],
    *,
    apply: bool,
) -> dict[str, Any]:
    """Fit and print the weights. Without labels, the sample is a number of questions and a seed."""
    from saegim.library.tuning import Label  # noqa: PLC0415
    from saegim.library.weight_fitting import FOLDS  # noqa: PLC0415

    tuning = services.library.tuning
    if labels is None:
        questions = await tuning.make(tenant, *sample)
    else:
        questions = await tuning.labelled(tenant, [Label(*label) for label in labels])
    if questions.unknown:
        some = ", ".join(questions.unknown[:SHOWN_UNKNOWN])
        warn("Ignored {count} unknown IDs: {some}", count=len(questions.unknown), some=some)
    if len({question.fold for question in questions.asked}) < FOLDS:
        fail("Too few questions: each fold needs at least one.")
    tuned = await tuning.tune(tenant, questions.asked)
    applied = apply and await tuning.keep(tenant, tuned)
    result = asdict(tuned) | {"is_worth_it": tuned.is_worth_it, "applied": applied}
    report(result)
    _show(tuned, made=labels is None)
    if applied:
        say("The new weights are now in use.", style="green")
    elif tuned.is_worth_it and not apply:
        say("To use them, add --apply.", style="yellow")
    else:
        say(
            "The weights were not changed: no better ones were found, or the held-out "
            "folds would get worse.",
            style="yellow",
        )
    return result


def _show(tuned: "TuningResult", *, made: bool) -> None:
    source = _("made from passages") if made else _("labelled")
    say("{count} questions, {source}.", count=tuned.questions, source=source)
    table = Table(_("metric"), _("before"), _("after"), box=box.SIMPLE)
    for title, name in MEASURES:
        before, after = getattr(tuned.before, name), getattr(tuned.held_out, name)
        table.add_row(title, f"{before:.4f}", f"{after:.4f}")
    table.add_row("", _named(tuned.weights), _named(tuned.fitted))
    out.print(table)
    say(
        "nDCG@10 {mean} (95 % interval {low} … {high}) on the held-out folds.",
        mean=f"{tuned.gain.mean:+.4f}",
        low=f"{tuned.gain.low:+.4f}",
        high=f"{tuned.gain.high:+.4f}",
    )
    say("Weights: {weights}", weights=_named(tuned.fitted))


def _named(weights: "RankingWeights") -> str:
    return ", ".join(
        f"{name} {value}" if isinstance(value, str) else f"{name} {value:g}"
        for name, value in asdict(weights).items()
    )


def read_labels(path: Path) -> list[tuple[str, str]]:
    """Return questions with the IDs that answer them; exit if the file has none."""
    rows: list[dict[str, str]] = []
    with (
        contextlib.suppress(OSError, UnicodeDecodeError, csv.Error),
        path.open(encoding="utf-8-sig", newline="") as file,
    ):
        rows = list(csv.DictReader(file))
    pairs = [
        (row.get(QUESTION) or "", next((row[name] for name in ANSWERS if row.get(name)), ""))
        for row in rows
    ]
    labels = [(query.strip(), answer.strip()) for query, answer in pairs if query and answer]
    if not labels:
        fail(
            "Cannot read the CSV {path}. It needs a query column and a document_id or "
            "passage_id column.",
            path=path,
        )
    return labels
