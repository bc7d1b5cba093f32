"""`saegim doctor`: how every part is doing."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Column, Table

from saegim.cli import environment
from saegim.cli.console import out
from saegim.cli.environment import DataFolder
from saegim.cli.findings import Finding, Level, worst
from saegim.cli.language import _

LEVELS: dict[Level, str] = {"ok": _("ok"), "warning": _("warning"), "broken": _("broken")}
SUMMARY: dict[Level, str] = {
    "ok": _("All checks passed."),
    "warning": _("Saegim works, but some checks need attention."),
    "broken": _("Some checks failed."),
}
STYLES: dict[Level, str] = {"ok": "green", "warning": "yellow", "broken": "red"}


def doctor(
    data: Annotated[
        Path | None,
        typer.Option(
            help=_("Data folder of the running `saegim dev`. Default: .saegim (SAEGIM_DATA).")
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=_("Print JSON."))] = False,
) -> None:
    settings = environment.load_for(data)
    folder = DataFolder(settings.data)
    if settings.postgres_url is None:
        text = _(
            "Saegim is not running ({folder}). Start `saegim dev`, choose its folder "
            "with --data, or set SAEGIM_POSTGRES_URL.",
            folder=folder.path.resolve(),
        )
        findings = [Finding("dev", "broken", text)]
    else:
        # Seconds of imports, which the help of every command would wait for.
        from saegim.cli.doctor.checks import check  # noqa: PLC0415

        findings = check(settings, dev=folder.running.exists())
    level = worst(findings)
    if as_json:
        report = {"level": level, "findings": [asdict(finding) for finding in findings]}
        typer.echo(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        _show(findings, level)
    raise typer.Exit(1 if level == "broken" else 0)


def _show(findings: list[Finding], level: Level) -> None:
    out.print(findings_table(findings))
    out.print(SUMMARY[level], style=STYLES[level])


def findings_table(findings: list[Finding]) -> Table:
    several = len({finding.cell for finding in findings if finding.cell}) > 1
    # Folded: by default Rich cuts off the end of a line of Korean that just fits.
    columns = [Column(overflow="fold") for _column in range(4 if several else 3)]
    table = Table(*columns, box=box.SIMPLE, show_header=False)
    for finding in findings:
        word = LEVELS[finding.level]
        of = [finding.cell or ""] if several else []
        table.add_row(word, *of, finding.part, finding.text, style=STYLES[finding.level])
    return table
