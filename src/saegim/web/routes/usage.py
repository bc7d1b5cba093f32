"""The page of usage, cost, unanswered questions and jobs."""

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import HTMLResponse

from saegim.api.routes import assistant_config, jobs, usage as api
from saegim.domain.policy import Permission, allows
from saegim.web.auth import FormDep
from saegim.web.rendering import PageDep

router = APIRouter()


@router.get("/usage")
async def show_usage(page: PageDep) -> HTMLResponse:
    """Show charts by day, and the job queue."""
    usage = await api.read_usage(page, days=30)
    return page.render(
        "usage.html",
        days=usage.days,
        may_read=allows(page.caller, Permission.EDIT_ASSISTANTS),
        backlog=await jobs.read_backlog(page),
    )


@router.post("/usage/questions")
async def show_questions(page: PageDep, form: FormDep) -> HTMLResponse:
    """Show unanswered questions; the audit trail records the reason."""
    reason = form.get("reason", "")
    unanswered = await assistant_config.read_unanswered(page, reason, days=30)
    return page.render("usage_questions.html", questions=unanswered.questions)


@router.post("/usage/jobs/{job_id}/replay")
async def replay_job(
    job_id: Annotated[int, Path(ge=1, le=2**63 - 1)],
    page: PageDep,
) -> HTMLResponse:
    """Retry a failed job."""
    await jobs.replay_job(job_id, page)
    backlog = await jobs.read_backlog(page)
    return page.render("usage_jobs.html", backlog=backlog)
