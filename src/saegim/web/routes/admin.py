"""Administration of keys, members, assistants, the audit trail and erasures."""

from typing import Any
from uuid import UUID

from fastapi import APIRouter
from fastapi.responses import HTMLResponse, Response
from pydantic import ValidationError

from saegim.api.etags import Tag, expected_version
from saegim.api.pagination import PageQuery
from saegim.api.routes import assistant_config, assistants, governance, keys, members
from saegim.audit.types import AuditAction
from saegim.auth.grants import may_grant_role
from saegim.chat.types import AssistantConfig, MenuLink, checked as checked_config
from saegim.domain.errors import Invalid
from saegim.domain.policy import Permission, allows
from saegim.domain.scope import Role
from saegim.web.auth import FormDep, checked
from saegim.web.rendering import Page, PageDep

router = APIRouter(prefix="/admin")

PAGE = 50
ROLES = (Role.MEMBER, Role.EDITOR, Role.ADMIN, Role.AUDITOR, Role.OWNER)


@router.get("")
async def show_admin(page: PageDep) -> HTMLResponse:
    audit = None
    if allows(page.caller, Permission.READ_AUDIT):
        audit = await governance.read_audit(page, None)
    read = Response()
    config = await assistant_config.read_config(Tag(read), page)
    query = PageQuery(count=PAGE)
    erasures = await governance.list_erasures(page, query)
    return page.render(
        "admin.html",
        **await _keys(page),
        members=(await members.list_members(page, None)).members,
        assistants=await assistants.list_assistants(page),
        config=config,
        seen=read.headers["ETag"],
        erasures=erasures,
        more_erasures=_more("/admin/erasures", query),
        events=audit.events[:40] if audit else [],
        roles=[role for role in ROLES if may_grant_role(page.caller, role)],
        made=None,
    )


@router.get("/keys")
async def more_keys(page: PageDep, before: UUID) -> HTMLResponse:
    """Show the next page of keys."""
    listed = await _keys(page, before)
    return page.render("admin_key_rows.html", keys=listed["keys"], more=listed["more_keys"])


@router.get("/erasures")
async def more_erasures(page: PageDep, before: UUID) -> HTMLResponse:
    """Show the next page of erasures."""
    query = PageQuery(before, PAGE)
    erasures = await governance.list_erasures(page, query)
    more = _more("/admin/erasures", query)
    return page.render("admin_erasure_rows.html", erasures=erasures, more=more)


@router.post("/erasures/{erasure_id}/cancel")
async def cancel_erasure(erasure_id: UUID, page: PageDep) -> Response:
    """Cancel a planned erasure."""
    await governance.cancel_erasure(erasure_id, page)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/keys")
async def make_key(page: PageDep, form: FormDep) -> HTMLResponse:
    """Create a key and show its secret once."""
    body = checked(
        keys.NewKeyBody,
        name=form.get("name", ""),
        role=form.get("role", "member"),
        user=form.get("user") or None,
        reason=form.get("reason", ""),
    )
    minted = await keys.create_key(body, page)
    listed = await _keys(page)
    return page.render("admin_keys.html", **listed, made=minted, made_name=body.name)


@router.post("/keys/{key_id}/revoke")
async def revoke_key(key_id: UUID, page: PageDep) -> HTMLResponse:
    await keys.revoke_key(key_id, page)
    listed = await _keys(page)
    return page.render("admin_keys.html", **listed, made=None)


@router.post("/members/{member_id}")
async def change_member(member_id: UUID, page: PageDep, form: FormDep) -> Response:
    """Change the role of a member, or block the member."""
    disabled = form["disabled"] == "yes" if "disabled" in form else None
    body = checked(members.MemberBody, role=form.get("role"), disabled=disabled)
    await members.change_member(member_id, body, page)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants")
async def add_assistant(page: PageDep, form: FormDep) -> Response:
    """Add an assistant with the collections of the current one."""
    own = await page.services.auth.repository.assistant(page.tenant, page.caller.assistant)
    body = checked(
        assistants.ContentBody,
        name=form.get("name"),
        persona=form.get("persona"),
        locale=form.get("locale"),
        collections=own.collections,
        config={"offered_to": []} if "offered" in form else {},
    )
    await assistants.add_assistant(body, page)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/offer")
async def offer(assistant_id: UUID, page: PageDep, form: FormDep) -> Response:
    """Offer an assistant to all users, or withdraw it."""
    assistant = await page.services.auth.repository.assistant(page.tenant, assistant_id)
    everybody: list[str] = []
    offered = everybody if form.get("offered") == "yes" else None
    config = checked_config({**assistant.config, "offered_to": offered})
    async with page.recording(AuditAction.ASSISTANT_PUBLISHED, assistant_id):
        await page.services.assistants.assistants.configure(page.caller, assistant_id, config)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistants/{assistant_id}/publish")
async def publish(assistant_id: UUID, page: PageDep) -> Response:
    """Publish the draft of an assistant."""
    await assistants.publish(assistant_id, page)
    return Response(headers={"HX-Refresh": "true"})


@router.post("/assistant")
async def configure(page: PageDep, form: FormDep) -> Response:
    """Set the links for unanswered questions, and whether answers need evidence."""
    config = await assistant_config.read_config(Tag(Response()), page)
    try:
        changed = AssistantConfig.model_validate(
            config.model_dump(exclude_unset=True)
            | {"menu_links": _links(form.get("menu_links", "")), "strict": "strict" in form}
        )
    except ValidationError as error:
        raise Invalid("menu_links") from error
    expected = expected_version(form.get("seen"))
    await assistant_config.write_config(changed, Tag(Response()), page, expected)
    return Response(headers={"HX-Refresh": "true"})


async def _keys(page: Page, before: UUID | None = None) -> dict[str, Any]:
    """Return a page of keys and the address of the next one."""
    query = PageQuery(before, PAGE)
    listed = await keys.list_keys(page, query)
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
    verified = await governance.verify_audit(page)
    return page.render("admin_verified.html", verified=verified)
