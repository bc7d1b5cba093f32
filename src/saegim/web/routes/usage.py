"""What was used, what it cost, which questions had no answer, and the work in the background."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from saegim.api.caller import ServicesDep
from saegim.api.routes import assistant_config, jobs, usage as api
from saegim.domain.policy import Permission, allows
from saegim.web.auth import FormDep, VisitorDep
from saegim.web.rendering import render

router = APIRouter()


@router.get("/usage")
async def show_usage(request: Request, services: ServicesDep, visitor: VisitorDep) -> HTMLResponse:
    """Charts by day, and the work in the background."""
    caller = visitor.caller
    found = await api.read_usage(services, caller, days=30)
    return render(
        request,
        "usage.html",
        visitor,
        days=found.days,
        may_read=allows(caller, Permission.EDIT_ASSISTANTS),
        backlog=await jobs.read_backlog(services, caller),
    )


@router.post("/usage/questions")
async def show_questions(
    request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """The questions that had no answer, for a reason that the audit trail keeps."""
    reason = form.get("reason", "")
    found = await assistant_config.read_unanswered(services, visitor.caller, reason, days=30)
    return render(request, "usage_questions.html", visitor, questions=found.questions)


@router.post("/usage/jobs/{job_id}/replay")
async def replay_job(
    job_id: Annotated[int, Path(ge=1, le=2**63 - 1)],
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
) -> HTMLResponse:
    """Puts failed work back in line."""
    await jobs.replay_job(job_id, services, visitor.caller)
    backlog = await jobs.read_backlog(services, visitor.caller)
    return render(request, "usage_jobs.html", visitor, backlog=backlog)
