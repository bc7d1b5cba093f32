"""Every decision about who is calling. Default deny; one answer for every wrong credential."""

from datetime import datetime

from saegim.access import keys
from saegim.access.ports import AccessStore
from saegim.access.types import ActAs, AppKey, Person
from saegim.domain.clock import Clock
from saegim.domain.errors import Forbidden, Invalid, Unauthenticated
from saegim.domain.scope import Caller, Scope

DEFAULT_PROFILE = "default"
LONGEST_NAME = 200


class Access:
    def __init__(self, store: AccessStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def authenticate(self, credential: str | None, act_as: ActAs) -> Caller:
        """Who is calling: scope and role come from the key, names from headers if it may."""
        key = await self._valid_key(credential, self._clock.now())
        person = await self._person(key, act_as)
        return Caller(
            scope=Scope(key.tenant, person.member, person.profile),
            role=key.role,
            assistant=key.assistant,
            key=key.id,
            groups=key.groups,
            locale=person.locale,
            time_zone=person.time_zone,
        )

    async def _valid_key(self, credential: str | None, now: datetime) -> AppKey:
        parts = keys.parse(credential or "")
        key = await self._store.find_key(parts.tenant, parts.secret_hash) if parts else None
        if key is None or not key.valid_at(now):
            raise Unauthenticated
        return key

    async def _person(self, key: AppKey, act_as: ActAs) -> Person:
        profile = _name(act_as.profile or DEFAULT_PROFILE, "Saegim-Profile")
        if key.member is not None:
            if act_as.user is not None:
                raise Forbidden("this key is bound to one user and cannot act as another")
            return await self._store.person_of_key(key.tenant, key.member, profile)
        if act_as.user is None:
            raise Invalid("this key acts for others: name the user in the Saegim-User header")
        return await self._store.person(key.tenant, _name(act_as.user, "Saegim-User"), profile)


def _name(value: str, header: str) -> str:
    if not value.strip() or len(value) > LONGEST_NAME:
        raise Invalid(f"{header} must have 1 to {LONGEST_NAME} characters")
    return value
