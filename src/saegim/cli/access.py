"""`saegim key|member|assistant`: what a tenant's admins do, through the client."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from saegim.cli.client_target import Data, KeyFile, Url, User, explain, open_client
from saegim.cli.console import err, out
from saegim.cli.json_output import report
from saegim.cli.language import _
from saegim.cli.operators.tenants import key
from saegim.client import ClientError, SaegimClient

member = typer.Typer(no_args_is_help=True)
assistant = typer.Typer(no_args_is_help=True)

KeyId = Annotated[UUID, typer.Argument(help=_("Key ID."))]
AssistantId = Annotated[UUID, typer.Argument(help=_("Assistant ID."))]


@key.command("list", help=_("List API keys."))
def list_keys(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        keys = await client.keys()
        report(keys)
        for found in keys:
            ended = "x" if found.revoked_at else " "
            scopes = "*" if found.scopes is None else ",".join(found.scopes)
            line = (
                f"{ended} {found.key_id}  {found.prefix}…  {found.role:8}  {scopes}  {found.name}"
            )
            out.print(line, soft_wrap=True)

    _run(data, url, key_file, user, ask)


@key.command(
    "rotate",
    help=_(
        "Replace a key with a new one that has the same permissions. The old key "
        "expires after the overlap."
    ),
)
def rotate_key(
    key_id: KeyId,
    overlap: Annotated[
        int, typer.Option(min=0, help=_("Seconds the old key stays valid."))
    ] = 86_400,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        minted = await client.rotate_key(key_id, overlap_seconds=overlap)
        report(minted)
        out.print(_("New key: {secret}", secret=minted.secret), soft_wrap=True)
        err.print(_("The key is shown only once. Store it in a safe place."), style="yellow")

    _run(data, url, key_file, user, ask)


@key.command("revoke", help=_("Revoke a key."))
def revoke_key(
    key_id: KeyId, data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        await client.revoke_key(key_id)
        out.print(_("Done."))

    _run(data, url, key_file, user, ask)


@member.command("list", help=_("List members."))
def list_members(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        members = [each async for each in client.members()]
        report(members)
        for found in members:
            out_of = "x" if found.disabled else " "
            groups = ",".join(found.groups)
            shown = (out_of, found.member_id, f"{found.role:8}", groups, found.name)
            out.print(*shown, soft_wrap=True)

    _run(data, url, key_file, user, ask)


@member.command("set", help=_("Change a member's role or groups, or block the member."))
def set_member(  # noqa: PLR0913 - each option of the command is a parameter
    member_id: Annotated[UUID, typer.Argument(help=_("Member ID."))],
    role: Annotated[
        str | None, typer.Option(help=_("owner, admin, editor, member or auditor."))
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(help=_("Group name. Repeat for several groups."))
    ] = None,
    disabled: Annotated[bool | None, typer.Option(help=_("Block or unblock the member."))] = None,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        report(await client.change_member(member_id, role=role, groups=group, disabled=disabled))
        out.print(_("Done."))

    _run(data, url, key_file, user, ask)


@assistant.command("list", help=_("List assistants."))
def list_assistants(
    data: Data = None, url: Url = None, key_file: KeyFile = None, user: User = None
) -> None:
    async def ask(client: SaegimClient) -> None:
        assistants = await client.assistants()
        report(assistants)
        for found in assistants:
            out.print(f"{found.assistant_id}  {found.locale}  {found.name}", soft_wrap=True)

    _run(data, url, key_file, user, ask)


@assistant.command("versions", help=_("List the versions of an assistant."))
def list_versions(
    assistant_id: AssistantId,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        versions = await client.assistant_versions(assistant_id)
        report(versions)
        for found in versions:
            line = f"{found.version:4}  {found.state:9}  {found.created_at:%Y-%m-%d %H:%M}"
            out.print(line, soft_wrap=True)

    _run(data, url, key_file, user, ask)


@assistant.command(
    "draft", help=_("Save a draft from a JSON file. The published version stays in use.")
)
def write_draft(
    assistant_id: AssistantId,
    file: Annotated[Path, typer.Argument(help=_("JSON file."))],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    content = json.loads(file.read_text("utf-8"))

    async def ask(client: SaegimClient) -> None:
        report(await client.draft_assistant(assistant_id, content))
        out.print(_("Done."))

    _run(data, url, key_file, user, ask)


@assistant.command("publish", help=_("Publish the draft."))
def publish(
    assistant_id: AssistantId,
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        report(await client.publish_assistant(assistant_id))
        out.print(_("Done."))

    _run(data, url, key_file, user, ask)


@assistant.command("rollback", help=_("Roll back to an earlier version."))
def roll_back(
    assistant_id: AssistantId,
    version: Annotated[int, typer.Argument(min=1, help=_("Version number."))],
    data: Data = None,
    url: Url = None,
    key_file: KeyFile = None,
    user: User = None,
) -> None:
    async def ask(client: SaegimClient) -> None:
        report(await client.roll_back_assistant(assistant_id, version))
        out.print(_("Done."))

    _run(data, url, key_file, user, ask)


def _run(
    data: Path | None,
    url: str | None,
    key_file: Path | None,
    user: str | None,
    ask: Callable[[SaegimClient], Awaitable[None]],
) -> None:
    line = open_client(data, url, key_file, user)

    async def work() -> None:
        async with line.open() as client:
            await ask(client)

    try:
        asyncio.run(work())
    except ClientError as error:
        explain(error, line)
