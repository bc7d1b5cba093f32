"""Renders the templates in the language of the visitor; escapes all values."""

import calendar
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from saegim.api.caller import Call, ServicesDep
from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.web.assets import Assets
from saegim.web.auth import Visitor, VisitorDep, language_of
from saegim.web.labels import code_label, label

TEMPLATES = Path(__file__).parent / "templates"
HTMX = "HX-Request"


def environment(assets: Assets) -> Environment:
    """Return the templates with their global functions and filters."""
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(asset=assets.url, icons=assets.icons)  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
    templates.filters.update(clock=_clock, month=_month)  # pyright: ignore[reportUnknownMemberType] - as above
    return templates


def render(
    request: Request, name: str, visitor: Visitor | None = None, **values: Any
) -> HTMLResponse:
    """Render a page or a part of one."""
    language = visitor.language if visitor else language_of(request)
    zone = visitor.caller.time_zone if visitor else "Asia/Seoul"
    templates: Environment = request.app.state.templates
    html = templates.get_template(name).render(
        visitor=visitor,
        language=language,
        zone=zone,
        label=partial(label, language),
        code=partial(code_label, language),
        _=partial(_translate, language),
        path=request.url.path,
        **values,
    )
    return HTMLResponse(html)


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


def asked_for_part(request: Request) -> bool:
    """Return whether htmx requests a part of the page."""
    return HTMX in request.headers and "HX-History-Restore-Request" not in request.headers


def _month(number: int, language: Locale) -> str:
    """Return the short name of a month."""
    return f"{number}월" if language == "ko" else calendar.month_abbr[number]


def _clock(at: datetime | None, zone: str, language: Locale, form: str = "minute") -> str:
    """Format a time in the time zone and language of the visitor."""
    if at is None:
        return ""
    local = at.astimezone(ZoneInfo(zone))
    if form == "day":
        korean, english = "%Y년 %-m월 %-d일", "%-d %b %Y"
    else:
        korean, english = "%Y. %-m. %-d. %H:%M", "%-d %b %Y, %H:%M"
    return local.strftime(korean if language == "ko" else english)
