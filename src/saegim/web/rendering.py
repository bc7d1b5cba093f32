"""Renders the templates in the language of the visitor; escapes all values."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from saegim.api.caller import Call, ServicesDep
from saegim.domain.scope import Locale
from saegim.locales import N_, translate
from saegim.web.assets import Assets, EntryPoint
from saegim.web.auth import Visitor, VisitorDep, language_of

LABELS = {
    "needs_name": N_("This key can act for several users. Enter your user name."),
    "wrong_key": N_("The key is invalid or has expired."),
    "wrong_password": N_("The e-mail address or the password is wrong."),
    "choose_organisation": N_(
        "You have several accounts. Choose one and enter the password again."
    ),
    "too_many_attempts": N_("Too many attempts. Please try again in {minutes} minutes."),
    "wrong_code": N_("The set-up code is wrong or has expired. Restart the server for a new one."),
    "wrong_email": N_("Not an e-mail address."),
    "empty_fields": N_("Please fill in every field."),
    "weak_password": N_("A password needs at least 10 characters."),
    "different_passwords": N_("The two passwords are not the same."),
    "link_expired": N_(
        "This link has expired or was already used. Ask your administrator for a new one."
    ),
    "link_refused": N_("This sign-in link has expired or was already used."),
    "issuer_refused": N_("Could not sign in with your company account. Please try again."),
}


def label(language: Locale, name: str) -> str:
    """Return the label of a name."""
    return translate(LABELS[name], language)


TEMPLATES = Path(__file__).parent / "templates"


def environment(assets: Assets) -> Environment:
    """Return the templates with their global functions and filters."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    plain = assets.entries.get("plain", EntryPoint("", (), ()))
    templates.globals.update(asset=assets.url, plain=plain)  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
    return templates


def render(
    request: Request, name: str, visitor: Visitor | None = None, **values: Any
) -> HTMLResponse:
    """Render a page or a part of one."""
    language = visitor.language if visitor else language_of(request)
    templates: Environment = request.app.state.templates
    html = templates.get_template(name).render(
        visitor=visitor,
        language=language,
        label=partial(label, language),
        _=partial(_translate, language),
        **{"here": _here(request)} | values,
    )
    return HTMLResponse(html)


def _here(request: Request) -> str:
    """Return the path and query of the page, to come back to."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


@dataclass(frozen=True, slots=True)
class Page(Call):
    """A request for a page by a visitor who may see it."""

    visitor: Visitor

    def render(self, name: str, **values: Any) -> HTMLResponse:
        return render(self.request, name, self.visitor, **values)


async def page_of(request: Request, services: ServicesDep, visitor: VisitorDep) -> Page:
    return Page(request, services, visitor.caller, visitor)


PageDep = Annotated[Page, Depends(page_of)]


def _translate(language: Locale, message: str) -> str:
    return translate(message, language)
