"""A judgement in the terminal: `/eval [query]` within `saegim chat`."""

from uuid import UUID

from saegim.cli.console import err, out
from saegim.cli.texts import eval_texts
from saegim.client import Evaluated, SaegimClient


async def judge(client: SaegimClient, session: UUID | None, query: str) -> None:
    """Scores memory for a query, and says what helps and what is missing."""
    if session is None or not query:
        err.print(eval_texts.NO_SESSION(), style="yellow")
    else:
        show(await client.evaluate(session, query))


def show(found: Evaluated) -> None:
    judgement = found.judgement
    out.print(eval_texts.OVERALL(score=judgement.overall_score, by=found.judged_by), style="bold")
    for name, scored in judgement.scores.items():
        label = eval_texts.CRITERIA[name]() if name in eval_texts.CRITERIA else name
        out.print(f"  {label} {scored.score:>2}/10  {scored.reason}", soft_wrap=True)
    for title, lines in (
        (eval_texts.HELPS(), judgement.helpful_info),
        (eval_texts.MISSING(), judgement.missing_info),
    ):
        if lines:
            out.print(f"  {title}")
            for line in lines:
                out.print(f"    - {line}", soft_wrap=True)
