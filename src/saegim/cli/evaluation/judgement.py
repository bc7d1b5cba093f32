"""A judgement in the terminal: `/eval [query]` within `saegim chat`."""

from uuid import UUID

from saegim.cli.console import err, out
from saegim.cli.language import _
from saegim.client import Evaluation, SaegimClient

CRITERIA = {
    "relevance": _("relevance"),
    "completeness": _("completeness"),
    "accuracy": _("accuracy"),
    "noise": _("noise"),
}


async def judge(client: SaegimClient, session: UUID | None, query: str) -> None:
    """Scores memory for a query, and says what helps and what is missing."""
    if session is None or not query:
        err.print(_("No conversation yet."), style="yellow")
    else:
        show(await client.evaluate(session, query))


def show(found: Evaluation) -> None:
    judgement = found.judgement
    out.print(
        _(
            "overall {score:.1f}/100 (judge: {by})",
            score=judgement.overall_score,
            by=found.judged_by,
        ),
        style="bold",
    )
    for name, scored in judgement.scores.items():
        label = CRITERIA.get(name, name)
        out.print(f"  {label:<12} {scored.score:>2}/10  {scored.reason}", soft_wrap=True)
    for title, lines in (
        (_("helpful"), judgement.helpful_info),
        (_("missing"), judgement.missing_info),
    ):
        if lines:
            out.print(f"  {title}")
            for line in lines:
                out.print(f"    - {line}", soft_wrap=True)
