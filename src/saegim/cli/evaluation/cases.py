"""The work of `saegim eval cases`: writes feedback of users as evaluation cases."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.cli.console import say, warn
from saegim.evaluation.user_reports import Report, labelled, scenario, written

MOST = 10_000


async def write(services: Services, tenant: UUID, days: int, folder: Path) -> None:
    """Write `labelled.csv` and a scenario for each correction; note the read in the audit trail."""
    reports = await services.evaluation.user_reports.collect(tenant, days, MOST)
    for each in reports:
        user, turn = each.given.scope.user, each.given.turn
        await services.audit.trail.done(tenant, user, AuditAction.READ_BY_OTHER, turn)
    _write(reports, folder)


def _write(reports: Sequence[Report], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    labels, text = folder / "labelled.csv", labelled(reports)
    labels.write_text(text, "utf-8")
    corrected = [each for each in reports if each.correction is not None]
    converted = [
        scenario(f"reported_{number:04}", each) for number, each in enumerate(corrected, 1)
    ]
    scenarios = [each for each in converted if each is not None]
    for each in scenarios:
        (folder / f"{each.id}.toml").write_text(written(each), "utf-8")
    say(
        "{given} feedback entries: {labels} labels, {scenarios} scenarios. "
        "{unread} corrections contain no value that a rule can check.",
        given=len(reports),
        labels=len(text.splitlines()) - 1,
        scenarios=len(scenarios),
        unread=len(corrected) - len(scenarios),
    )
    warn(
        "Names are not masked. Review the files, then run `saegim tune --labelled "
        "{labels}` and `saegim eval memory --file …`",
        labels=labels,
    )
