"""`saegim tune`: fits a tenant's ranking weights and shows what they are worth."""

import csv
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import Data
from saegim.cli.console import fail
from saegim.cli.language import _

QUESTION = "query"
ANSWERS = ("passage_id", "document_id")


def tune(  # noqa: PLR0913 - one parameter for each option
    tenant: Annotated[UUID, typer.Option(help=_("Tenant ID."))],
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
    as_json: Annotated[bool, typer.Option("--json", help=_("Print JSON."))] = False,
    data: Data = None,
) -> None:
    labels = None if labelled is None else read_labels(labelled)
    settings = environment.load_for(data)
    # Seconds of imports, which the help of every command would wait for.
    from saegim.cli.library import tune_report  # noqa: PLC0415
    from saegim.cli.operators import tenant_commands  # noqa: PLC0415

    asked = tune_report.TuneRequest(tenant, labels, questions, seed, apply)
    tenant_commands.run(
        settings, lambda services: tune_report.tune(services, asked, as_json=as_json)
    )


def read_labels(path: Path) -> list[tuple[str, str]]:
    """Questions with the ids that answer them; ends the command where the file has none."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        fail(
            _(
                "Cannot read the CSV {path}. It needs a query column and a document_id or "
                "passage_id column.",
                path=path,
            )
        )
    pairs = [
        (row.get(QUESTION) or "", next((row[name] for name in ANSWERS if row.get(name)), ""))
        for row in rows
    ]
    found = [(query.strip(), answer.strip()) for query, answer in pairs if query and answer]
    if not found:
        fail(
            _(
                "Cannot read the CSV {path}. It needs a query column and a document_id or "
                "passage_id column.",
                path=path,
            )
        )
    return found
