"""A cookie holds a sign-in, sealed; what is not ours or is over is nobody's."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from saegim.access import tokens
from saegim.access.sign_in import LASTS, LONGEST_COOKIE, PREFIX, SignIn, SignIns
from saegim.access.types import ActAs
from saegim.domain.errors import Forbidden, Invalid, Unauthenticated
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
            raise Unauthenticated
        return Caller(
            Scope(TENANT, USER, USER), Role.MEMBER, UUID(int=4), KEY, known_as=act_as.user
        )


class Seal:
    """Turns a text around, for one tenant and key alone."""

    async def seal(self, tenant: UUID, key: UUID, text: str) -> bytes:
        return f"{tenant.hex}{key.hex}{text}".encode()[::-1]

    async def open(self, tenant: UUID, key: UUID, sealed: bytes) -> str | None:
        opened = sealed[::-1].decode("utf-8", "replace")
        place = f"{tenant.hex}{key.hex}"
        return opened.removeprefix(place) if opened.startswith(place) else None


def sign_ins(clock: Clock | None = None) -> SignIns:
    return SignIns(Access(), Seal(), clock or Clock())  # pyright: ignore[reportArgumentType] - plays what is used of it


async def test_a_cookie_opens_to_what_was_signed_in_with() -> None:
    services = sign_ins()
    cookie = await services.begin("good", ActAs(user="하늘"))
    opened = await services.open(cookie)

    assert cookie.startswith(f"{PREFIX}_")
    assert (opened.credential, opened.user) == ("good", "하늘")
    assert opened.expires_at == NOW + LASTS
    assert (await services.caller(opened)).known_as == "하늘"


async def test_a_wrong_credential_makes_no_cookie() -> None:
    with pytest.raises(Unauthenticated):
        await sign_ins().begin("bad", ActAs())


async def test_a_cookie_is_over_in_time() -> None:
    clock = Clock()
    services = sign_ins(clock)
    cookie = await services.begin("good", ActAs())
    clock.at = NOW + LASTS - timedelta(seconds=1)
    await services.open(cookie)
    clock.at = NOW + LASTS
    with pytest.raises(Unauthenticated):
        await services.open(cookie)


async def test_what_was_changed_or_sealed_for_another_use_opens_nothing() -> None:
    services = sign_ins()
    cookie = await services.begin("good", ActAs())
    token = tokens.write(TENANT, KEY, await Seal().seal(TENANT, KEY, '{"u": "x", "e": 1}'))
    for wrong in ("", "nonsense", cookie.replace(KEY.hex, UUID(int=9).hex), token,
                  token.replace("sgt_", "sgs_")):  # fmt: skip
        with pytest.raises(Unauthenticated):
            await services.open(wrong)
    assert tokens.parse(cookie) is None, "nor is a cookie a token"


async def test_a_credential_too_long_for_a_cookie_is_refused() -> None:
    with pytest.raises(Invalid):
        await sign_ins().begin("good" + "x" * LONGEST_COOKIE, ActAs())


def test_a_change_shows_the_secret_of_its_page() -> None:
    sign_in = SignIn("good", None, None, None, "secret", NOW)
    sign_in.require_shown("secret")
    for shown in (None, "", "other"):
        with pytest.raises(Forbidden):
            sign_in.require_shown(shown)
    with pytest.raises(Forbidden):
        replace(sign_in, csrf="another").require_shown("secret")
