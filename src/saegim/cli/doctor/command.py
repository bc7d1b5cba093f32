"""`saegim doctor`: runs the checks and prints their results."""

from dataclasses import asdict

import typer
from rich import box
from rich.table import Column, Table

from saegim.cli import environment
from saegim.cli.console import echo, out
from saegim.cli.environment import Data, DataFolder
from saegim.cli.findings import Finding, Level, worst
from saegim.cli.json_output import report
from saegim.cli.language import _

LEVELS: dict[Level, str] = {"ok": _("ok"), "warning": _("warning"), "broken": _("broken")}
SUMMARY: dict[Level, str] = {
    "ok": _("All checks passed."),
    "warning": _("Saegim works, but some checks need attention."),
    "broken": _("Some checks failed."),
}
STYLES: dict[Level, str] = {"ok": "green", "warning": "yellow", "broken": "red"}


def doctor(data: Data = None) -> None:
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
    report({"level": level, "findings": [asdict(finding) for finding in findings]})
    out.print(findings_table(findings))
    echo(SUMMARY[level], style=STYLES[level])
    raise typer.Exit(1 if level == "broken" else 0)


def findings_table(findings: list[Finding]) -> Table:
    several = len({finding.cell for finding in findings if finding.cell}) > 1
    # Folded, because Rich would cut off a line of Korean that just fits.
    columns = [Column(overflow="fold") for _column in range(4 if several else 3)]
    table = Table(*columns, box=box.SIMPLE, show_header=False)
    for finding in findings:
        cell = [finding.cell or ""] if several else []
        row = (LEVELS[finding.level], *cell, finding.part, finding.text)
        table.add_row(*row, style=STYLES[finding.level])
    return table
