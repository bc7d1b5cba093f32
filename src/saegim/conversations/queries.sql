-- name: save_usage_event
-- What a settled turn counts for; the last attempt's stays.
insert into usage_event (
    tenant_id, turn_id, member_id, assistant_id, kind, outcome, event, occurred_at
)
values (
    %(tenant)s, %(turn)s, %(member)s, %(assistant)s, %(kind)s, %(outcome)s, %(event)s, %(now)s
)
on conflict (tenant_id, turn_id) do update
set outcome = excluded.outcome, event = excluded.event, occurred_at = excluded.occurred_at;


-- name: count_unsummarised
-- How many recorded turns of a session are not summarised, and their tokens; those of the release
-- before are estimated from their bytes.
select
    count(*) as turns,
    coalesce(sum(coalesce(
        t.tokens, (octet_length(t.message) + coalesce(octet_length(t.reply), 0)) / 4
    )), 0) as tokens
from turn t
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.state in ('done', 'incomplete')
    and t.number > coalesce((
        select f.summarised_through from session_summary f
        where f.tenant_id = %(tenant)s and f.session_id = %(session)s
    ), 0);


-- name: memories_of_session
-- Records whose every source is a turn of a session.
select m.memory_id from memory m
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.forgotten_at is null and m.sources <> '{}' and m.sources <@ array(
        select t.turn_id from turn t
        where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    );


-- name: set_consent
-- Whether memory may be used, for a tenant, a user or a session.
insert into consent (tenant_id, subject_id, subject, allowed, changed_at)
values (%(tenant)s, %(subject_id)s, %(subject)s, %(allowed)s, %(now)s)
on conflict (tenant_id, subject_id) do update
set allowed = excluded.allowed, changed_at = excluded.changed_at;


-- name: expired_sessions
-- Sessions that nobody used since, held while they are removed.
select session_id from session
where tenant_id = %(tenant)s and used_at < %(before)s
order by used_at
limit %(most)s
for update skip locked;


-- name: expired_turns
-- Turns that were stored before an id of that time, summarised, and not among a session's last few.
select t.turn_id, t.session_id, t.number
from turn t
join session_summary f on f.tenant_id = t.tenant_id and f.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id < %(before)s and t.number <= f.summarised_through
    and t.number <= (
        select l.number from turn l
        where l.tenant_id = %(tenant)s and l.session_id = t.session_id
            and l.state in ('done', 'incomplete')
        order by l.number desc
        offset %(recent)s limit 1
    )
order by t.turn_id
limit %(most)s;


-- name: turns_of_sessions
-- The turns of sessions that are removed.
select turn_id from turn where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: lock_turns_to_remove
-- Turns before their episodes: whoever makes an episode holds its turns first.
select turn_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
order by turn_id
for update;


-- name: episodes_of_turns
-- Episodes that quote a turn of these sessions up to a number.
select e.episode_id
from episode e
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as gone (session_id, number)
    on e.session_id = gone.session_id and e.first_turn <= gone.number
where e.tenant_id = %(tenant)s;


-- name: drop_episode_vectors
-- What recall searches in episodes goes, and their terms are counted no more; term 0 stands for all.
with gone as (
    delete from episode_vector
    where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[])
    returning member_id, profile_id, index_version, terms
), counted as (
    select g.member_id, g.profile_id, g.index_version,
        split_part(pair, ':', 1)::integer as term, count(*)::integer as episodes
    from gone g
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(g.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
    group by g.member_id, g.profile_id, g.index_version, split_part(pair, ':', 1)
)
update term_count c set episodes = c.episodes - counted.episodes
from counted
where c.tenant_id = %(tenant)s and c.member_id = counted.member_id
    and c.profile_id = counted.profile_id and c.index_version = counted.index_version
    and c.term = counted.term;


-- name: drop_episodes
-- Episodes by id.
delete from episode where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[]);


-- name: drop_traces
-- The traces of turns.
delete from turn_trace where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_feedback
-- What was said of turns.
delete from feedback where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_turns
-- Turns by id.
delete from turn where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_sessions
-- Sessions by id; what they were summarised into goes along.
delete from session where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: has_sessions
-- Whether a tenant has conversations or ingests, which clean-ups are for.
(select 1 from session where tenant_id = %(tenant)s order by used_at limit 1)
union all
(select 1 from ingest where tenant_id = %(tenant)s order by created_at limit 1)
limit 1;


-- name: lock_session
-- A session of the caller's, held while it is removed.
select session_id from session
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s
for update;


-- name: drop_extractions
-- What is known of how turns were extracted.
delete from extraction where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_digests
-- A person's digests that tell one of these records go; the records that have their text are
-- forgotten.
with gone as (
    delete from digest
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and sources && %(memories)s::uuid[]
    returning digest_id
), hidden as (
    update memory set forgotten_at = now(), changed_at = now()
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and memory_id in (select digest_id from gone) and forgotten_at is null
    returning memory_id
)
update memory_vector set forgotten = true
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id in (select memory_id from hidden);


-- name: open_named_session
-- The session a client calls by a name of its own, made on first use. The row stays locked until
-- the turn is stored: that is what orders the turns of one session.
insert into session (
    tenant_id, session_id, member_id, profile_id, assistant_id, name_hash, last_turn,
    created_at, used_at
)
values (
    %(tenant)s, %(session)s, %(member)s, %(profile)s, %(assistant)s, %(name_hash)s, 1,
    %(now)s, %(now)s
)
on conflict (tenant_id, member_id, profile_id, name_hash)
do update set last_turn = session.last_turn + 1, used_at = excluded.used_at
returning session_id, assistant_id, last_turn, completed_turns, summary_version;


-- name: open_session
-- The next turn number of a session that belongs to the caller's user and profile.
update session set last_turn = last_turn + 1, used_at = %(now)s
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s
returning session_id, assistant_id, last_turn, completed_turns, summary_version;


-- name: add_turn
-- A message, stored before anything is done with it.
insert into turn (
    tenant_id, turn_id, session_id, member_id, profile_id, assistant_id, number, state, message,
    inputs, idempotency_hash, request_hash, attempt, lease_owner, lease_until, watch_job, created_at
)
values (
    %(tenant)s, %(turn)s, %(session)s, %(member)s, %(profile)s, %(assistant)s, %(number)s,
    'running', %(message)s, %(inputs)s, %(idempotency_hash)s, %(request_hash)s, %(attempt)s,
    %(lease_owner)s, now() + make_interval(secs => %(lease_seconds)s), %(watch_job)s, %(now)s
);


-- name: find_turn_by_key
-- The turn an idempotency key already stands for.
select t.*, s.completed_turns, s.summary_version
from turn t join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.member_id = %(member)s
    and t.idempotency_hash = %(idempotency_hash)s;


-- name: retry_turn
-- A failed turn starts again under the key it came with.
update turn
set state = 'running', attempt = attempt + 1, lease_owner = %(lease_owner)s,
    lease_until = now() + make_interval(secs => %(lease_seconds)s), watch_job = %(watch_job)s,
    error = null, settled_at = null, cancel_requested = false, text_shown = false
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'failed'
returning attempt;


-- name: take_turn
-- Leases a turn that nobody works on any more. The server's clock is the only one: processes whose
-- clocks differ take no turn from each other.
update turn
set state = 'running', attempt = attempt + 1, lease_owner = %(lease_owner)s,
    lease_until = now() + make_interval(secs => %(lease_seconds)s)
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('received', 'running')
    and lease_until <= now()
returning attempt;


-- name: find_open_turn
-- A turn, with how far its session is.
select t.*, s.completed_turns, s.summary_version
from turn t join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s;


-- name: lock_unsettled_turn
-- A turn that is not over, held so that it does not end while its watch is queued.
select turn_id from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('received', 'running')
for update;


-- name: set_watch
-- The job that looks after a turn.
update turn set watch_job = %(watch_job)s
where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: renew_lease
-- Prolongs a lease that is still held.
update turn set lease_until = now() + make_interval(secs => %(lease_seconds)s)
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
returning cancel_requested;


-- name: hand_back_turn
-- Gives up a lease and names the job that watches the turn.
update turn set state = 'received', lease_until = now()
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
returning watch_job;


-- name: note_shown
-- Readers saw text of the attempt, and the stream buffer does not keep it.
update turn set text_shown = true
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s;


-- name: settle_turn
-- The end of a turn, for whoever still holds its lease.
update turn
set state = %(state)s, reply = %(reply)s, doc_ids = %(doc_ids)s, tokens = %(tokens)s,
    error = %(error)s, settled_at = %(now)s, lease_owner = null, lease_until = null
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
returning watch_job;


-- name: count_completed
-- One more turn of the session has text.
update session set completed_turns = completed_turns + 1
where tenant_id = %(tenant)s and session_id = %(session)s
returning completed_turns, summary_version;


-- name: read_mark
-- How far the session is: its turns with text, and its summary_version.
select completed_turns, summary_version from session where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: ask_cancel
-- Whoever runs the turn sees this when it renews its lease.
update turn set cancel_requested = true
where tenant_id = %(tenant)s and turn_id = %(turn)s
    and member_id = %(member)s and profile_id = %(profile)s
returning turn_id;


-- name: find_turn
-- A turn of the caller's.
select * from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s
    and member_id = %(member)s and profile_id = %(profile)s;


-- name: find_session
-- A session of the caller's.
select session_id, assistant_id, completed_turns, summary_version from session
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s;


-- name: list_turns
-- Turns of a session in their order.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s and number > %(after)s
order by number
limit %(count)s;


-- name: save_trace
-- The trace of the attempt that settled the turn.
insert into turn_trace (tenant_id, turn_id, member_id, trace, created_at)
values (%(tenant)s, %(turn)s, %(member)s, %(trace)s, %(now)s)
on conflict (tenant_id, turn_id) do update
set trace = excluded.trace, created_at = excluded.created_at;


-- name: find_trace
-- The trace of a turn of the caller's.
select r.trace
from turn_trace r join turn t on t.tenant_id = r.tenant_id and t.turn_id = r.turn_id
where r.tenant_id = %(tenant)s and r.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s;


-- name: list_sessions
-- Sessions of the caller's, the last used first, each with the message it began with; after one
-- that was shown before, where one is named.
select s.session_id, s.assistant_id, s.used_at, s.last_turn, t.turn_id, t.message,
    coalesce(not c.allowed, false) as temporary
from session s
join turn t on t.tenant_id = s.tenant_id and t.session_id = s.session_id
    and t.tenant_id = %(tenant)s and t.number = (
        select min(f.number) from turn f
        where f.tenant_id = %(tenant)s and f.session_id = s.session_id
    )
left join consent c on c.tenant_id = s.tenant_id and c.subject_id = s.session_id
where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
    and (%(before)s::uuid is null or (s.used_at, s.session_id) < (
        select b.used_at, b.session_id from session b
        where b.tenant_id = %(tenant)s and b.member_id = %(member)s
            and b.profile_id = %(profile)s and b.session_id = %(before)s::uuid
    ))
order by s.used_at desc, s.session_id desc
limit %(count)s;
