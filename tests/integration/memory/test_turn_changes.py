"""Changes of memory that a turn makes: applied once with the turn, and undone."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from saegim.conversations.types import Lease, Outcome, Turn, TurnState
from saegim.db.cells import Connection
from saegim.domain.errors import ModelUnavailable
from saegim.domain.ids import made_at
from saegim.memory.turn_changes import Forget, LeaveOut, Undo, record_id
from saegim.memory.turn_memories import ExtractionStatus
from saegim.memory.types import Action, Origin, Record
from tests.integration.memory.records import PERSON
from tests.integration.memory.turn_settlement import DONE, TurnSettlement
from tests.stack import Stack

pytestmark = pytest.mark.requirement("LM7", "LM11", "LM16")

SEOUL, BUSAN = "서울에 산다", "부산에 산다"


def query(stack: Stack, statement: bytes, *values: object) -> list[Any]:
    with psycopg.connect(stack.databases.admin_url) as connection:
        return connection.execute(statement, values).fetchall()


async def actions(stack: Stack, record: Record) -> list[Action]:
    trail = await stack.services.memory.records.trail(record.scope, record.id, 20)
    return [event.action for event in reversed(trail)]


async def left_out(stack: Stack, turn: Turn) -> bool:
    state = await stack.services.memory.turn_memories.of_turn(turn.scope, turn.id, turn.session)
    return state.reading is ExtractionStatus.LEFT_OUT


def test_record_id_has_the_time_of_its_turn() -> None:
    turn = UUID("019a9b1c-5a00-7abc-8def-0123456789ab")
    ids = {record_id(turn, call) for call in range(50)}
    assert len(ids) == 50
    assert {each.version for each in ids} == {7}
    assert {made_at(each) for each in ids} == {made_at(turn)}
    assert record_id(turn, 3) == record_id(turn, 3)
    assert not ids & {record_id(uuid4(), call) for call in range(50)}


async def test_remembered_statement_is_stored_with_its_turn(stack: Stack) -> None:
    said = TurnSettlement(stack, "stored", "writer")
    turn = await said.open("나는 서울에 살아, 번호는 010-1234-5678이야")
    remember = await said.remember("서울에 산다, 010-1234-5678")
    assert await said.known() == {}, "it is only staged"
    assert await said.settle(remember)
    [record] = (await said.known()).values()

    assert "1234" not in record.content + record.quote
    assert (record.id, record.sources) == (record_id(turn.id, 0), (turn.id,))
    assert (record.origin, record.said_at) == (Origin.MODEL, turn.created_at)
    assert await actions(stack, record) == [Action.ADD]
    similar = await stack.services.memory.records.similar(turn.scope, remember.new.searchable, 1)
    assert [each.id for each in similar] == [record.id]


async def test_changes_are_applied_once_and_never_without_the_lease(stack: Stack) -> None:
    said = TurnSettlement(stack, "once", "once")
    await said.open("서울에 살아")
    remember = await said.remember(SEOUL)
    applied = said.changes.applying(said.last.turn, [remember])
    calls = 0

    async def counting(connection: Connection) -> None:
        nonlocal calls
        calls += 1
        await applied(connection)

    stranger = Lease(uuid4(), 1)
    assert not await said.settle(apply=counting, lease=stranger)
    assert (await said.known(), calls) == ({}, 0)
    assert await said.settle(apply=counting)
    assert not await said.settle(apply=counting)
    assert calls == 1
    [record] = (await said.known()).values()
    assert await actions(stack, record) == [Action.ADD]


async def test_failed_turn_changes_nothing(stack: Stack) -> None:
    said = TurnSettlement(stack, "failed", "failed")
    await said.remembered(SEOUL)
    before = await said.known()
    await said.open("잊어 줘")
    effects = ({"kind": "forgotten", "ref": "M1", "id": str(before[SEOUL].id)},)
    failed = Outcome(TurnState.FAILED, None, "x", refs={"m:1": 1}, effects=effects)
    assert await said.settle(Forget((before[SEOUL].id,)), outcome=failed)
    assert await said.known() == before
    turn = await stack.services.conversations.turns.find(said.last.turn.scope, said.last.turn.id)
    assert (turn.state, turn.effects) == (TurnState.FAILED, ())
    await said.open("?")
    assert said.last.refs == {}


async def test_error_while_applying_settles_nothing(stack: Stack) -> None:
    said = TurnSettlement(stack, "broken", "broken")
    await said.open("서울에 살아")
    applied = said.changes.applying(said.last.turn, [await said.remember(SEOUL)])

    async def breaking(connection: Connection) -> None:
        await applied(connection)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await said.settle(apply=breaking)
    assert await said.known() == {}
    assert await said.settle(apply=applied), "the turn is still leased"
    assert list(await said.known()) == [SEOUL]


async def test_statement_replaces_several_and_undo_reopens_them(stack: Stack) -> None:
    said = TurnSettlement(stack, "replaced", "replacer")
    await said.remembered(SEOUL)
    await said.remembered("집은 서울이다")
    before = await said.known()
    await said.remembered(BUSAN, *before.values())
    assert list(await said.known()) == [BUSAN]
    for record in before.values():
        assert await actions(stack, record) == [Action.ADD, Action.SUPERSEDE]

    assert await said.undo() == [BUSAN]
    assert await said.known() == before


async def test_undo_takes_back_one_change_after_the_other(stack: Stack) -> None:
    said = TurnSettlement(stack, "repeated", "repeater")
    first = await said.remembered(SEOUL)
    old = (await said.known())[SEOUL]
    await said.remembered(BUSAN, old)
    new = (await said.known())[BUSAN]
    await said.said("잊어 줘", Forget((new.id,)))
    assert await said.known() == {}, "neither it nor what it replaced"

    assert await said.undo() == [BUSAN]
    assert list(await said.known()) == [BUSAN]
    assert await said.undo() == [BUSAN]
    assert list(await said.known()) == [SEOUL]
    assert await said.undo() == [SEOUL]
    assert await said.known() == {}
    assert await said.undo() == []
    assert await left_out(stack, first), "it is not extracted again"


async def test_undo_within_one_turn_can_be_repeated(stack: Stack) -> None:
    said = TurnSettlement(stack, "twice", "twice")
    one, two = await said.remembered(SEOUL), await said.remembered("고양이를 키운다")
    turn = await said.open("둘 다 취소해")
    first = await said.changes.undoable(turn, turn.session)
    assert first == (Undo(two.id), ["고양이를 키운다"])
    second = await said.changes.undoable(turn, turn.session, [two.id])
    assert second == (Undo(one.id), [SEOUL])
    assert first is not None
    assert second is not None
    assert await said.settle(first[0], second[0])
    assert await said.known() == {}


async def test_undo_is_of_the_session_of_the_user(stack: Stack) -> None:
    here, there = (TurnSettlement(stack, name, "isolated") for name in ("here", "there"))
    bob = TurnSettlement(stack, "here", "stranger")
    await here.remembered(SEOUL)
    other = await there.remembered("고양이를 키운다")
    undoing = await bob.open("undo")
    assert await bob.changes.undoable(undoing, other.session) is None
    assert await bob.changes.undoable(undoing, None) is None
    assert await bob.changes.undo_turn(undoing.scope, other.id) == []
    assert await bob.settle(Undo(other.id), Forget((record_id(other.id, 0),)), LeaveOut(other.id))
    assert not await left_out(stack, other)
    assert set(await here.known()) == {SEOUL, "고양이를 키운다"}

    assert await here.undo() == [SEOUL]
    assert list(await here.known()) == ["고양이를 키운다"]


async def test_page_undoes_any_turn_once_and_later(stack: Stack) -> None:
    said = TurnSettlement(stack, "page", "pager")
    turns = [await said.remembered(f"{number}번 창고가 있다") for number in range(3)]
    known = await said.known()
    forgot = await said.said("잊어 줘", Forget((known["2번 창고가 있다"].id,)))

    scope, undo = turns[0].scope, said.changes.undo_turn
    assert await undo(scope, turns[0].id) == ["0번 창고가 있다"]
    assert await undo(scope, turns[0].id) == []
    assert await undo(scope, forgot.id) == ["2번 창고가 있다"]
    assert set(await said.known()) == {"1번 창고가 있다", "2번 창고가 있다"}
    assert await said.undo() == ["2번 창고가 있다"], "the last that is in force"


async def test_replaced_statement_is_undone_without_its_predecessor(stack: Stack) -> None:
    said = TurnSettlement(stack, "passed on", "mover")
    await said.remembered(SEOUL)
    middle = await said.remembered(BUSAN, (await said.known())[SEOUL])
    await said.remembered("인천에 산다", (await said.known())[BUSAN])

    await said.changes.undo_turn(middle.scope, middle.id)
    assert list(await said.known()) == ["인천에 산다"]
    await said.undo()
    assert list(await said.known()) == [SEOUL]


async def test_variant_takes_back_the_variant_before_it(stack: Stack) -> None:
    said = TurnSettlement(stack, "variants", "variant")
    first = await said.remembered(SEOUL)
    assert await said.changes.of_variant(first) is None

    async def again(content: str, of: Turn) -> Turn:
        turn = await said.open(content, of)
        before = await said.changes.of_variant(turn)
        assert before is not None
        assert await said.settle(before, await said.remember(content))
        return turn

    second = await again(BUSAN, first)
    assert list(await said.known()) == [BUSAN]
    third = await again("인천에 산다", second)
    assert list(await said.known()) == ["인천에 산다"]
    failed = await said.open("대전에 살아", third)
    before = await said.changes.of_variant(failed)
    assert before is not None
    assert before == Undo(third.id, variant=True)
    assert await said.settle(before, outcome=Outcome(TurnState.FAILED, None, "x"))
    assert list(await said.known()) == ["인천에 산다"]
    last = await said.open("취소해", third)
    before = await said.changes.of_variant(last)
    assert before is not None
    assert before.of == third.id
    assert await said.settle(before)
    assert await said.known() == {}


async def test_variants_at_once_leave_the_changes_of_one(stack: Stack) -> None:
    said, other = (TurnSettlement(stack, "at once", "at once") for _ in range(2))
    first = await said.remembered(SEOUL)
    staged = []
    for each, content in ((said, BUSAN), (other, "인천에 산다")):
        turn = await each.open(content, first)
        before = await each.changes.of_variant(turn)
        assert before is not None
        staged.append((each, before, await each.remember(content)))
    for each, before, remember in staged:
        assert await each.settle(before, remember)
    assert list(await said.known()) == ["인천에 산다"]


async def test_variant_of_an_undo_does_it_again(stack: Stack) -> None:
    said = TurnSettlement(stack, "redone", "redoer")
    await said.remembered(SEOUL)
    await said.said("잊어 줘", Forget(((await said.known())[SEOUL].id,)))
    assert await said.undo() == [SEOUL]
    undoing = said.last.turn
    assert list(await said.known()) == [SEOUL]

    turn = await said.open("undo", undoing)
    before = await said.changes.of_variant(turn)
    assert before is not None
    found = await said.changes.undoable(turn, turn.session)
    assert found is not None
    assert found[1] == [SEOUL]
    assert await said.settle(before, found[0])
    assert list(await said.known()) == [SEOUL]
    turn = await said.open("아니야", turn)
    before = await said.changes.of_variant(turn)
    assert before is not None
    assert await said.settle(before)
    assert await said.known() == {}, "it is forgotten again"


async def test_known_statement_gets_another_source(stack: Stack) -> None:
    here, there = (TurnSettlement(stack, name, "repeats") for name in ("here", "there"))
    told = await here.remembered(SEOUL)
    [record] = (await here.known()).values()

    async def sources() -> tuple[UUID, ...]:
        [known] = (await here.known()).values()
        assert known.id == record.id
        return known.sources

    async def again(of: Turn, *contents: str) -> Turn:
        turn = await there.open("서울!", of)
        before = await there.changes.of_variant(turn)
        staged = [await there.remember(each) for each in contents]
        assert await there.settle(*([before] if before else []), *staged)
        return turn

    repeated = await there.remembered(f"{SEOUL}.")
    assert await sources() == (told.id, repeated.id)
    silent = await again(repeated)
    assert await sources() == (told.id,), "only the variant that said it is no source"
    repeated = await again(silent, SEOUL)
    assert await sources() == (told.id, repeated.id)
    await there.said("빼 줘", await there.changes.leave_out(told.scope, repeated.id))
    assert await sources() == (told.id,)

    repeated = await there.remembered(SEOUL)
    assert repeated.id in await sources()
    await again(told)
    assert await sources() == (repeated.id,), "it was said again"
    await again(repeated)
    assert await here.known() == {}


async def test_repeated_statement_is_undone_with_its_record(stack: Stack) -> None:
    said = TurnSettlement(stack, "repeated twice", "repeats twice")
    await said.remembered("고양이를 키운다")
    await said.remembered(SEOUL)
    await said.remembered(SEOUL)
    assert await said.undo() == [SEOUL]
    assert list(await said.known()) == ["고양이를 키운다"]


async def test_statement_for_other_days_is_stored_beside_its_copy(stack: Stack) -> None:
    said = TurnSettlement(stack, "days", "days")
    await said.remembered(SEOUL)
    turn = await said.open(SEOUL)
    until = replace((await said.remember(SEOUL)).new.statement, valid_to=turn.created_at)
    remember = await said.changes.remember(turn, 0, until, SEOUL)
    assert await said.settle(remember)
    records = await stack.services.memory.records.browse_all(turn.scope)
    assert {each.sources for each in records} >= {(turn.id,)}


async def test_known_statement_that_was_forgotten_meanwhile_is_stored(stack: Stack) -> None:
    said = TurnSettlement(stack, "meanwhile", "meanwhile")
    await said.remembered(SEOUL)
    [record] = (await said.known()).values()
    turn = await said.open(SEOUL)
    assert await said.settle(Forget((record.id,)), await said.remember(SEOUL))
    assert (await said.known())[SEOUL].sources == (turn.id,)


async def test_turn_left_out_of_memory_is_restored_by_undo(stack: Stack) -> None:
    said = TurnSettlement(stack, "left out", "leaver")
    told = await said.remembered(SEOUL)
    here = await said.open("이건 기억하지 마: 고양이를 키워")
    scope = told.scope
    assert await said.settle(await said.changes.leave_out(scope, told.id), LeaveOut(here.id))
    assert await said.known() == {}
    assert (await left_out(stack, told), await left_out(stack, here)) == (True, True)

    assert SEOUL in await said.undo()
    assert list(await said.known()) == [SEOUL]
    assert (await left_out(stack, told), await left_out(stack, here)) == (False, False)


async def test_forgotten_words_leave_the_turns_with_the_settlement(stack: Stack) -> None:
    said = TurnSettlement(stack, "redacted", "redacted")
    told = await said.remembered(SEOUL)
    turn = await said.open("그건 잊어 줘")
    applied = said.changes.applying(turn, [Forget((record_id(told.id, 0),))])
    assert await said.settle(apply=applied)
    await applied.settled()
    turns = stack.services.conversations.turns
    assert SEOUL not in (await turns.find(told.scope, told.id)).exchange().message
    await said.undo()
    assert SEOUL in (await turns.find(told.scope, told.id)).exchange().message


async def test_remembered_words_stay_in_a_message_that_also_forgets(stack: Stack) -> None:
    said = TurnSettlement(stack, "both", "both")
    told = await said.remembered(BUSAN)
    turn = await said.open("부산에 산다는 건 잊어 줘. 서울에 산다")
    assert await said.settle(Forget((record_id(told.id, 0),)), await said.remember(SEOUL))
    assert list(await said.known()) == [SEOUL]
    message = (
        (await stack.services.conversations.turns.find(turn.scope, turn.id)).exchange().message
    )
    assert SEOUL in message
    assert "부산" not in message


async def test_statements_are_embedded_again_for_another_embedder(stack: Stack) -> None:
    said = TurnSettlement(stack, "moved", "moved")
    turn = await said.open("서울에 살아")
    remember = await said.remember(SEOUL)
    stale = replace(remember.new, searchable=replace(remember.new.searchable, embedder="old/1"))
    applied = said.changes.applying(turn, [replace(remember, new=stale)])
    with pytest.raises(ModelUnavailable):
        await said.settle(apply=applied)
    await applied.embed_again()
    assert await said.settle(apply=applied)
    assert list(await said.known()) == [SEOUL]


async def test_older_changes_than_the_recent_part_of_the_trail_are_undone(stack: Stack) -> None:
    said = TurnSettlement(stack, "older", "older")
    turn = await said.remembered(SEOUL)
    with psycopg.connect(stack.databases.admin_url) as connection:
        # Nearly all of these ids are after those of today.
        connection.execute(
            b"""
            insert into saegim.audit_event (
                tenant_id, event_id, member_id, profile_id, subject_id, action, actor, at
            )
            select %s, gen_random_uuid(), %s, %s, gen_random_uuid(), 'forget', 'person', now()
            from generate_series(1, 1100)
            """,
            (turn.scope.tenant, turn.scope.user, turn.scope.profile),
        )
    assert await said.changes.undo_turn(turn.scope, turn.id) == [SEOUL]
    assert await said.known() == {}


async def test_trail_and_effects_are_without_words(stack: Stack) -> None:
    said = TurnSettlement(stack, "sealed", "sealed")
    turn = await said.open("서울에 살아")
    remember = await said.remember(SEOUL)
    effects = ({"kind": "remembered", "ref": "M1", "id": str(remember.record)},)
    done = replace(DONE, effects=effects, refs={f"m:{remember.record}": 1})
    assert await said.settle(remember, outcome=done)
    [(stored,)] = query(
        stack,
        b"select effects::text || (select refs::text from saegim.session s "
        b"where s.session_id = t.session_id) from saegim.turn t where turn_id = %s",
        turn.id,
    )
    assert "서울" not in stored
    assert str(remember.record) in stored


async def test_memory_is_locked_before_the_session(stack: Stack) -> None:
    said = TurnSettlement(stack, "locked", "locked")
    first, second = await said.remembered(SEOUL), await said.remembered("고양이를 키운다")
    await said.open("고양이는 잊어 줘")
    forget = Forget((record_id(second.id, 0),))
    waiting = b"select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
    records = stack.services.memory.records
    async with asyncio.timeout(60):
        async with records.redacting(first.scope, PERSON) as (writer, redactor):
            settling = asyncio.create_task(said.settle(forget))
            while query(stack, waiting) == [(0,)]:
                await asyncio.sleep(0.05)
            await writer.forget([record_id(first.id, 0)])
            await redactor.redact([record_id(first.id, 0)])
        assert await settling
    assert await said.known() == {}
