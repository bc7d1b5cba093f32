"""Pages from their templates, in the visitor's language; every value is escaped."""

import calendar
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from saegim.domain.scope import Locale
from saegim.locales import translate
from saegim.web.assets import Assets
from saegim.web.auth import Visitor, language_of
from saegim.web.labels import codes, labels

TEMPLATES = Path(__file__).parent / "templates"
ASKED_BY_HTMX = "HX-Request"


def environment(assets: Assets) -> Environment:
    """The templates, with what all of them use."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(asset=assets.url, icons=assets.icons)  # pyright: ignore[reportUnknownMemberType] - jinja2 types it as a plain dict
    made.filters.update(clock=_clock, month=_month)  # pyright: ignore[reportUnknownMemberType] - as above
    return made


def render(
    request: Request, name: str, visitor: Visitor | None = None, **values: Any
) -> HTMLResponse:
    """A page, or a part of one, as HTML."""
    language = visitor.language if visitor else language_of(request)
    zone = visitor.caller.time_zone if visitor else "Asia/Seoul"
    templates: Environment = request.app.state.templates
    html = templates.get_template(name).render(
        visitor=visitor,
        language=language,
        zone=zone,
        label=labels(language),
        code=codes(language),
        _=partial(_translate, language),
        path=request.url.path,
        **values,
    )
    return HTMLResponse(html)


def _translate(language: Locale, message: str) -> str:
    return translate(message, language)


def asked_for_part(request: Request) -> bool:
    """Whether htmx asks, and so a part of the page is enough."""
    return ASKED_BY_HTMX in request.headers and "HX-History-Restore-Request" not in request.headers


def _month(number: int, language: Locale) -> str:
    """A month as people write it under its year."""
    return f"{number}월" if language == "ko" else calendar.month_abbr[number]


def _clock(at: datetime | None, zone: str, language: Locale, form: str = "minute") -> str:
    """An instant where the visitor lives, as people there write it."""
    if at is None:
        return ""
    there = at.astimezone(ZoneInfo(zone))
    if form == "day":
        korean, english = "%Y년 %-m월 %-d일", "%-d %b %Y"
    else:
        korean, english = "%Y. %-m. %-d. %H:%M", "%-d %b %Y, %H:%M"
    return there.strftime(korean if language == "ko" else english)
