"""Decide what counts as an escalation. Knows the roles, but not how rules are checked."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from benchmarks.authorisation.records import Change, Records
from benchmarks.authorisation.trials import Trial
from benchmarks.authorisation.world import (
    ALICE,
    HOME,
    PRIVATE,
    RESTRICTED,
    TEMPORARY,
    Attacker,
    World,
)
from saegim.domain.policy import Permission, permissions
from saegim.domain.scope import Role


class Oracle:
    """Judges one response and the changes it caused."""

    def __init__(self, world: World, records: Records) -> None:
        self._world = world
        self._records = records

    def judge(
        self, attacker: Attacker, trial: Trial, response: Any, changes: list[Change]
    ) -> list[str]:
        """Describes everything that the attacker obtained and may not grant."""
        found = [*self._seen(attacker, trial, response.text)]
        if response.status_code < 300:
            found += self._answered(attacker, trial, response)
        for change in changes:
            found += getattr(self, f"_{change.table}")(attacker, trial, change)
        return [f"{attacker.name}: {trial.label}: {each}" for each in found]

    # Content of a response ---------------------------------------------------------------------

    def _seen(self, attacker: Attacker, trial: Trial, text: str) -> Iterator[str]:
        alice = self._speaks_for(attacker, self._world.people["alice"])
        reads = attacker.has(Permission.READ_OTHERS) and trial.has_reason
        edits = attacker.has(Permission.EDIT_ASSISTANTS) and trial.has_reason
        if ALICE in text and not (alice or reads or edits):
            yield "reads what another person said"
        whole = alice and attacker.has(Permission.EXPORT_SELF)
        if HOME in text and not (whole or reads or edits):
            yield "reads another profile"
        if TEMPORARY in text and not (alice or reads):
            yield "reads a temporary session"
        if PRIVATE in text and not self._speaks_for(attacker, self._world.people["ed"]):
            yield "reads a name of somebody's own documents"
        if RESTRICTED in text and RESTRICTED not in str(trial) and not self._restricted(attacker):
            yield "reads a name of a restricted collection"

    def _answered(self, attacker: Attacker, trial: Trial, response: Any) -> Iterator[str]:
        if trial.label == "GET /v1/me":
            yield from self._is(attacker, response.json())
        one_profile = not attacker.has(Permission.EXPORT_SELF)
        if trial.label == "GET /v1/profiles" and one_profile and len(response.json()) > 1:
            yield "sees another profile"
        instructs = "planted" in str(trial.body) and trial.label.startswith("POST /v1/chat")
        if instructs and not attacker.has(Permission.INSTRUCT):
            yield "instructs the assistant"
        reading = trial.label == "GET /v1/members/{member_id}/export"
        if reading and not trial.has_reason:
            yield "reads others without a reason"

    def _is(self, attacker: Attacker, me: dict[str, Any]) -> Iterator[str]:
        given = frozenset(Permission(each) for each in me["permissions"])
        if not given <= attacker.permissions:
            yield f"has {sorted(given - attacker.permissions)}"
        if not set(me["groups"]) <= attacker.groups:
            yield f"is in {me['groups']}"
        if me["user_id"] != attacker.person and not attacker.acts_for_others:
            yield "is somebody else"

    def token(self, attacker: Attacker, me: dict[str, Any]) -> list[str]:
        """Returns the excess rights of a token that the attacker created.

        A minter may give the rights of a member, which it has not itself."""
        if attacker.role is Role.MINTER:
            attacker = replace(attacker, role=Role.MEMBER, scopes=None)
        return [
            f"{attacker.name}: mints a token that {each}"
            for each in self._is(attacker, me)
            if not (each.startswith("is in") and attacker.gives_groups)
        ]

    # Changed rows ------------------------------------------------------------------------------

    def _app_key(self, attacker: Attacker, trial: Trial, change: Change) -> Iterator[str]:
        row = change.row
        scopes = None if row["scopes"] is None else frozenset(row["scopes"])
        own = row["member_id"] == attacker.person and change.before is not None
        if not own and not self._covers(attacker, Role(row["role"]), scopes):
            yield f"{'makes' if change.before is None else 'ends'} a key of more rights"
        if change.before is not None:
            return
        if not set(row["groups"]) <= attacker.groups and not attacker.gives_groups:
            yield f"makes a key with the groups {row['groups']}"
        member = row["member_id"]
        new = member is not None and (member,) not in self._records.rows["member"]
        speaks = member is not None and (new or self._speaks_for(attacker, member))
        reads = attacker.has(Permission.READ_OTHERS) and trial.has_reason
        if not (speaks or reads or attacker.acts_for_others):
            yield "makes a key for another person"

    def _member(self, attacker: Attacker, trial: Trial, change: Change) -> Iterator[str]:
        if change.before is None or change.after is None:
            return
        before, after = change.before, change.after
        standings = [(Role(before["role"]), None), *self._keys_of(before["member_id"])]
        erased = trial.label == "POST /v1/erasures"
        self_erased = erased and before["member_id"] == attacker.person
        if not self_erased and not all(self._covers(attacker, *each) for each in standings):
            yield "changes a member who may do more"
        if after["role"] != before["role"] and not self._covers(attacker, Role(after["role"])):
            yield f"gives the role {after['role']}"
        added = set(after["groups"]) - set(before["groups"])
        if not added <= attacker.groups and not attacker.gives_groups:
            yield f"gives the groups {sorted(added)}"

    def _erasure(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        own = change.row["member_id"] == attacker.person
        needed = Permission.ERASE_SELF if own else Permission.ERASE_OTHERS
        if not attacker.has(needed):
            yield f"erases or cancels without {needed}"
        member = self._records.rows["member"][change.row["member_id"],]
        if not own and not self._covers(attacker, Role(member["role"])):
            yield "erases or cancels the erasure of a member who may do more"

    def _issuer(self, attacker: Attacker, _: Trial, __: Change) -> Iterator[str]:
        if not self._covers(attacker, Role.OWNER):
            yield "says who signs for owners"

    def _link_code(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        member = change.row["member_id"]
        if not attacker.has(Permission.LINK_IDENTITIES):
            yield "makes a code that lasts"
        if change.after is not None:
            role = self._records.rows["member"][member,]["role"]
            if role != Role.MEMBER:
                yield f"makes a code for the role {role}"

    def _identity(self, attacker: Attacker, _: Trial, __: Change) -> Iterator[str]:
        if not attacker.has(Permission.LINK_IDENTITIES):
            yield "changes to whom a name leads"

    def _collection(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        own = change.row["owner_id"] is not None
        if own and not self._speaks_for(attacker, change.row["owner_id"]):
            yield "changes somebody's own documents"
        if not own and not attacker.has(Permission.MANAGE_COLLECTIONS):
            yield "changes who reads a collection"

    def _assistant_collection(self, attacker: Attacker, _: Trial, __: Change) -> Iterator[str]:
        if not attacker.permissions & {
            Permission.MANAGE_COLLECTIONS,
            Permission.PUBLISH_ASSISTANTS,
        }:
            yield "changes what an assistant reads"

    def _ingest(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        yield from self._written(attacker, change.row["collection_id"])

    def _ingest_file(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        ingest = self._records.rows["ingest"].get((change.row["ingest_id"],))
        if ingest is not None:
            yield from self._written(attacker, ingest["collection_id"])

    def _source(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        yield from self._written(attacker, change.row["collection_id"])

    def _written(self, attacker: Attacker, collection: str) -> Iterator[str]:
        found = self._records.rows["collection"].get((collection,))
        if found is None:
            return
        if found["owner_id"] is not None and not self._speaks_for(attacker, found["owner_id"]):
            yield "writes to somebody's own documents"
        elif found["owner_id"] is None and found["audience"] and not self._restricted(attacker):
            yield "writes to a restricted collection"

    def _session(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        if not self._speaks_for(attacker, change.row["member_id"]):
            yield f"changes the {change.table} of another person"

    _turn = _memory = _memory_version = _feedback = _session

    def _consent(self, attacker: Attacker, _: Trial, change: Change) -> Iterator[str]:
        subject = (change.row["subject_id"],)
        session = self._records.rows["session"].get(subject)
        member = self._records.rows["member"].get(subject)
        whose = (session or member or {}).get("member_id")
        if whose is not None and not self._speaks_for(attacker, whose):
            yield "changes another person's consent"

    # Rights --------------------------------------------------------------------------------------

    def _speaks_for(self, attacker: Attacker, member: str) -> bool:
        return attacker.person == member or attacker.acts_for_others

    def _restricted(self, attacker: Attacker) -> bool:
        return "hr" in attacker.groups or attacker.has(Permission.MANAGE_COLLECTIONS)

    def _covers(self, attacker: Attacker, role: Role, scopes: frozenset[str] | None = None) -> bool:
        return permissions(role, scopes) <= attacker.permissions

    def _keys_of(self, member: str) -> Iterator[tuple[Role, frozenset[str] | None]]:
        for row in self._records.rows["app_key"].values():
            if row["member_id"] == member and row["revoked_at"] is None:
                scopes = None if row["scopes"] is None else frozenset(row["scopes"])
                yield Role(row["role"]), scopes
