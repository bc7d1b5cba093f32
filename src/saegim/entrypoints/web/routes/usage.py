"""What was used, what it cost, and which questions had no answer."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from saegim.access.policy import Permission, allows
from saegim.entrypoints.api.caller import ServicesDep
from saegim.entrypoints.api.routes import assistant
from saegim.entrypoints.api.routes import usage as api
from saegim.entrypoints.web.door import VisitorDep
from saegim.entrypoints.web.render import render

router = APIRouter()


@router.get("/usage")
async def show_usage(request: Request, services: ServicesDep, visitor: VisitorDep) -> HTMLResponse:
    """Charts by day, and the questions to look after."""
    caller = visitor.caller
    questions: list[assistant.UnansweredView] = []
    if allows(caller, Permission.EDIT_ASSISTANTS):
        questions = (await assistant.read_unanswered(services, caller, days=30)).questions
    found = await api.read_usage(services, caller, days=30)
    return render(request, "usage.html", visitor, days=found.days, questions=questions)
