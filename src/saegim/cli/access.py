"""`saegim key|user|assistant`: administration of a tenant through the API."""

import json
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli import environment
from saegim.cli.client_target import ClientTarget, Yes, client_command
from saegim.cli.console import echo, fail, local_time, print_table, say, warn
from saegim.cli.json_output import report, report_list
from saegim.cli.language import _
from saegim.cli.operators.tenants import key
from saegim.client.types import Key, Member
from saegim.locales import N_

user = typer.Typer(no_args_is_help=True)
assistant = typer.Typer(no_args_is_help=True)

KeyId = Annotated[UUID, typer.Argument(help=_("Key ID."))]
UserName = Annotated[str, typer.Argument(metavar="USER", help=_("User name or ID."))]
Reason = Annotated[str, typer.Option(help=_("Reason, recorded in the audit trail."))]
AssistantId = Annotated[UUID, typer.Argument(help=_("Assistant ID."))]


@client_command(key, "list", _("List API keys."))
def list_keys(target: ClientTarget) -> None:
    keys = report_list(target.call(lambda client: client.keys()), N_("No keys."))
    columns = (_("key"), _("role"), _("state"), _("scopes and name"))
    print_table(columns, [(k.key_id, k.role, _key_state(k), _key_about(k)) for k in keys])


def _key_state(key: Key) -> str:
    return _("revoked") if key.revoked_at else _("valid")


def _key_about(key: Key) -> str:
    scopes = "*" if key.scopes is None else ",".join(key.scopes)
    return f"{scopes} {key.name}"


@client_command(
    key,
    "rotate",
    _(
        "Replace a key with a new one that has the same permissions. The old key "
        "expires after the overlap."
    ),
)
def rotate_key(
    target: ClientTarget,
    key_id: KeyId,
    overlap: Annotated[
        int, typer.Option(min=0, help=_("Seconds the old key stays valid."))
    ] = 86_400,
) -> None:
    minted = report(target.call(lambda client: client.rotate_key(key_id, overlap_seconds=overlap)))
    say("New key: {secret}", secret=minted.secret)
    warn("The key is shown only once. Store it in a safe place.")


@client_command(key, "revoke", _("Revoke a key."))
def revoke_key(target: ClientTarget, key_id: KeyId) -> None:
    target.call(lambda client: client.revoke_key(key_id))
    say("Done.")


@client_command(user, "list", _("List the users of the tenant."))
def list_users(target: ClientTarget) -> None:
    users = report_list(target.collect(lambda client: client.members()), N_("No users."))
    columns = (_("user"), _("role"), _("state"), _("name and groups"))
    print_table(columns, [(u.member_id, u.role, _user_state(u), _user_about(u)) for u in users])


def _user_state(user: Member) -> str:
    return _("blocked") if user.disabled else _("active")


def _user_about(user: Member) -> str:
    return " ".join([user.name, *(f"[{group}]" for group in user.groups)])


@client_command(
    user,
    "export",
    _(
        "Export all data of a user as JSON. Needs a key of the role owner, or of the role auditor "
        "with the ID of the user."
    ),
)
def export_user(
    target: ClientTarget,
    name: UserName,
    reason: Reason,
    file: Annotated[
        Path | None, typer.Option("--out", help=_("Output file. Default: standard output."))
    ] = None,
) -> None:
    member = _find_user(target, name)
    exported = report(target.call(lambda client: client.export(member, reason)))
    text = json.dumps(exported, ensure_ascii=False, indent=2)
    if file is None:
        echo(text)
        return
    environment.write_new_private(file, text)
    say("Exported the data of {user} to {file}.", user=name, file=file)


@client_command(
    user, "erase", _("Erase all data of a user at once. This cannot be undone or cancelled.")
)
def erase_user(target: ClientTarget, name: UserName, reason: Reason, yes: Yes = False) -> None:
    member = _find_user(target, name)
    if not yes:
        question = _(
            "All conversations, memories and files of {user} will be erased now. Continue?",
            user=name,
        )
        typer.confirm(question, abort=True, err=True)
    erasure = report(target.call(lambda client: client.erase(member, reason)))
    say("Erasure {erasure} of {user} started.", erasure=erasure.erasure_id, user=name)


def _find_user(target: ClientTarget, named: str) -> UUID:
    """Return the ID of the user with this name; exit if there is none. An ID is not looked up:
    auditors may not list users."""
    try:
        return UUID(named)
    except ValueError:
        users = target.collect(lambda client: client.members())
    found = next((each.member_id for each in users if named == each.name), None)
    if found is None:
        fail("User not found: {user}", user=named)
    return found


@client_command(user, "set", _("Change a user's role or groups, or block the user."))
def set_user(
    target: ClientTarget,
    name: UserName,
    role: Annotated[
        str | None, typer.Option(help=_("owner, admin, editor, member or auditor."))
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help=_("Group name. Repeat for several groups."))
    ] = None,
    disabled: Annotated[bool | None, typer.Option(help=_("Block or unblock the user."))] = None,
) -> None:
    member_id = _find_user(target, name)
    changed = target.call(
        lambda client: client.change_member(member_id, role=role, groups=group, disabled=disabled)
    )
    report(changed)
    say("Done.")


@client_command(assistant, "list", _("List assistants."))
def list_assistants(target: ClientTarget) -> None:
    for each in report(target.call(lambda client: client.assistants())):
        echo(f"{each.assistant_id}  {each.locale}  {each.name}")


@client_command(assistant, "versions", _("List the versions of an assistant."))
def list_versions(target: ClientTarget, assistant_id: AssistantId) -> None:
    for each in report(target.call(lambda client: client.assistant_versions(assistant_id))):
        echo(f"{each.version:4}  {each.state:9}  {local_time(each.created_at)}")


@client_command(
    assistant, "draft", _("Save a draft from a JSON file. The published version stays in use.")
)
def write_draft(
    target: ClientTarget,
    assistant_id: AssistantId,
    file: Annotated[Path, typer.Argument(help=_("JSON file."))],
) -> None:
    content = json.loads(file.read_text("utf-8"))
    report(target.call(lambda client: client.draft_assistant(assistant_id, content)))
    say("Done.")


@client_command(assistant, "publish", _("Publish the draft."))
def publish(target: ClientTarget, assistant_id: AssistantId) -> None:
    report(target.call(lambda client: client.publish_assistant(assistant_id)))
    say("Done.")


@client_command(assistant, "rollback", _("Roll back to an earlier version."))
def roll_back(
    target: ClientTarget,
    assistant_id: AssistantId,
    version: Annotated[int, typer.Argument(min=1, help=_("Version number."))],
) -> None:
    report(target.call(lambda client: client.roll_back_assistant(assistant_id, version)))
    say("Done.")
