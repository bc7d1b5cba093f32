"""Administration of keys, members, assistants, the audit trail and erasures."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

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
from saegim.web.auth import FormDep
from saegim.web.rendering import PageDep

router = APIRouter(prefix="/admin")

PAGE = 50
ROLES = (Role.MEMBER, Role.EDITOR, Role.ADMIN, Role.AUDITOR, Role.OWNER)


@router.get("")
async def show_admin(page: PageDep) -> HTMLResponse:
    caller = page.caller
    audit = None
    if allows(caller, Permission.READ_AUDIT):
        audit = await governance.read_audit(page.services, caller, None)
    read = Response()
    config = await assistant_config.read_config(Tag(read), page.services, caller)
    query = PageQuery(count=PAGE)
    erasures = await governance.list_erasures(page.services, caller, query)
    return page.render(
        "admin.html",
        **await _keys(page.services, caller),
        members=(await members.list_members(page.services, caller, None)).members,
        assistants=await assistants.list_assistants(page.services, caller),
        config=config,
        seen=read.headers["ETag"],
        erasures=erasures,
        more_erasures=_more("/admin/erasures", query),
        events=audit.events[:40] if audit else [],
        roles=[role for role in ROLES if may_grant_role(caller, role)],
        made=None,
    )


@router.get("/keys")
async def more_keys(page: PageDep, before: UUID) -> HTMLResponse:
    """Show the next page of keys."""
    listed = await _keys(page.services, page.caller, before)
    return page.render("admin_key_rows.html", keys=listed["keys"], more=listed["more_keys"])


@router.get("/erasures")
async def more_erasures(page: PageDep, before: UUID) -> HTMLResponse:
    """Show the next page of erasures."""
    query = PageQuery(before, PAGE)
    erasures = await governance.list_erasures(page.services, page.caller, query)
    more = _more("/admin/erasures", query)
    return page.render("admin_erasure_rows.html", erasures=erasures, more=more)


@router.post("/erasures/{erasure_id}/cancel")
async def cancel_erasure(erasure_id: UUID, page: PageDep) -> Response:
    """Cancel a planned erasure."""
    await governance.cancel_erasure(erasure_id, page.services, page.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/keys")
async def make_key(page: PageDep, form: FormDep) -> HTMLResponse:
    """Create a key and show its secret once."""
    try:
        body = keys.NewKeyBody(
            name=form.get("name", ""),
            role=Role(form.get("role", "member")),
            user=form.get("user") or None,
            reason=form.get("reason", ""),
        )
    except ValueError as error:
        raise Invalid from error
    minted = await keys.create_key(body, page.services, page.caller)
    listed = await _keys(page.services, page.caller)
    return page.render("admin_keys.html", **listed, made=minted, made_name=body.name)


@router.post("/keys/{key_id}/revoke")
async def revoke_key(key_id: UUID, page: PageDep) -> HTMLResponse:
    await keys.revoke_key(key_id, page.services, page.caller)
    listed = await _keys(page.services, page.caller)
    return page.render("admin_keys.html", **listed, made=None)


@router.post("/members/{member_id}")
async def change_member(member_id: UUID, page: PageDep, form: FormDep) -> Response:
    """Change the role of a member, or block the member."""
    try:
        body = members.MemberBody(
            role=Role(form["role"]) if "role" in form else None,
            disabled=form["disabled"] == "yes" if "disabled" in form else None,
        )
    except ValueError as error:
        raise Invalid from error
    await members.change_member(member_id, body, page.services, page.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants")
async def add_assistant(page: PageDep, form: FormDep) -> Response:
    """Add an assistant with the collections of the current one."""
    caller = page.caller
    own = await page.services.auth.repository.assistant(caller.scope.tenant, caller.assistant)
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
    await assistants.add_assistant(body, page.services, caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/offer")
async def offer(assistant_id: UUID, page: PageDep, form: FormDep) -> Response:
    """Offer an assistant to all users, or withdraw it."""
    caller = page.caller
    assistant = await page.services.auth.repository.assistant(caller.scope.tenant, assistant_id)
    everybody: list[str] = []
    offered = everybody if form.get("offered") == "yes" else None
    config = checked({**assistant.config, "offered_to": offered})
    async with page.services.audit.trail.recording(
        caller, AuditAction.ASSISTANT_PUBLISHED, assistant_id
    ):
        await page.services.assistants.assistants.configure(caller, assistant_id, config)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/publish")
async def publish(assistant_id: UUID, page: PageDep) -> Response:
    """Publish the draft of an assistant."""
    await assistants.publish(assistant_id, page.services, page.caller)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistant")
async def configure(page: PageDep, form: FormDep) -> Response:
    """Set the links for unanswered questions, and whether answers need evidence."""
    config = await assistant_config.read_config(Tag(Response()), page.services, page.caller)
    try:
        changed = AssistantConfig.model_validate(
            config.model_dump(exclude_unset=True)
            | {"menu_links": _links(form.get("menu_links", "")), "strict": "strict" in form}
        )
    except ValidationError as error:
        raise Invalid("menu_links") from error
    expected = expected_version(form.get("seen"))
    await assistant_config.write_config(
        changed, Tag(Response()), page.services, page.caller, expected
    )
    return Response(headers={"HX-Refresh": "true"})


async def _keys(services: Services, caller: Caller, before: UUID | None = None) -> dict[str, Any]:
    """Return a page of keys and the address of the next one."""
    query = PageQuery(before, PAGE)
    listed = await keys.list_keys(services, caller, query)
    return {"keys": listed, "more_keys": _more("/admin/keys", query)}


def _more(path: str, query: PageQuery) -> str | None:
    return None if query.following is None else f"{path}?before={query.following}"


def _links(text: str) -> list[MenuLink]:
    """Parse links, one per line: label, bar, URL. Raises ValidationError."""
    lines = [line.rpartition("|") for line in text.splitlines() if line.strip()]
    return [
        MenuLink(label=label.strip() or url.strip(), url=url.strip()) for label, _, url in lines
    ]


@router.post("/audit/verify")
async def verify(page: PageDep) -> HTMLResponse:
    """Verify the audit trail."""
    verified = await governance.verify_audit(page.services, page.caller)
    return page.render("admin_verified.html", verified=verified)
