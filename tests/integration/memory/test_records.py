"""Records in Postgres: every change is a version with its entry in the trail, and can be undone."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
import pytest

from saegim.conversations.types import Redactions, Turn
from saegim.domain.errors import NotFound
from saegim.domain.scope import Scope
from saegim.memory.turn_changes import Forget
from saegim.memory.types import (
    Action,
    Add,
    Confirm,
    Consent,
    ConsentSubject,
    Digest,
    Filters,
    MemoryType,
    Month,
    Origin,
    RecordQuery,
    Revise,
    Supersede,
)
from tests.integration.memory.records import PERSON, SAID, carry_out, searchable, told, write
from tests.stack import Stack


async def _scope(stack: Stack, user: str = "alice", profile: str | None = None) -> Scope:
    return (await stack.caller(user, profile)).scope


def _contents(records: tuple[object, ...]) -> list[str]:
    return [record.content for record in records]  # type: ignore[attr-defined] - records


async def _turn(stack: Stack) -> Turn:
    """Returns a recorded turn that nobody has read."""
    reply = await stack.say("안녕하세요")
    [turn] = await stack.services.conversations.turns.turns(
        await _scope(stack), UUID(reply["session_id"]), 0, 1
    )
    return turn


async def test_what_a_turn_told_is_stored_once(stack: Stack) -> None:
    scope, store, turn = await _scope(stack), stack.services.memory.records, await _turn(stack)
    told_in = [Add(told(each, source=turn.id)) for each in ("서울에 산다", "고양이가 두 마리다")]

    first = await store.write(scope, [turn], {turn.id: told_in}, Origin.MODEL)
    second = await store.write(scope, [turn], {turn.id: told_in}, Origin.MODEL)

    assert (len(first), second) == (2, ())
    assert len(await store.browse(scope, RecordQuery())) == 2
    trails = [await store.trail(scope, record.id, 10) for record in first]
    assert [[event.action for event in trail] for trail in trails] == [[Action.ADD]] * 2


async def test_what_rules_told_may_be_told_again_by_a_model(stack: Stack) -> None:
    scope, store, turn = await _scope(stack), stack.services.memory.records, await _turn(stack)
    changes = {turn.id: [Add(told("부산에 산다", source=turn.id))]}

    [record] = await store.write(scope, [turn], changes, Origin.FALLBACK)
    assert await store.write(scope, [turn], changes, Origin.MODEL, {record.id}), "is no stale one"
    assert await store.write(scope, [turn], changes, Origin.FALLBACK) == ()
    assert len(await store.browse(scope, RecordQuery())) == 1


async def test_turn_that_was_redacted_since_is_not_written(stack: Stack) -> None:
    scope, store, turn = await _scope(stack), stack.services.memory.records, await _turn(stack)
    before = replace(turn, redactions=Redactions(message=((0, 2),)))
    changes = {turn.id: [Add(told("안양에 산다", source=turn.id))]}

    assert await store.write(scope, [before], changes, Origin.MODEL) == ()
    assert await store.write(scope, [turn], changes, Origin.MODEL)


@pytest.mark.requirement("LM1", "LM2")
async def test_a_superseded_record_keeps_its_validity_and_its_successor(stack: Stack) -> None:
    scope, store = await _scope(stack, "mover"), stack.services.memory.records
    old = await store.add(scope, told("서울에 산다"), PERSON)
    moved = SAID + timedelta(days=365)
    new = told("부산에 산다", moved)
    written = await write(store, scope, Supersede(old.id, new, moved))
    [successor] = written

    then = await store.browse(scope, RecordQuery(as_of=SAID + timedelta(days=10)))
    now = await store.browse(scope, RecordQuery())
    before = await store.get(scope, old.id)

    assert (_contents(then), _contents(now)) == (["서울에 산다"], ["부산에 산다"])
    assert (before.superseded_by, before.valid_to) == (successor.id, moved)


async def test_what_a_forgotten_record_replaced_holds_again(stack: Stack) -> None:
    scope, store = await _scope(stack, "undoer"), stack.services.memory.records
    old = await store.add(scope, told("예산은 100만원"), PERSON)
    new = told("예산은 200만원", SAID + timedelta(days=1))
    written = await write(store, scope, Supersede(old.id, new, new.said_at))

    assert await store.forget(scope, [written[0].id], PERSON) == 1
    assert _contents(await store.browse(scope, RecordQuery())) == ["예산은 100만원"]
    await store.undo(scope, written[0].id, PERSON)
    assert _contents(await store.browse(scope, RecordQuery())) == ["예산은 200만원"]


@pytest.mark.requirement("LM7")
async def test_request_forgets_what_it_names_and_what_that_replaced_alone(stack: Stack) -> None:
    scope, memory = await _scope(stack, "collector"), stack.services.memory
    async with memory.records.writing(scope, PERSON) as writer:
        for number in range(303):
            await writer.add(told(f"{number}번 메모", SAID + timedelta(hours=number)))
        old = await writer.add(told("서울에 산다", SAID + timedelta(days=20)))
    new = told("부산에 산다", SAID + timedelta(days=30))
    written = await write(memory.records, scope, Supersede(old.id, new, new.said_at))

    await carry_out(memory.turn_changes, scope, Forget((written[0].id,)))
    left = await memory.records.browse_all(scope)
    assert len(left) == 303
    assert "서울에 산다" not in _contents(tuple(left))


@pytest.mark.requirement("LM7")
async def test_a_correction_can_be_rolled_back(stack: Stack) -> None:
    scope, store = await _scope(stack, "corrector"), stack.services.memory.records
    record = await store.add(scope, told("고양이 이름은 나비"), PERSON)
    statement = told("고양이 이름은 나리").statement
    change = Revise(record.id, statement, searchable(statement.content), Origin.PERSON)

    revised = await store.revise(scope, change, PERSON)
    same = await store.revise(scope, change, PERSON)
    earlier = Revise(record.id, told(record.content).statement, change.searchable, Origin.PERSON)
    back = await store.roll_back(scope, earlier, PERSON)
    versions = await store.versions(scope, record.id)
    trail = await store.trail(scope, record.id, 10)

    assert (revised.version, same.version, back.version) == (2, 2, 3)
    assert back.content == "고양이 이름은 나비"
    assert [each.number for each in versions] == [3, 2, 1]
    assert [each.action for each in trail] == [Action.ROLL_BACK, Action.REVISE, Action.ADD]
    assert {each.reason for each in trail} == {"화면에서"}


async def test_a_confirmed_record_gains_a_source(stack: Stack) -> None:
    scope, store, turn = await _scope(stack, "again"), stack.services.memory.records, uuid4()
    record = await store.add(scope, told("커피를 좋아한다"), PERSON)
    written = await write(store, scope, Confirm(record.id, turn, 0.9))

    assert (written[0].sources, round(written[0].importance, 3)) == ((*record.sources, turn), 0.9)


async def test_changes_of_a_record_that_is_gone_are_dropped(stack: Stack) -> None:
    scope, store, turn = await _scope(stack), stack.services.memory.records, uuid4()
    new = told("남는다", source=turn)
    changes = [Confirm(uuid4(), turn, 0.5), Supersede(uuid4(), new, SAID)]
    written = await write(store, scope, *changes)

    assert _contents(written) == ["남는다"]


@pytest.mark.requirement("LM8")
@pytest.mark.parametrize(("user", "profile"), [("bob", None), ("alice", "work")])
async def test_a_record_of_another_scope_is_not_there(
    stack: Stack, user: str, profile: str | None
) -> None:
    store, other = stack.services.memory.records, await _scope(stack, user, profile)
    record = await store.add(await _scope(stack), told("비밀"), PERSON)
    change = Revise(record.id, told("밀비").statement, searchable("밀비"), Origin.PERSON)

    for attempt in (
        store.get(other, record.id),
        store.pin(other, record.id, True, PERSON),
        store.undo(other, record.id, PERSON),
        store.versions(other, record.id),
        store.roll_back(other, change, PERSON),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert await store.forget(other, [record.id], PERSON) == 0
    assert await store.trail(other, record.id, 10) == ()
    assert await store.similar(other, searchable("비밀"), 5) == ()


@pytest.mark.requirement("LM9")
async def test_records_are_found_by_word_year_and_type(stack: Stack) -> None:
    scope, store = await _scope(stack, "reader"), stack.services.memory.records
    for content, year, kind in (
        ("제주도 여행을 갔다", 2021, MemoryType.TIMELINE),
        ("제주도 귤을 좋아한다", 2022, MemoryType.PREFERENCE),
        ("부산 여행을 갔다", 2023, MemoryType.TIMELINE),
    ):
        await store.add(scope, told(content, datetime(year, 3, 2, tzinfo=UTC), type=kind), PERSON)
    since_2022 = Filters(said_from=datetime(2022, 1, 1, tzinfo=UTC))
    timeline = Filters(types={MemoryType.TIMELINE})
    listed = await store.browse(scope, RecordQuery(count=2))

    assert _contents(await store.browse(scope, RecordQuery(words="제주도"))) == [
        "제주도 귤을 좋아한다",
        "제주도 여행을 갔다",
    ]
    assert len(await store.browse(scope, RecordQuery(filters=since_2022))) == 2
    assert len(await store.browse(scope, RecordQuery(filters=timeline, words="여행"))) == 2
    assert _contents(await store.browse(scope, RecordQuery(before=listed[-1].id))) == [
        "제주도 여행을 갔다"
    ]
    assert await store.timeline(scope, "Asia/Seoul") == (
        Month(2023, 3, 1),
        Month(2022, 3, 1),
        Month(2021, 3, 1),
    )


async def test_the_nearest_records_are_found_by_words_and_meaning(stack: Stack) -> None:
    scope, store = await _scope(stack, "near"), stack.services.memory.records
    for content in ("고양이 알레르기가 있다", "회사는 판교에 있다", "주말에 등산을 간다"):
        await store.add(scope, told(content), PERSON)
    found = await store.similar(scope, searchable("고양이 알레르기"), 1)

    assert _contents(found) == ["고양이 알레르기가 있다"]


async def test_what_cannot_be_read_is_kept_for_replay(stack: Stack) -> None:
    scope, store, read = await _scope(stack), stack.services.memory.records, await _turn(stack)
    turn = read.id
    await store.save_failure(scope, turn, "Malformed", "{비밀")
    again = await store.save_failure(scope, turn, "Malformed", "{비밀 둘")
    kept = [each for each in await store.failures(scope.tenant, 10) if each.turn == turn]

    assert (again.attempts, [each.output for each in kept]) == (2, ["{비밀 둘"])
    assert await store.write(scope, [read], {}, Origin.MODEL) == ()
    assert [each for each in await store.failures(scope.tenant, 10) if each.turn == turn] == []


@pytest.mark.requirement("LM6")
async def test_a_digest_is_a_record_and_its_sources_keep_their_importance(stack: Stack) -> None:
    scope, store = await _scope(stack, "old"), stack.services.memory.records
    record = await store.add(scope, told("2015년에 입사했다", importance=0.8), PERSON)
    digest = Digest(uuid4(), scope, SAID, SAID, ("직장",), "직장 이야기", (record.id,))

    new = told(digest.summary)
    assert await store.keep_digest(digest, new, PERSON)
    assert not await store.keep_digest(replace(digest, id=uuid4()), new, PERSON)
    assert await store.digests(scope) == (digest,)
    assert (await store.get(scope, digest.id)).content == "직장 이야기"
    assert (await store.get(scope, record.id)).importance == pytest.approx(0.8)


async def test_what_was_forgotten_long_ago_is_purged_with_its_counts(stack: Stack) -> None:
    scope, store = await _scope(stack, "purged"), stack.services.memory.records
    record = await store.add(scope, told("사라질 말"), PERSON)
    await store.forget(scope, [record.id], PERSON)
    later = stack.services.clock.now() + timedelta(days=1)

    assert await store.purge(scope.tenant, later, 10) >= 1
    with pytest.raises(NotFound):
        await store.undo(scope, record.id, PERSON)
    with psycopg.connect(stack.databases.admin_url) as connection:
        counted = connection.execute(
            "select sum(records) from saegim.term_count where member_id = %s", (scope.user,)
        ).fetchone()
    assert counted == (0,)


@pytest.mark.requirement("LM11")
@pytest.mark.parametrize("subject", list(ConsentSubject))
async def test_memory_is_off_where_anyone_turned_it_off(
    stack: Stack, subject: ConsentSubject
) -> None:
    scope, consents, session = (
        await _scope(stack, "private"),
        stack.services.memory.consents,
        uuid4(),
    )

    assert await consents.allows(scope, session)
    await consents.set(scope, subject, Consent(False, False), session)
    assert not await consents.allows(scope, session)
    await consents.set(scope, subject, Consent(), session)
    assert await consents.allows(scope, session)
