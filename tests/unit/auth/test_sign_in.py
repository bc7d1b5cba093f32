"""The cookie contains an encrypted sign-in; a foreign or expired one is refused."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from saegim.auth import tokens
from saegim.auth.sign_in import LASTS, LONGEST_COOKIE, PREFIX, SignIn, SignIns
from saegim.auth.types import ActAs
from saegim.domain.errors import AuthenticationRequired, Invalid, PermissionDenied
from saegim.domain.scope import Caller, Role, Scope

TENANT, KEY, USER = UUID(int=1), UUID(int=2), UUID(int=3)
NOW = datetime(2026, 11, 15, tzinfo=UTC)


class Clock:
    at = NOW

    def now(self) -> datetime:
        return self.at


class Access:
    """Knows one credential."""

    async def authenticate(self, credential: str | None, act_as: ActAs) -> Caller:
        if credential is None or not credential.startswith("good"):
            raise AuthenticationRequired
        return Caller(
            Scope(TENANT, USER, USER), Role.MEMBER, UUID(int=4), KEY, known_as=act_as.user
        )


class Store:
    """Sign-ins that go on."""

    def __init__(self) -> None:
        self.open: set[UUID] = set()

    async def add(
        self, tenant: UUID, sign_in: UUID, member: UUID, now: datetime, expires_at: datetime
    ) -> None:
        self.open.add(sign_in)

    async def end(self, tenant: UUID, sign_in: UUID, at: datetime) -> None:
        self.open.discard(sign_in)

    async def end_all(self, tenant: UUID, member: UUID, at: datetime) -> None:
        self.open.clear()


class Seal:
    """A cipher that reverses a text, valid for one purpose, tenant and key."""

    async def seal(self, purpose: str, tenant: UUID, key: UUID, text: str) -> bytes:
        return f"{purpose}{tenant.hex}{key.hex}{text}".encode()[::-1]

    async def open(self, purpose: str, tenant: UUID, key: UUID, sealed: bytes) -> str | None:
        opened = sealed[::-1].decode("utf-8", "replace")
        place = f"{purpose}{tenant.hex}{key.hex}"
        return opened.removeprefix(place) if opened.startswith(place) else None


def sign_ins(clock: Clock | None = None) -> SignIns:
    return SignIns(Access(), Seal(), Store(), clock or Clock())  # pyright: ignore[reportArgumentType] - plays what is used of it


async def test_a_cookie_opens_to_what_was_signed_in_with() -> None:
    services = sign_ins()
    cookie = await services.begin("good", ActAs(user="하늘"))
    opened = await services.open(cookie)

    assert cookie.startswith(f"{PREFIX}_")
    assert (opened.credential, opened.user) == ("good", "하늘")
    assert opened.expires_at == NOW + LASTS
    assert (await services.caller(opened)).known_as == "하늘"


async def test_a_wrong_credential_makes_no_cookie() -> None:
    with pytest.raises(AuthenticationRequired):
        await sign_ins().begin("bad", ActAs())


async def test_a_cookie_is_over_in_time() -> None:
    clock = Clock()
    services = sign_ins(clock)
    cookie = await services.begin("good", ActAs())
    clock.at = NOW + LASTS - timedelta(seconds=1)
    await services.open(cookie)
    clock.at = NOW + LASTS
    with pytest.raises(AuthenticationRequired):
        await services.open(cookie)


async def test_switching_profile_or_assistant_keeps_the_end_of_the_sign_in() -> None:
    clock = Clock()
    services = sign_ins(clock)
    first = await services.open(await services.begin("good", ActAs()))
    clock.at = NOW + LASTS - timedelta(minutes=1)
    switched = await services.open(await services.switch(first, "home"))
    chosen = await services.open(await services.choose(switched, UUID(int=9)))

    assert (switched.profile, chosen.profile, chosen.assistant) == ("home", "home", UUID(int=9))
    assert first.expires_at == switched.expires_at == chosen.expires_at
    assert first.id == switched.id == chosen.id


async def test_what_was_changed_or_sealed_for_another_use_opens_nothing() -> None:
    services = sign_ins()
    cookie = await services.begin("good", ActAs())
    token = tokens.write(TENANT, KEY, await Seal().seal("token", TENANT, KEY, '{"u": "x"}'))
    for wrong in ("", "nonsense", cookie.replace(KEY.hex, UUID(int=9).hex), token,
                  token.replace("sgt_", "sgs_")):  # fmt: skip
        with pytest.raises(AuthenticationRequired):
            await services.open(wrong)
    assert tokens.parse(cookie) is None, "nor is a cookie a token"


async def test_a_credential_too_long_for_a_cookie_is_refused() -> None:
    with pytest.raises(Invalid):
        await sign_ins().begin("good" + "x" * LONGEST_COOKIE, ActAs())


def test_a_change_shows_the_secret_of_its_page() -> None:
    sign_in = SignIn("good", None, None, None, "secret", NOW, UUID(int=5))
    sign_in.require_shown("secret")
    for shown in (None, "", "other", "비밀"):
        with pytest.raises(PermissionDenied):
            sign_in.require_shown(shown)
    with pytest.raises(PermissionDenied):
        replace(sign_in, csrf="another").require_shown("secret")
