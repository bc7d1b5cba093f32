"""`saegim model`: connects language models, tests them and assigns them to roles."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from saegim.cli.client_target import ClientTarget, client_command
from saegim.cli.console import echo, fail, out, say
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.client.types import ModelCheck, ModelConnection, ModelRole

# A local server may have to load the model first.
CHECK_SECONDS = 300.0
ENVIRONMENT = "environment"
PROVIDERS = ("openai", "anthropic", "gemini", "ollama", "openai-compatible")
WITHOUT_KEY = frozenset({"ollama", "openai-compatible"})
MOST_LISTED = 30
ANSWER_ROLES = ("lite", "strong")
SOURCES = {
    "connection": _("connected"),
    "environment": _("environment"),
    "none": _("none"),
}
TOOLS = {None: "-", True: _("yes"), False: _("no")}
CHECKS = (
    _("role"),
    _("model"),
    _("result"),
    _("takes tools"),
    _("seconds"),
    _("USD per 1M tokens (in / out)"),
)
ROLES = (_("role"), _("model"), _("takes tools"), _("source"), _("connection"))
CONNECTIONS = (_("connection"), _("provider"), _("base URL"), _("key"))

model = typer.Typer(no_args_is_help=True)

Role = Annotated[
    list[str] | None,
    typer.Option(
        help=_(
            "Role: lite, strong, summarizer, extractor, assessor or judge. Repeat for several. "
            "Default: all."
        )
    ),
]
Named = Annotated[str, typer.Argument(metavar="CONNECTION", help=_("Name of the connection."))]


Provider = Annotated[
    str,
    typer.Argument(
        metavar="PROVIDER", help=_("openai, anthropic, gemini, ollama or openai-compatible.")
    ),
]
ApiKey = Annotated[
    str | None,
    typer.Option(
        envvar="SAEGIM_MODEL_API_KEY",
        show_envvar=False,
        help=_(
            "API key of the provider. Default: SAEGIM_MODEL_API_KEY, or a prompt. An argument "
            "is visible to other users of this machine."
        ),
    ),
]
BaseUrl = Annotated[str | None, typer.Option(help=_("Base URL. Default: the provider's."))]
ModelOfAll = Annotated[
    str | None,
    typer.Option("--model", help=_("Model for all roles. Default: the provider's, or a choice.")),
]
NewName = Annotated[
    str | None, typer.Option(help=_("Name of the connection. Default: the provider."))
]
TurnSeconds = Annotated[
    float | None,
    typer.Option(help=_("Seconds of a whole turn. Default: 30, or 90 for a local server.")),
]
StepSeconds = Annotated[
    float | None,
    typer.Option(help=_("Seconds of a step before the answer. 0: none. Default: 6, or 0.")),
]
FirstTokenSeconds = Annotated[
    float | None, typer.Option(help=_("Seconds until the answer begins. Default: 10, or 45."))
]
BackgroundSeconds = Annotated[
    float | None, typer.Option(help=_("Seconds of a call in the background. Default: 60, or 300."))
]
Force = Annotated[bool, typer.Option("--force", help=_("Store it even if the test fails."))]


@client_command(
    model,
    "add",
    _("Connect a model: ask for what is needed, test it, and store the key encrypted."),
)
def add(  # noqa: PLR0913 - options
    target: ClientTarget,
    provider: Provider,
    api_key: ApiKey = None,
    base_url: BaseUrl = None,
    name_of_model: ModelOfAll = None,
    role: Role = None,
    name: NewName = None,
    turn_seconds: TurnSeconds = None,
    step_seconds: StepSeconds = None,
    first_token_seconds: FirstTokenSeconds = None,
    background_seconds: BackgroundSeconds = None,
    force: Force = False,
) -> None:
    if provider not in PROVIDERS:
        fail(
            "Unknown provider {name}. Use one of: {names}",
            name=provider,
            names=", ".join(PROVIDERS),
        )
    if provider == "openai-compatible" and base_url is None:
        base_url = typer.prompt(_("Base URL, such as http://127.0.0.1:8080/v1"))
    if provider not in WITHOUT_KEY and api_key is None:
        api_key = typer.prompt(_("API key"), hide_input=True)
    access = _given(base_url=base_url, api_key=api_key)
    if provider in WITHOUT_KEY and name_of_model is None:
        name_of_model = _choose(target, provider, access)
    wanted = access | _given(
        model=name_of_model,
        roles=role,
        name=name,
        turn_seconds=turn_seconds,
        step_seconds=step_seconds,
        first_token_seconds=first_token_seconds,
        background_seconds=background_seconds,
    )
    say("Testing {provider}…", provider=provider)
    checks = target.call(
        lambda client: client.test_model_connection(provider, **wanted), CHECK_SECONDS
    )
    show_checks(checks)
    if not all(check.ok for check in checks) and not force:
        report({"stored": False, "checks": [check.model_dump(mode="json") for check in checks]})
        fail("The test failed, so nothing was stored. Correct it, or store it with --force.")
    wanted |= _given(without_tools=sorted(_without_tools(checks)) or None)
    added = target.call(lambda client: client.add_model_connection(provider, **wanted))
    report({"stored": True, "connection": added.model_dump(mode="json")})
    say("Connected as {name}. New messages use it.", style="green", name=added.name)


@client_command(model, "list", _("List the model of each role, and the connections."))
def list_models(target: ClientTarget) -> None:
    roles = target.call(lambda client: client.model_roles())
    connections = target.call(lambda client: client.model_connections())
    report(
        {
            "roles": [each.model_dump(mode="json") for each in roles],
            "connections": [each.model_dump(mode="json") for each in connections],
        }
    )
    _show_roles(roles)
    _show_connections(connections)
    if not any(each.model for each in roles):
        say("No model is connected. Connect one with `saegim model add`.")


@client_command(model, "test", _("Call the model of each role. Exits with code 1 if one fails."))
def test(target: ClientTarget) -> None:
    checks = report(target.call(lambda client: client.test_model_roles(), CHECK_SECONDS))
    if not checks:
        say("No model is connected. Connect one with `saegim model add`.")
    show_checks(checks)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


@client_command(
    model,
    "use",
    _("Use a connection for roles. `environment` returns to the models of the server's settings."),
)
def use(
    target: ClientTarget,
    connection: Named,
    role: Role = None,
    name_of_model: Annotated[
        str | None, typer.Option("--model", help=_("Model. Default: the provider's."))
    ] = None,
) -> None:
    found = None if connection == ENVIRONMENT else _find(target, connection).connection_id
    roles = target.call(lambda client: client.set_model_roles(found, role or (), name_of_model))
    _show_roles(report(roles))


@client_command(
    model,
    "egress",
    _("Show or set which memories must not leave to a connection. Without options, show it."),
)
def egress(
    target: ClientTarget,
    connection: Named,
    withhold: Annotated[
        list[str] | None,
        typer.Option(
            help=_(
                "Type of memories that must not leave, such as profile or episode. Repeat for "
                "several; they replace those before."
            )
        ),
    ] = None,
    pinned: Annotated[
        bool | None,
        typer.Option("--pinned/--no-pinned", help=_("Whether pinned memories may leave.")),
    ] = None,
    names: Annotated[
        bool | None,
        typer.Option("--names/--no-names", help=_("Whether names leave, or placeholders.")),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help=_("Let everything leave."))
    ] = False,
) -> None:
    found = _find(target, connection)
    if everything:
        found = target.call(lambda client: client.set_model_egress(found.connection_id))
    elif (withhold, pinned, names) != (None, None, None):
        types = found.withheld_types if withhold is None else withhold
        keeps_pinned = found.withholds_pinned if pinned is None else not pinned
        hides_names = found.uses_pseudonyms if names is None else not names
        found = target.call(
            lambda client: client.set_model_egress(
                found.connection_id,
                types,
                withholds_pinned=keeps_pinned,
                uses_pseudonyms=hides_names,
            )
        )
    report(found)
    _show_egress(found)


@client_command(
    model,
    "remove",
    _("Delete a connection and its key. Its roles use the server's settings again."),
)
def remove(target: ClientTarget, connection: Named) -> None:
    found = _find(target, connection)
    target.call(lambda client: client.remove_model_connection(found.connection_id))
    say("Done.")


def _show_egress(connection: ModelConnection) -> None:
    rows = [
        (_("withheld types"), ", ".join(connection.withheld_types) or _("none")),
        (_("pinned memories"), _("withheld") if connection.withholds_pinned else _("leave")),
        (_("names"), _("placeholders") if connection.uses_pseudonyms else _("leave")),
    ]
    _table((_("what"), _("to {name}").format(name=connection.name)), rows)


def show_checks(checks: Sequence[ModelCheck]) -> None:
    """Print the results of test calls, roles with the same one together."""
    roles: dict[ModelCheck, list[str]] = {}
    # Equal but for these, roles have the same result.
    of_role = {"role": "", "seconds": 0.0, "takes_tools": None, "usd_per_1000_turns": None}
    for check in checks:
        roles.setdefault(check.model_copy(update=of_role), []).append(check.role)
    seconds = {check.role: f"{check.seconds:.1f}" for check in checks}
    tools = {check.model: check.takes_tools for check in checks if check.role in ANSWER_ROLES}
    rows = [
        (
            ", ".join(same),
            check.model,
            _("ok") if check.ok else check_text(check),
            TOOLS[tools.get(check.model)],
            seconds[same[0]],
            _prices(check),
        )
        for check, same in roles.items()
    ]
    _table(CHECKS, rows)
    if all(check.ok for check in checks):
        _show_cost(checks)


def _without_tools(checks: Sequence[ModelCheck]) -> set[str]:
    return {each.model for each in checks if each.takes_tools is False}


def _show_cost(roles: Sequence[ModelCheck | ModelRole]) -> None:
    """Print what 1,000 turns cost with the models of roles, if one of them answers."""
    if not any(each.role in ANSWER_ROLES and each.model for each in roles):
        return
    costs = [each.usd_per_1000_turns for each in roles]
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        say("Cost of 1,000 turns: unknown, as a model has no list price.")
    else:
        say("Estimated cost of 1,000 turns: USD {usd}", usd=f"{sum(known):.2f}")


def check_text(check: ModelCheck) -> str:
    """Return why a test call failed: status and message of the provider."""
    words = (check.fault, str(check.status or ""), check.message or "")
    return " ".join(filter(None, words))


def _prices(check: ModelCheck) -> str:
    if check.input_price is None or check.output_price is None:
        return "-"
    return f"{check.input_price:.2f} / {check.output_price:.2f}"


def _choose(target: ClientTarget, provider: str, access: dict[str, Any]) -> str:
    """Let the user pick one of the models that the server has."""
    names = target.call(lambda client: client.available_models(provider, **access))
    if not names:
        fail("The server has no model. Download one first, such as `ollama pull qwen3:8b`.")
    if len(names) == 1:
        say("Model: {name}", name=names[0])
        return names[0]
    if not sys.stdin.isatty():
        fail("Choose one with --model: {names}", names=", ".join(names[:MOST_LISTED]))
    for number, each in enumerate(names[:MOST_LISTED], 1):
        echo(f"{number:3}  {each}")
    chosen: int = typer.prompt(_("Number of the model"), type=int)
    if not 1 <= chosen <= min(len(names), MOST_LISTED):
        fail("There is no model {number}.", number=chosen)
    return names[chosen - 1]


def _find(target: ClientTarget, name: str) -> ModelConnection:
    connections = target.call(lambda client: client.model_connections())
    found = [each for each in connections if name in (each.name, str(each.connection_id))]
    if not found:
        names = ", ".join(each.name for each in connections) or "-"
        fail("There is no connection {name}. Connections: {names}", name=name, names=names)
    return found[0]


def _show_roles(roles: Sequence[ModelRole]) -> None:
    _table(
        ROLES,
        [
            (e.role, e.model or "-", TOOLS[e.takes_tools], SOURCES[e.source], e.connection or "-")
            for e in roles
        ],
    )
    _show_cost(roles)


def _show_connections(connections: Sequence[ModelConnection]) -> None:
    rows = [
        (e.name, e.provider, e.base_url, "-" if e.key_hint is None else f"…{e.key_hint}")
        for e in connections
    ]
    _table(CONNECTIONS, rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=box.SIMPLE)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    if rows:
        out.print(table)


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
