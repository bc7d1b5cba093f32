"""Create a tenant with something to steal of every kind, and the credentials of attackers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from saegim.auth.grants import DENIED_PERMISSIONS
from saegim.domain.policy import ALLOWED, OF_PEOPLE, Permission, permissions
from saegim.domain.scope import CredentialKind, Role

ISSUER, AUDIENCE = "https://login.example", "saegim"
# Each occurs in data that only one victim may read.
ALICE, HOME, TEMPORARY = "canary-alice", "canary-home-profile", "canary-temporary"
PRIVATE, RESTRICTED = "canary-private.md", "canary-restricted"
POWERS = tuple(sorted(each.value for each in DENIED_PERMISSIONS[CredentialKind.TOKEN]))

type Call = Callable[..., Awaitable[Any]]
type Sign = Callable[[str], Mapping[str, str]]


@dataclass(frozen=True)
class Attacker:
    """A credential, and the rights it has: it may obtain no more than these."""

    name: str
    headers: Mapping[str, str]
    role: Role
    person: str
    kind: CredentialKind = CredentialKind.KEY
    scopes: frozenset[str] | None = None
    groups: frozenset[str] = frozenset()
    acts_for_others: bool = False

    @property
    def permissions(self) -> frozenset[Permission]:
        return permissions(self.role, self.scopes)

    def has(self, permission: Permission) -> bool:
        return permission in self.permissions

    @property
    def gives_groups(self) -> bool:
        return self.has(Permission.MANAGE_MEMBERS) and self.has(Permission.MANAGE_COLLECTIONS)


@dataclass
class World:
    """The content of the tenant by name: ids for paths and bodies, and people."""

    call: Call
    owner: Mapping[str, str]
    sign: Sign
    ids: dict[str, str] = field(default_factory=dict[str, str])
    people: dict[str, str] = field(default_factory=dict[str, str])
    more: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def acting(self, user: str, **more: str) -> dict[str, str]:
        return {**self.owner, "Saegim-User": quote(user), **more}

    async def made(self, path: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        response = await self.call("POST", path, headers or self.owner, body)
        assert response.status_code < 300, f"{path}: {response.text}"
        return response.json()

    async def me(self, headers: Mapping[str, str]) -> dict[str, Any]:
        return (await self.call("GET", "/v1/me", headers)).json()

    async def key(self, user: str | None, role: Role, **more: Any) -> tuple[str, dict[str, str]]:
        body = {"name": "k", "role": role, **({"user": user} if user else {}), **more}
        made = await self.made("/v1/keys", body)
        headers = {"Authorization": f"Bearer {made['secret']}"}
        return made["id"], headers if user else {**headers, "Saegim-User": "mallory"}

    async def change(self, member: str, **change: Any) -> None:
        path = f"/v1/members/{member}"
        response = await self.call("PATCH", path, self.owner, change)
        assert response.status_code == 200, response.text


async def plant(world: World, jwks: Mapping[str, Any]) -> None:
    """Creates the victims."""
    body = {"url": ISSUER, "audience": AUDIENCE, "jwks": jwks}
    response = await world.call("PUT", "/v1/issuers", world.owner, body)
    assert response.status_code == 204, response.text
    [issuer] = (await world.call("GET", "/v1/issuers", world.owner)).json()
    world.ids["issuer_id"] = issuer["issuer_id"]
    await _people(world)
    await _said(world)
    await _documents(world)


async def _people(world: World) -> None:
    for name in ("alice", "ed", "boss", "mallory", "hr-editor"):
        world.people[name] = (await world.me(world.acting(name)))["user_id"]
    world.ids["boss_key"], _ = await world.key("boss", Role.OWNER)
    world.ids["alice_key"], _ = await world.key("alice", Role.MEMBER)
    world.ids["hr_key"], _ = await world.key(None, Role.MEMBER, groups=["hr"])
    await world.change(world.people["boss"], role="owner")
    # An intern is linked to somebody who was promoted later.
    risen, intern = world.sign("risen"), world.sign("intern")
    world.people["risen"] = (await world.me(risen))["user_id"]
    code = (await world.made("/v1/identities/codes", None, risen))["code"]
    linked = await world.call("POST", "/v1/identities", intern, {"code": code})
    assert linked.status_code == 204, linked.text
    await world.change(world.people["risen"], role="owner", groups=["hr"])
    [identity] = (await world.call("GET", "/v1/identities", risen)).json()
    world.ids["identity_id"] = identity["identity_id"]


async def _said(world: World) -> None:
    for profile, text in (("default", ALICE), ("home", HOME)):
        headers = world.acting("alice", **{"Saegim-Profile": profile})
        said = await world.made("/v1/chat", {"message": f"{text} 얼마예요?"}, headers)
        world.ids.setdefault("turn_id", said["turn_id"])
        world.ids.setdefault("session_id", said["session_id"])
    body = {"message": f"{TEMPORARY} 얼마예요?", "temporary": True}
    temporary = await world.made("/v1/chat", body, world.acting("alice"))
    for turn in (world.ids["turn_id"], temporary["turn_id"]):
        thumb = await world.call(
            "PUT", f"/v1/turns/{turn}/feedback", world.acting("alice"), {"thumb": "down"}
        )
        assert thumb.status_code < 300, thumb.text
    memory = await world.made("/v1/memories", {"content": f"{ALICE} 기억"}, world.acting("alice"))
    world.ids["memory_id"] = memory["memory_id"]
    # Planned erasures, which others may try to cancel.
    for name in ("alice", "boss"):
        planned = await world.made("/v1/erasures", {"me": True}, world.acting(name))
        world.ids.setdefault("erasure_id", planned["erasure_id"])
    world.more["erasure_id"] = [planned["erasure_id"]]


async def _documents(world: World) -> None:
    body = {"name": RESTRICTED, "audience": ["hr"]}
    world.ids["collection_id"] = (await world.made("/v1/collections", body))["collection_id"]
    opened = await world.made("/v1/ingests", {"own": True}, world.acting("ed"))
    world.ids["ingest_id"] = opened["ingest_id"]
    path = f"/v1/ingests/{opened['ingest_id']}/files/{PRIVATE}"
    sent = await world.call("PUT", path, world.acting("ed"), None, b"# private")
    assert sent.status_code == 202, sent.text
    restricted = await world.made("/v1/ingests", {"collection": RESTRICTED})
    path = f"/v1/ingests/{restricted['ingest_id']}/files/{RESTRICTED}.md"
    assert (await world.call("PUT", path, world.owner, None, b"# salaries")).status_code == 202
    world.more["ingest_id"] = [restricted["ingest_id"]]
    source = {"source": {"kind": "sitemap", "url": f"https://{RESTRICTED}.example/sitemap.xml"}}
    added = await world.made("/v1/sources", {**source, "collection": RESTRICTED})
    world.ids["source_id"] = added["source_id"]


async def attackers(world: World, *, whole: bool) -> list[Attacker]:
    """Returns credentials of every kind: each role and, in a full run, each of its scopes."""
    found = [await _token(world, ()), await _token(world, POWERS)]
    found += [await _signed(world, role) for role in (Role.MEMBER, *(OF_PEOPLE if whole else ()))]
    found.append(await _intern(world))
    for role in Role:
        # A key that mints tokens cannot be bound to one user.
        bound = _acting if role is Role.MINTER else _bound
        found.append(await bound(world, role, None))
        for scope in sorted(ALLOWED[role]) if whole else ():
            found.append(await bound(world, role, frozenset({scope.value})))
            found.append(await _acting(world, role, frozenset({scope.value})))
    narrow = ["tokens", "chat", "self", "library:read"]
    found.append(await _acting(world, Role.ADMIN, frozenset(narrow)))
    found.append(await _acting(world, Role.MEMBER, None, "boss"))
    # All rights of a member, so that only granting more is refused.
    leading = {each.value for each in (*ALLOWED[Role.MEMBER], Permission.MANAGE_MEMBERS)}
    for scopes in (["keys", "library:read"], leading):
        found.append(await _bound(world, Role.ADMIN, frozenset(scopes)))
    if whole:
        found += [await _acting(world, role, None) for role in Role]
        found += [await _token(world, (power,)) for power in POWERS]
    else:
        found.append(await _bound(world, Role.OWNER, frozenset({"tenant"})))
    return found


async def _bound(world: World, role: Role, scopes: frozenset[str] | None) -> Attacker:
    user = f"{role}-{'-'.join(sorted(scopes or ['whole']))}"[:100]
    person = (await world.me(world.acting(user)))["user_id"]
    given = {} if scopes is None else {"scopes": sorted(scopes)}
    key, headers = await world.key(user, role, **given)
    world.people[user] = person
    world.ids[f"key of {person}"] = key
    return Attacker(f"key {user}", headers, role, person, scopes=scopes)


async def _acting(
    world: World, role: Role, scopes: frozenset[str] | None, user: str = "mallory"
) -> Attacker:
    given = {} if scopes is None else {"scopes": sorted(scopes)}
    _, headers = await world.key(None, role, **given)
    return Attacker(
        f"acting key {role} {sorted(scopes or ['whole'])}",
        {**headers, "Saegim-User": user},
        role,
        world.people[user],
        scopes=scopes,
        acts_for_others=True,
    )


async def _token(world: World, may: Sequence[str]) -> Attacker:
    """Creates a token of the victim, for one profile."""
    minted = await world.made("/v1/tokens", {"may": list(may)}, world.acting("alice"))
    every = {each.value for each in ALLOWED[Role.MEMBER]}
    return Attacker(
        f"token {sorted(may)}",
        {"Authorization": f"Bearer {minted['secret']}"},
        Role.MEMBER,
        world.people["alice"],
        CredentialKind.TOKEN,
        frozenset(every - set(POWERS) | set(may)),
    )


async def _signed(world: World, role: Role) -> Attacker:
    headers = world.sign(f"signed-{role}")
    person = (await world.me(headers))["user_id"]
    if role is not Role.MEMBER:
        await world.change(person, role=role)
    world.people[f"signed-{role}"] = person
    every = frozenset(each.value for each in ALLOWED[role]) - {"chat:instructions"}
    return Attacker(f"signed in {role}", headers, role, person, CredentialKind.ISSUER, every)


async def _intern(world: World) -> Attacker:
    every = frozenset(each.value for each in ALLOWED[Role.MEMBER]) - {"chat:instructions"}
    person, headers = world.people["risen"], world.sign("intern")
    return Attacker("linked intern", headers, Role.MEMBER, person, CredentialKind.ISSUER, every)
