"""`--json` on every command: what a command reports, as JSON instead of as text."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, cast

import typer
from pydantic import BaseModel

from saegim.cli.console import out
from saegim.cli.language import _

# These go on until they are stopped, or speak a protocol of their own.
GO_ON = frozenset({"dev", "serve", "worker", "mcp"})
AS_JSON = "as_json"
OPTION = Parameter(
    AS_JSON,
    Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", help=_("Print JSON."))],
)


@dataclass
class _Report:
    value: object = None


_report = _Report()


def report(value: object) -> None:
    """What a command came to; shown where `--json` is asked for."""
    _report.value = value


def add_json(app: typer.Typer) -> None:
    """Gives `--json` to every command that has none of its own."""
    for command in app.registered_commands:
        work = command.callback
        if work is None or work.__name__ in GO_ON or AS_JSON in signature(work).parameters:
            continue
        command.callback = _reporting(work)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_json(group.typer_instance)


def _reporting(work: Callable[..., Any]) -> Callable[..., Any]:
    own = [
        each.replace(kind=Parameter.KEYWORD_ONLY) for each in signature(work).parameters.values()
    ]

    def run(**given: Any) -> None:
        if not given.pop(AS_JSON):
            work(**given)
            return
        _report.value, out.quiet = None, True
        try:
            work(**given)
        finally:
            out.quiet = False
        shown = {"done": True} if _report.value is None else _plain(_report.value)
        typer.echo(json.dumps(shown, ensure_ascii=False, indent=2, default=str))

    named = [*own, OPTION]
    run.__name__, run.__doc__ = work.__name__, work.__doc__
    run.__signature__ = Signature(named)  # pyright: ignore[reportFunctionMemberAccess] - read by Typer
    run.__annotations__ = {each.name: each.annotation for each in named}
    return run


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("list[object]", value)]
    return value
