"""`--json` on every command: prints what the command reports instead of its text."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, cast

import typer
from pydantic import BaseModel

from saegim.cli.console import out, say
from saegim.cli.language import _

# These run until they are stopped, or speak a protocol of their own.
GO_ON = frozenset({"dev", "serve", "worker", "mcp"})
AsJson = Annotated[bool, typer.Option("--json", help=_("Print JSON."))]
AS_JSON = Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=AsJson)


@dataclass
class _Report:
    value: object = None


_report = _Report()


def report[T](value: T) -> T:
    """Set the result of the command, which `--json` prints, and return it."""
    _report.value = value
    return value


def report_list[T](items: Sequence[T], empty: str) -> Sequence[T]:
    """Report the items and return them; if there are none, print a text that says so."""
    if not items:
        say(empty)
    return report(items)


def add_json(app: typer.Typer) -> None:
    """Add `--json` to every command that does not define it."""
    for command in app.registered_commands:
        work = command.callback
        if work is None or work.__name__ in GO_ON or AS_JSON.name in signature(work).parameters:
            continue
        command.callback = _reporting(work)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            add_json(group.typer_instance)


def set_options(
    run: Callable[..., None], work: Callable[..., object], options: Iterable[Parameter]
) -> None:
    """Make Typer see `run`, which takes keywords, as `work` with these options."""
    named = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in options]
    run.__name__ = work.__name__
    run.__signature__ = Signature(named)  # pyright: ignore[reportFunctionMemberAccess] - read by Typer
    run.__annotations__ = {each.name: each.annotation for each in named}


def print_json(value: object) -> None:
    typer.echo(json.dumps(_plain(value), ensure_ascii=False, indent=2, default=str))


def _reporting(work: Callable[..., Any]) -> Callable[..., Any]:
    def run(**values: Any) -> None:
        if not values.pop(AS_JSON.name):
            work(**values)
            return
        _report.value, out.quiet = None, True
        try:
            work(**values)
        except typer.Exit:
            if _report.value is not None:
                print_json(_report.value)
            raise
        finally:
            out.quiet = False
        print_json({"done": True} if _report.value is None else _report.value)

    set_options(run, work, (*signature(work).parameters.values(), AS_JSON))
    return run


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("list[object]", value)]
    return value
