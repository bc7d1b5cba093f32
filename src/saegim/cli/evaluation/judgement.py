"""`/eval [query]` within `saegim chat`."""

from uuid import UUID

from saegim.cli.console import echo, say, warn
from saegim.cli.language import _
from saegim.client import SaegimClient

CRITERIA = {
    "relevance": _("relevance"),
    "completeness": _("completeness"),
    "accuracy": _("accuracy"),
    "noise": _("noise"),
}


async def judge(client: SaegimClient, session: UUID | None, query: str) -> None:
    """Score memory for a query and print what helps and what is missing."""
    if session is None or not query:
        warn("No conversation yet.")
        return
    evaluation = await client.evaluate(session, query)
    judgement = evaluation.judgement
    say(
        "overall {score:.1f}/100 (judge: {by})",
        style="bold",
        score=judgement.overall_score,
        by=evaluation.judged_by,
    )
    for name, scored in judgement.scores.items():
        label = CRITERIA.get(name, name)
        echo(f"  {label:<12} {scored.score:>2}/10  {scored.reason}")
    for title, lines in (
        (_("helpful"), judgement.helpful_info),
        (_("missing"), judgement.missing_info),
    ):
        if lines:
            echo(f"  {title}")
            for line in lines:
                echo(f"    - {line}")
