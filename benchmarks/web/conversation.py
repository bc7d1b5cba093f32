"""A conversation of many turns, written as the service writes them."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg

from benchmarks.doubles.patience import patient
from benchmarks.stack import LiveStack
from benchmarks.web.texts import usual_answer
from saegim.app.container import build
from saegim.app.infrastructure import Fakes
from saegim.auth.types import ActAs
from saegim.domain.ids import new_id
from saegim.encryption.cipher import Cipher, FieldLocation

USER = "reader"
INSERT = b"""
insert into turn (
    tenant_id, member_id, profile_id, turn_id, session_id, assistant_id, number, state, message,
    reply, request_hash, attempt, created_at, parent_id
)
values (%s, %s, %s, %s, %s, %s, %s, 'done', %s, %s, '', 1, %s, %s)
"""


async def lengthen(stack: LiveStack, key: str, session: str, turns: int) -> str:
    """Add turns after the first one of a session, with its sources; return the last message."""
    services = build(stack.settings(), patient(Fakes()))
    await services.open()
    try:
        caller = await services.auth.authentication.authenticate(key, ActAs(USER))
        cipher = await services.encryption.keyring.user(caller.scope.tenant, caller.scope.user)
    finally:
        await services.close()
    owner = (caller.scope.tenant, caller.scope.user, caller.scope.profile)
    with psycopg.connect(stack.postgres.url("saegim"), autocommit=True) as connection:
        connection.execute("set search_path to saegim, public")
        first, assistant, trace = _first(connection, UUID(session), cipher)
        before, message = first, ""
        for number in range(2, turns + 1):
            at = datetime.now(UTC) - timedelta(minutes=turns - number)
            turn, message = new_id(at), f"{number}번째 질문: EC2 비용을 줄이려면?"
            sealed = [
                cipher.seal(text, FieldLocation(field, turn))
                for text, field in (
                    (message, "turn.message"),
                    (usual_answer(number), "turn.reply"),
                    (trace, "turn_trace.trace"),
                )
            ]
            place = (turn, session, assistant, number, *sealed[:2], at, before)
            connection.execute(INSERT, (*owner, *place))
            connection.execute(
                "insert into turn_trace (tenant_id, turn_id, member_id, trace, created_at)"
                " values (%s, %s, %s, %s, %s)",
                (owner[0], turn, owner[1], sealed[2], at),
            )
            before = turn
        connection.execute(
            "update session set completed_turns = %s where session_id = %s", (turns, session)
        )
        connection.execute("analyze turn")
    return message


def _first(connection: psycopg.Connection, session: UUID, cipher: Cipher) -> tuple[UUID, UUID, str]:
    """Return the first turn of a session, its assistant, and its trace."""
    row = connection.execute(
        "select t.turn_id, t.assistant_id, r.trace from turn t join turn_trace r using (turn_id)"
        " where t.session_id = %s",
        (session,),
    ).fetchone()
    assert row is not None, "the session has a turn with a trace"
    turn, assistant, trace = row
    return turn, assistant, cipher.open(bytes(trace), FieldLocation("turn_trace.trace", turn))
