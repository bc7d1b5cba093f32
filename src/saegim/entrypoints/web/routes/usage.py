"""What was used, what it cost, which questions had no answer, and the work in the background."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from saegim.access.policy import Permission, allows
from saegim.entrypoints.api.caller import ServicesDep
from saegim.entrypoints.api.routes import assistant, background
from saegim.entrypoints.api.routes import usage as api
from saegim.entrypoints.web.door import FormDep, VisitorDep
from saegim.entrypoints.web.render import render

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
        backlog=await background.read_backlog(services, caller),
    )


@router.post("/usage/questions")
async def show_questions(
    request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """The questions that had no answer, for a reason that the audit trail keeps."""
    reason = form.get("reason", "")
    found = await assistant.read_unanswered(services, visitor.caller, reason, days=30)
    return render(request, "usage_questions.html", visitor, questions=found.questions)


@router.post("/usage/jobs/{job_id}/replay")
async def replay_job(
    job_id: Annotated[int, Path(ge=1, le=2**63 - 1)],
    request: Request,
    services: ServicesDep,
    visitor: VisitorDep,
) -> HTMLResponse:
    """Puts failed work back in line."""
    await background.replay_job(job_id, services, visitor.caller)
    backlog = await background.read_backlog(services, visitor.caller)
    return render(request, "usage_jobs.html", visitor, backlog=backlog)
