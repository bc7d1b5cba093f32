"""Sessions of a user: list, rename, pin, hide and restore."""

import contextlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from saegim.conversations import turn_rows
from saegim.conversations.state_cache import RedisStateCache
from saegim.conversations.transcripts import UNDO
from saegim.conversations.types import ListedSession, without
from saegim.db.cells import Cells, Row, fetch_one
from saegim.domain.errors import NotFound, OptionalServiceDown
from saegim.domain.ids import Clock
from saegim.domain.scope import Scope
from saegim.encryption.cipher import Cipher, FieldLocation
from saegim.encryption.keyring import Keyring
from saegim.jobs.queue import JobQueue
from saegim.jobs.types import Job, JobKind
from saegim.text.tokens import cut_at_space

LONGEST_TITLE = 60

# Greetings and phrases that say only that a question follows.
_FILLERS = (
    *(r"안녕(?:하세요|하십니까)?(?![가-힣])", "반갑습니다", "수고하[세십][요니]다?", "저기요?"),
    *("혹시", "있잖아요?", "음+", "아+", "저", "그런데", "근데", "그럼", "그러면"),
    r"(?:하나 |한 ?가지 )?(?:질문이?|궁금한 (?:게|점이|것이)) ?(?:하나 )?있(?:습니다|어요|는데요?)",
    r"(?:뭐 ?)?(?:좀|하나만?|한 ?가지만?) ?(?:물어|여쭤)(?:볼게요?|봐도 ?(?:될까요|돼요))",
    r"(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: (?:there|all|everyone))?",
    r"(?:i have )?(?:just )?an? (?:quick )?question",
    r"(?:can|could|would) you(?: please)?(?: (?:tell|show|help) me(?: with| to)?| explain)?",
    *("(?:please )?tell me", r"i(?: would|['’]d) (?:like|love) to know", "i (?:want|need) to know"),
    *(r"i(?: am|['’]m) wondering(?: if| whether)?", "do you know", "please", "well", "so"),
    *("ok(?:ay)?", "um+", "uh+"),
)
_FILLER = re.compile(rf"(?:{'|'.join(_FILLERS)})(?=[\s,.!?~:;…-]|$)[\s,.!?~:;…-]*", re.IGNORECASE)
END = " \t.,;:!?~…·-。！？"


def title_by_rule(message: str) -> str:
    """Return a title of at most 60 characters: the message without greetings and filler."""
    text = " ".join(message.split())
    rest = text
    while (match := _FILLER.match(rest)) is not None and rest[match.end() :].strip(END):
        rest = rest[match.end() :]
    title = cut_at_space(rest, LONGEST_TITLE).rstrip(END) or text[:LONGEST_TITLE]
    return title[0].upper() + title[1:] if rest != text and title[0].isascii() else title


TITLE, AUTO_TITLE = "session.title", "session.auto_title"


@dataclass(frozen=True, slots=True)
class SessionChange:
    """New values of a session; None leaves one as it is, an empty title removes the user's."""

    title: str | None = None
    pinned: bool | None = None


@dataclass(frozen=True, slots=True)
class FirstTurn:
    user: UUID
    message: str
    reply: str
    summary_version: int


class Sessions:
    def __init__(
        self,
        cells: Cells,
        keyring: Keyring,
        jobs: JobQueue,
        clock: Clock,
        cache: RedisStateCache,
    ) -> None:
        self._cells = cells
        self._keyring = keyring
        self._jobs = jobs
        self._clock = clock
        self._cache = cache

    async def page(self, scope: Scope, before: UUID | None, count: int) -> list[ListedSession]:
        """List the sessions of the caller, last used first, optionally those after `before`."""
        return await self._listed(scope, before=before, only=None, count=count)

    async def find(self, scope: Scope, session: UUID) -> ListedSession:
        """Find a session of the caller. Raises NotFound."""
        listed = await self._listed(scope, before=None, only=[session], count=1)
        if not listed:
            raise NotFound("session")
        return listed[0]

    async def titles(self, scope: Scope, sessions: Collection[UUID]) -> dict[UUID, str]:
        """Return the titles of sessions of the caller."""
        only = list(sessions)
        listed = await self._listed(scope, before=None, only=only, count=len(only))
        return {session.id: session.title for session in listed}

    async def change(self, scope: Scope, session: UUID, change: SessionChange) -> ListedSession:
        """Set the title or the pin of a session. Raises NotFound."""
        cipher = await self._keyring.user(scope.tenant, scope.user)
        place = FieldLocation(TITLE, session)
        values = turn_rows.owner(scope) | {
            "session": session,
            "set_title": change.title is not None,
            "title": cipher.seal(change.title, place) if change.title else None,
            "pinned": change.pinned,
        }
        if await self._cells.fetch_one(scope.tenant, "update_session", **values) is None:
            raise NotFound("session")
        return await self.find(scope, session)

    async def hide(self, scope: Scope, session: UUID) -> int:
        """Hide a session and queue its deletion; return its number of turns. Raises NotFound."""
        values = turn_rows.owned(scope) | {"session": session, "now": self._clock.now()}
        async with self._cells.transaction(scope.tenant) as connection:
            row = await fetch_one(connection, "hide_session", **values)
            if row is None:
                raise NotFound("session")
            delay = UNDO.total_seconds() + 1
            job = Job(JobKind.DELETE_SESSION, scope.tenant, session, delay_seconds=delay)
            await self._jobs.defer(connection, job)
        # If the cache is down, its entry expires.
        with contextlib.suppress(OptionalServiceDown):
            await self._cache.drop(scope, session)
        return int(row["last_turn"])

    async def restore(self, scope: Scope, session: UUID) -> ListedSession:
        """Show a hidden session again. Raises NotFound after five minutes."""
        since = self._clock.now() - UNDO
        values = turn_rows.owner(scope) | {"session": session, "since": since}
        if await self._cells.fetch_one(scope.tenant, "restore_session", **values) is None:
            raise NotFound("session")
        return await self.find(scope, session)

    async def untitled(self, tenant: UUID, session: UUID) -> FirstTurn | None:
        """Return the first turn of a session that has no title; None if it has one, or if words
        of the turn are redacted."""
        row = await self._cells.fetch_one(tenant, "untitled_session", session=session)
        if row is None or turn_rows.redactions_of(row["redactions"]):
            return None
        cipher = await self._keyring.user(tenant, row["member_id"])
        turn, reply = row["turn_id"], row["reply"]
        return FirstTurn(
            row["member_id"],
            cipher.open(row["message"], FieldLocation("turn.message", turn)),
            "" if reply is None else cipher.open(reply, FieldLocation("turn.reply", turn)),
            row["summary_version"],
        )

    async def save_auto_title(
        self, tenant: UUID, session: UUID, first: FirstTurn, title: str
    ) -> bool:
        """Save the title of a first turn; False if its branch or its redactions changed since."""
        cipher = await self._keyring.user(tenant, first.user)
        sealed = cipher.seal(title, FieldLocation(AUTO_TITLE, session))
        values = {"session": session, "auto_title": sealed, "version": first.summary_version}
        return bool(await self._cells.run_query(tenant, "save_auto_title", **values))

    async def _listed(
        self, scope: Scope, before: UUID | None, only: list[UUID] | None, count: int
    ) -> list[ListedSession]:
        values = turn_rows.owner(scope) | {"before": before, "only": only, "count": count}
        rows = await self._cells.fetch_all(scope.tenant, "list_sessions", **values)
        cipher = await self._keyring.user(scope.tenant, scope.user)
        return [_listed(row, cipher) for row in rows]


def _listed(row: Row, cipher: Cipher) -> ListedSession:
    return ListedSession(
        id=row["session_id"],
        assistant=row["assistant_id"],
        title=title_of(row, cipher),
        turns=row["last_turn"],
        used_at=row["used_at"],
        temporary=row["temporary"],
        pinned=row["pinned"],
        share=row["share_id"],
        shared_at=row["shared_at"],
        draft=turn_rows.inputs_of(row["inputs"], row["turn_id"], cipher).draft,
    )


def title_of(row: Row, cipher: Cipher) -> str:
    """Return the user's title, else the model's, else one by rule from the first message.

    The model's may have words of the turn that were redacted since: then it is left out."""
    redacted = turn_rows.redactions_of(row["redactions"])
    places = (("title", TITLE), *(() if redacted else (("auto_title", AUTO_TITLE),)))
    for column, place in places:
        if row[column] is not None:
            return cipher.open(row[column], FieldLocation(place, row["session_id"]))
    message = cipher.open(row["message"], FieldLocation("turn.message", row["turn_id"]))
    return title_by_rule(without(message, redacted.message))
