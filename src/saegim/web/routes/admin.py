"""Administration: keys, members, assistants, the audit trail, erasures."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from saegim.api.caller import ServicesDep
from saegim.api.etags import Tag, expected_version
from saegim.api.pagination import PageQuery
from saegim.api.routes import assistant_config, assistants, governance, keys, members
from saegim.app.container import Services
from saegim.audit.types import AuditAction
from saegim.auth.grants import may_grant_role
from saegim.chat.types import AssistantConfig, MenuLink, checked
from saegim.domain.errors import Invalid
from saegim.domain.policy import Permission, allows
from saegim.domain.scope import Caller, Role
from saegim.web.auth import FormDep, VisitorDep
from saegim.web.rendering import render

router = APIRouter(prefix="/admin")

PAGE = 50
ROLES = (Role.MEMBER, Role.EDITOR, Role.ADMIN, Role.AUDITOR, Role.OWNER)


@router.get("")
async def show_admin(request: Request, services: ServicesDep, visitor: VisitorDep) -> HTMLResponse:
    """Everything that an administrator looks after, on one page."""
    caller = visitor.caller
    audit = None
    if allows(caller, Permission.READ_AUDIT):
        audit = await governance.read_audit(services, caller, None)
    read = Response()
    config = await assistant_config.read_config(Tag(read), services, caller)
    asked = PageQuery(count=PAGE)
    erasures = await governance.list_erasures(services, caller, asked)
    return render(
        request,
        "admin.html",
        visitor,
        **await _keys(services, caller),
        members=(await members.list_members(services, caller, None)).members,
        assistants=await assistants.list_assistants(services, caller),
        config=config,
        seen=read.headers["ETag"],
        erasures=erasures,
        more_erasures=_more("/admin/erasures", asked),
        events=audit.events[:40] if audit else [],
        roles=[role for role in ROLES if may_grant_role(caller, role)],
        made=None,
    )


@router.get("/keys")
async def more_keys(
    request: Request, services: ServicesDep, visitor: VisitorDep, before: UUID
) -> HTMLResponse:
    """The keys after one that was shown."""
    listed = await _keys(services, visitor.caller, before)
    return render(
        request, "admin_key_rows.html", visitor, keys=listed["keys"], more=listed["more_keys"]
    )


@router.get("/erasures")
async def more_erasures(
    request: Request, services: ServicesDep, visitor: VisitorDep, before: UUID
) -> HTMLResponse:
    """The erasures after one that was shown."""
    page = PageQuery(before, PAGE)
    found = await governance.list_erasures(services, visitor.caller, page)
    more = _more("/admin/erasures", page)
    return render(request, "admin_erasure_rows.html", visitor, erasures=found, more=more)


@router.post("/erasures/{erasure_id}/cancel")
async def cancel_erasure(erasure_id: UUID, services: ServicesDep, visitor: VisitorDep) -> Response:
    """Cancels a planned erasure."""
    await governance.cancel_erasure(erasure_id, services, visitor.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/keys")
async def make_key(
    request: Request, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> HTMLResponse:
    """A new key, whose secret is shown once."""
    try:
        body = keys.NewKeyBody(
            name=form.get("name", ""),
            role=Role(form.get("role", "member")),
            user=form.get("user") or None,
            reason=form.get("reason", ""),
        )
    except ValueError as error:
        raise Invalid from error
    made = await keys.create_key(body, services, visitor.caller)
    listed = await _keys(services, visitor.caller)
    return render(request, "admin_keys.html", visitor, **listed, made=made, made_name=body.name)


@router.post("/keys/{key_id}/revoke")
async def revoke_key(
    key_id: UUID, request: Request, services: ServicesDep, visitor: VisitorDep
) -> HTMLResponse:
    """Ends a key at once."""
    await keys.revoke_key(key_id, services, visitor.caller)
    listed = await _keys(services, visitor.caller)
    return render(request, "admin_keys.html", visitor, **listed, made=None)


@router.post("/members/{member_id}")
async def change_member(
    member_id: UUID, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> Response:
    """Changes a member's role, or shuts them out."""
    try:
        body = members.MemberBody(
            role=Role(form["role"]) if "role" in form else None,
            disabled=form["disabled"] == "yes" if "disabled" in form else None,
        )
    except ValueError as error:
        raise Invalid from error
    await members.change_member(member_id, body, services, visitor.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants")
async def add_assistant(services: ServicesDep, visitor: VisitorDep, form: FormDep) -> Response:
    """One more assistant, which reads what the administrator's own does."""
    caller = visitor.caller
    own = await services.auth.repository.assistant(caller.scope.tenant, caller.assistant)
    try:
        body = assistants.ContentBody.model_validate(
            {
                "name": form.get("name"),
                "persona": form.get("persona"),
                "locale": form.get("locale"),
                "collections": own.collections,
                "config": {"offered_to": []} if "offered" in form else {},
            }
        )
    except ValidationError as error:
        raise Invalid from error
    await assistants.add_assistant(body, services, caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/offer")
async def offer(
    assistant_id: UUID, services: ServicesDep, visitor: VisitorDep, form: FormDep
) -> Response:
    """Says whether everybody may switch to an assistant, or nobody."""
    caller = visitor.caller
    found = await services.auth.repository.assistant(caller.scope.tenant, assistant_id)
    everybody: list[str] = []
    offered = everybody if form.get("offered") == "yes" else None
    config = checked({**found.config, "offered_to": offered})
    async with services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, assistant_id
    ):
        await services.assistants.assistants.configure(caller, assistant_id, config)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/publish")
async def publish(assistant_id: UUID, services: ServicesDep, visitor: VisitorDep) -> Response:
    """Puts an assistant's draft to work."""
    await assistants.publish(assistant_id, services, visitor.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistant")
async def configure(services: ServicesDep, visitor: VisitorDep, form: FormDep) -> Response:
    """Changes where people without an answer are sent, and whether answers need evidence."""
    config = await assistant_config.read_config(Tag(Response()), services, visitor.caller)
    try:
        changed = AssistantConfig.model_validate(
            config.model_dump(exclude_unset=True)
            | {"menu_links": _links(form.get("menu_links", "")), "strict": "strict" in form}
        )
    except ValidationError as error:
        raise Invalid("menu_links") from error
    seen = expected_version(form.get("seen"))
    await assistant_config.write_config(changed, Tag(Response()), services, visitor.caller, seen)
    return Response(headers={"HX-Refresh": "true"})


async def _keys(services: Services, caller: Caller, before: UUID | None = None) -> dict[str, Any]:
    """A page of keys, and where the next one is."""
    page = PageQuery(before, PAGE)
    return {
        "keys": await keys.list_keys(services, caller, page),
        "more_keys": _more("/admin/keys", page),
    }


def _more(path: str, page: PageQuery) -> str | None:
    return None if page.following is None else f"{path}?before={page.following}"


def _links(text: str) -> list[MenuLink]:
    """Links as they are written, one to a line: what it is called, a bar, its address. Raises
    ValidationError."""
    lines = [line.rpartition("|") for line in text.splitlines() if line.strip()]
    return [
        MenuLink(label=label.strip() or url.strip(), url=url.strip()) for label, _, url in lines
    ]


@router.post("/audit/verify")
async def verify(request: Request, services: ServicesDep, visitor: VisitorDep) -> HTMLResponse:
    """Checks the trail's chain."""
    verified = await governance.verify_audit(services, visitor.caller)
    return render(request, "admin_verified.html", visitor, verified=verified)
