"""`saegim key|member|assistant`: administration of a tenant through the API."""

import json
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import ClientTarget, client_command
from saegim.cli.console import echo, say, warn
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.operators.tenants import key

member = typer.Typer(no_args_is_help=True)
assistant = typer.Typer(no_args_is_help=True)

KeyId = Annotated[UUID, typer.Argument(help=_("Key ID."))]
AssistantId = Annotated[UUID, typer.Argument(help=_("Assistant ID."))]


@client_command(key, "list", _("List API keys."))
def list_keys(target: ClientTarget) -> None:
    for each in report(target.call(lambda client: client.keys())):
        revoked = "x" if each.revoked_at else " "
        scopes = "*" if each.scopes is None else ",".join(each.scopes)
        echo(f"{revoked} {each.key_id}  {each.prefix}…  {each.role:8}  {scopes}  {each.name}")


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


@client_command(member, "list", _("List members."))
def list_members(target: ClientTarget) -> None:
    for each in report(target.collect(lambda client: client.members())):
        disabled, groups = "x" if each.disabled else " ", ",".join(each.groups)
        echo(f"{disabled} {each.member_id} {each.role:8} {groups} {each.name}")


@client_command(member, "set", _("Change a member's role or groups, or block the member."))
def set_member(
    target: ClientTarget,
    member_id: Annotated[UUID, typer.Argument(help=_("Member ID."))],
    role: Annotated[
        str | None, typer.Option(help=_("owner, admin, editor, member or auditor."))
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help=_("Group name. Repeat for several groups."))
    ] = None,
    disabled: Annotated[bool | None, typer.Option(help=_("Block or unblock the member."))] = None,
) -> None:
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
        echo(f"{each.version:4}  {each.state:9}  {each.created_at:%Y-%m-%d %H:%M}")


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
