-- name: save_usage_event
-- Record the usage of a settled turn; a later attempt replaces it.
insert into usage_event (
    tenant_id, turn_id, member_id, assistant_id, kind, outcome, event, occurred_at
)
values (
    %(tenant)s, %(turn)s, %(member)s, %(assistant)s, %(kind)s, %(outcome)s, %(event)s, %(now)s
)
on conflict (tenant_id, turn_id) do update
set outcome = excluded.outcome, event = excluded.event, occurred_at = excluded.occurred_at;


-- name: count_unsummarised
-- Count the turns of the branch in use that are not summarised, and their tokens, estimated from
-- bytes where an older release stored no count.
select
    count(*) as turns,
    coalesce(sum(coalesce(
        t.tokens, (octet_length(t.message) + coalesce(octet_length(t.reply), 0)) / 4
    )), 0) as tokens
from turn t
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.state in ('done', 'incomplete') and t.in_use
    and t.number > coalesce((
        select f.summarised_through from session_summary f
        where f.tenant_id = %(tenant)s and f.session_id = %(session)s
    ), 0);


-- name: memories_of_session
-- Find records that come from this session alone.
select m.memory_id from memory m
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.forgotten_at is null and m.sources <> '{}' and m.sources <@ array(
        select t.turn_id from turn t
        where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    );


-- name: set_consent
-- Allow or forbid to learn from and to recall for a tenant, a user or a session. `changed_at` is when
-- learning was last switched; without a row it has always been allowed.
insert into consent (tenant_id, subject_id, subject, allowed, learning, recall, changed_at)
values (
    %(tenant)s, %(subject_id)s, %(subject)s, %(learning)s or %(recall)s, %(learning)s, %(recall)s,
    case when %(learning)s then timestamptz 'epoch' else %(now)s end
)
on conflict (tenant_id, subject_id) do update
set allowed = excluded.allowed, learning = excluded.learning, recall = excluded.recall,
    changed_at = case
        when consent.learning = excluded.learning then consent.changed_at else %(now)s
    end;


-- name: expired_sessions
-- Lock sessions that were last used before a time.
select session_id from session
where tenant_id = %(tenant)s and used_at < %(before)s
order by used_at
limit %(most)s
for update skip locked;


-- name: expired_turns
-- Find summarised turns older than a time that are not among the last few of their session.
select t.turn_id, t.session_id, t.number
from turn t
join session_summary f on f.tenant_id = t.tenant_id and f.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id < %(before)s and t.number <= f.summarised_through
    and t.number <= (
        select l.number from turn l
        where l.tenant_id = %(tenant)s and l.session_id = t.session_id
            and l.state in ('done', 'incomplete') and l.in_use
        order by l.number desc
        offset %(recent)s limit 1
    )
order by t.turn_id
limit %(most)s;


-- name: turns_of_sessions
-- List the turns of sessions.
select turn_id from turn where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: lock_turns_to_remove
-- Lock turns before their episodes, in the same order as the job that makes episodes.
select turn_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
order by turn_id
for update;


-- name: episodes_of_turns
-- Find episodes that quote a turn up to the given number of each session.
select e.episode_id
from episode e
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as gone (session_id, number)
    on e.session_id = gone.session_id and e.first_turn <= gone.number
where e.tenant_id = %(tenant)s;


-- name: drop_episode_vectors
-- Delete the vectors of episodes and subtract them from the term counts; term 0 counts episodes.
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
-- Delete episodes.
delete from episode where tenant_id = %(tenant)s and episode_id = any(%(episodes)s::uuid[]);


-- name: drop_traces
-- Delete the traces of turns.
delete from turn_trace where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_feedback
-- Delete the feedback on turns.
delete from feedback where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_turns
-- Delete turns.
delete from turn where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_sessions
-- Delete sessions; their summaries are deleted by cascade.
delete from session where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: has_sessions
-- Return a row if the tenant has conversations or ingests to clean up.
(select 1 from session where tenant_id = %(tenant)s order by used_at limit 1)
union all
(select 1 from ingest where tenant_id = %(tenant)s order by created_at limit 1)
limit 1;


-- name: lock_session
-- Lock a session of the caller.
select session_id from session
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s
for update;


-- name: drop_extractions
-- Delete the extraction state of turns.
delete from extraction where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: drop_digests
-- Delete digests made from any of these records, and forget the records with their text.
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
-- Open or create the session that a client names. The row lock, held until the turn is stored,
-- orders the turns of a session.
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
returning session_id, assistant_id, last_turn, completed_turns, summary_version, refs;


-- name: open_session
-- Take the next turn number of a session of the caller.
update session set last_turn = last_turn + 1, used_at = %(now)s
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s and deleted_at is null
returning session_id, assistant_id, last_turn, completed_turns, summary_version, refs;


-- name: add_turn
-- Store a message before it is processed.
insert into turn (
    tenant_id, turn_id, session_id, member_id, profile_id, assistant_id, number, state, message,
    inputs, idempotency_hash, request_hash, attempt, lease_owner, lease_until, watch_job,
    created_at, parent_id, variant_of, continues
)
values (
    %(tenant)s, %(turn)s, %(session)s, %(member)s, %(profile)s, %(assistant)s, %(number)s,
    'running', %(message)s, %(inputs)s, %(idempotency_hash)s, %(request_hash)s, %(attempt)s,
    %(lease_owner)s, now() + make_interval(secs => %(lease_seconds)s), %(watch_job)s, %(now)s,
    %(parent)s::uuid, %(variant_of)s::uuid, %(continues)s::uuid
);


-- name: last_in_use
-- Find the last turn of the branch in use.
select turn_id from turn
where tenant_id = %(tenant)s and session_id = %(session)s and in_use
order by number desc
limit 1;


-- name: turn_inputs
-- Read the parameters of a turn.
select inputs from turn where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: turn_tree
-- List the turns of a session without their texts.
select turn_id, number, parent_id, variant_of, continues, in_use,
    state not in ('received', 'running') as settled
from turn
where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: use_branch
-- Put a branch in use, and all other turns of the session out of use.
update turn set in_use = turn_id = any(%(turns)s::uuid[])
where tenant_id = %(tenant)s and session_id = %(session)s
    and in_use <> (turn_id = any(%(turns)s::uuid[]));


-- name: drop_summary_after
-- Delete the summary of a session if it has turns after a number.
delete from session_summary
where tenant_id = %(tenant)s and session_id = %(session)s and summarised_through > %(number)s;


-- name: lower_summary
-- Keep the summary of a session, and let its turns after a number be summarised again.
update session_summary set summarised_through = %(number)s
where tenant_id = %(tenant)s and session_id = %(session)s and summarised_through > %(number)s;


-- name: age_session
-- Invalidate the cached state of a session, and a summary that is being made.
update session set summary_version = summary_version + 1
where tenant_id = %(tenant)s and session_id = %(session)s
returning session_id, assistant_id, last_turn, completed_turns, summary_version, refs;


-- name: turn_variants
-- List the variants of turns, each with the first turn at its point.
select turn_id, coalesce(variant_of, turn_id) as first_id, message from turn
where tenant_id = %(tenant)s and session_id = %(session)s
    and (variant_of = any(%(first)s::uuid[]) or turn_id = any(%(first)s::uuid[]))
order by number;


-- name: find_turn_by_key
-- Find a turn by its idempotency key.
select t.*, s.completed_turns, s.summary_version, s.refs
from turn t join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.member_id = %(member)s
    and t.idempotency_hash = %(idempotency_hash)s;


-- name: retry_turn
-- Restart a failed turn.
update turn
set state = 'running', attempt = attempt + 1, lease_owner = %(lease_owner)s,
    lease_until = now() + make_interval(secs => %(lease_seconds)s), watch_job = %(watch_job)s,
    error = null, settled_at = null, cancel_requested = false, text_shown = false
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'failed'
returning attempt;


-- name: take_turn
-- Lease an unsettled turn whose lease expired, by the clock of the database server.
update turn
set state = 'running', attempt = attempt + 1, lease_owner = %(lease_owner)s,
    lease_until = now() + make_interval(secs => %(lease_seconds)s)
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('received', 'running')
    and lease_until <= now()
returning attempt;


-- name: find_open_turn
-- Find a turn with the version of its session.
select t.*, s.completed_turns, s.summary_version, s.refs
from turn t join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s;


-- name: lock_unsettled_turn
-- Lock an unsettled turn, so that it is not settled while its watchdog is queued.
select turn_id from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('received', 'running')
for update;


-- name: set_watch
-- Set the watchdog job of a turn.
update turn set watch_job = %(watch_job)s
where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: renew_lease
-- Renew a lease that is still held.
update turn set lease_until = now() + make_interval(secs => %(lease_seconds)s)
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
returning cancel_requested;


-- name: hand_back_turn
-- Release a lease; return the watchdog job of the turn.
update turn set state = 'received', lease_until = now()
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
returning watch_job;


-- name: note_shown
-- Record that readers saw text that is not in the stream buffer.
update turn set text_shown = true
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s;


-- name: settle_turn
-- Settle a turn if the lease is still held. Locks the session first, as deletion and branches do.
with opened as (
    select s.session_id from session s
    where s.tenant_id = %(tenant)s and s.session_id = %(session)s
    for no key update
)
update turn
set state = %(state)s, reply = %(reply)s, doc_ids = %(doc_ids)s, by_rule = %(by_rule)s,
    effects = %(effects)s, tokens = %(tokens)s, error = %(error)s, settled_at = %(now)s,
    lease_owner = null, lease_until = null
from opened
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
    and turn.session_id = opened.session_id
returning watch_job;


-- name: withdraw_turn
-- Delete a running turn that waits for its client. Locks the session first, as deletion does.
with opened as (
    select s.session_id from session s
    where s.tenant_id = %(tenant)s and s.session_id = %(session)s
    for no key update
)
delete from turn
using opened
where tenant_id = %(tenant)s and turn_id = %(turn)s and state = 'running'
    and lease_owner = %(lease_owner)s and attempt = %(attempt)s
    and turn.session_id = opened.session_id
returning watch_job;


-- name: drop_empty_session
-- Delete a session without turns.
delete from session
where tenant_id = %(tenant)s and session_id = %(session)s and not exists (
    select 1 from turn t where t.tenant_id = %(tenant)s and t.session_id = %(session)s
);


-- name: count_completed
-- Count a completed turn of the session.
update session set completed_turns = completed_turns + 1
where tenant_id = %(tenant)s and session_id = %(session)s
returning completed_turns, summary_version;


-- name: add_refs
-- Add the references that a turn numbered; those of other turns win.
update session set refs = %(refs)s::jsonb || refs
where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: read_mark
-- Read the version of a session.
select completed_turns, summary_version from session
where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: ask_cancel
-- Request cancellation; the owner of the lease reads it on renewal.
update turn t set cancel_requested = true
from session s
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s
    and s.tenant_id = %(tenant)s and s.session_id = t.session_id and s.deleted_at is null
returning t.turn_id;


-- name: find_turn
-- Find a turn of the caller.
select t.* from turn t
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s
    and s.tenant_id = %(tenant)s and s.deleted_at is null;


-- name: find_last_turn_before
-- Find the last recorded turn of a user in another session.
select t.* from turn t
where t.tenant_id = %(tenant)s and t.state = 'done' and t.in_use and t.session_id = (
    select s.session_id from session s
    where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
        and s.session_id <> %(session)s and s.deleted_at is null
    order by s.used_at desc
    limit 1
)
order by t.number desc
limit 1;


-- name: turn_details
-- Read the trace of each turn and the feedback on it.
select t.turn_id, t.inputs, r.trace, f.thumb, f.correction, f.for_evaluation
from turn t
left join turn_trace r on r.tenant_id = %(tenant)s and r.turn_id = t.turn_id
left join feedback f on f.tenant_id = %(tenant)s and f.turn_id = t.turn_id
where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[]);


-- name: find_session
-- Find a session of the caller.
select session_id, assistant_id, completed_turns, summary_version from session
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s and deleted_at is null;


-- name: update_session
-- Set the title of a session, remove it, or pin the session.
update session
set title = case when %(set_title)s then %(title)s::bytea else title end,
    pinned = coalesce(%(pinned)s::boolean, pinned)
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s and deleted_at is null
returning session_id;


-- name: hide_session
-- Hide a session until it is deleted or restored. Its name is free for another one.
update session set deleted_at = %(now)s, name_hash = null
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s and deleted_at is null
returning last_turn;


-- name: restore_session
-- Show a hidden session again.
update session set deleted_at = null
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s
    and (deleted_at is null or deleted_at > %(since)s)
returning session_id;


-- name: hidden_sessions
-- Lock sessions that were hidden before a time.
select session_id from session
where tenant_id = %(tenant)s and deleted_at <= %(before)s
order by deleted_at
limit %(most)s
for update skip locked;


-- name: share_session
-- Share a session up to the last answer of the branch in use; a link that exists stays.
update session s
set share_id = coalesce(s.share_id, %(share)s), shared_turn = last.turn_id, shared_at = %(now)s
from (
    select t.turn_id from turn t
    where t.tenant_id = %(tenant)s and t.session_id = %(session)s and t.in_use
        and t.state in ('done', 'incomplete')
    order by t.number desc
    limit 1
) as last
where s.tenant_id = %(tenant)s and s.session_id = %(session)s
    and s.member_id = %(member)s and s.profile_id = %(profile)s and s.deleted_at is null
returning s.share_id, s.shared_at;


-- name: stop_sharing
-- Make the link of a session invalid.
update session set share_id = null, shared_turn = null, shared_at = null
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s and deleted_at is null
returning session_id;


-- name: find_shared_session
-- Find a shared session, unless its owner is disabled, as one who is being erased.
select s.session_id, s.member_id, s.profile_id, s.shared_turn, s.shared_at, s.title, s.auto_title
from session s
join member m on m.tenant_id = s.tenant_id and m.member_id = s.member_id
where s.tenant_id = %(tenant)s and s.share_id = %(share)s and s.deleted_at is null
    and m.tenant_id = %(tenant)s and m.disabled_at is null;


-- name: shared_turns
-- List the answered turns among those of a branch, in order.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s
    and turn_id = any(%(turns)s::uuid[]) and number > %(after)s
    and state in ('done', 'incomplete')
order by number
limit %(count)s;


-- name: untitled_session
-- Find the owner and the first message of a session that has no title.
select s.member_id, s.summary_version, t.turn_id, t.message, t.reply, t.redactions
from session s
join turn t on t.tenant_id = s.tenant_id and t.session_id = s.session_id
where s.tenant_id = %(tenant)s and s.session_id = %(session)s and t.tenant_id = %(tenant)s
    and s.title is null and s.auto_title is null and s.deleted_at is null and t.in_use
order by t.number
limit 1;


-- name: save_auto_title
-- Save the title that a model wrote, unless branches or redactions changed since.
update session set auto_title = %(auto_title)s
where tenant_id = %(tenant)s and session_id = %(session)s and summary_version = %(version)s;


-- name: list_turns
-- List the turns of the branch in use in order.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s and number > %(after)s and in_use
order by number
limit %(count)s;


-- name: list_turns_before
-- List the turns of the branch in use before a number, newest first.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s and number < %(before)s and in_use
order by number desc
limit %(count)s;


-- name: save_trace
-- Save the trace of the attempt that settled the turn.
insert into turn_trace (tenant_id, turn_id, member_id, trace, created_at)
values (%(tenant)s, %(turn)s, %(member)s, %(trace)s, %(now)s)
on conflict (tenant_id, turn_id) do update
set trace = excluded.trace, created_at = excluded.created_at;


-- name: find_trace
-- Find the trace of a turn of the caller.
select r.trace
from turn_trace r join turn t on t.tenant_id = r.tenant_id and t.turn_id = r.turn_id
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where r.tenant_id = %(tenant)s and r.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s and s.deleted_at is null;


-- name: list_sessions
-- List the sessions of the caller with their first message, last used first; optionally those
-- after the session `before`, or some.
select s.session_id, s.assistant_id, s.used_at, s.last_turn, s.title, s.auto_title, s.pinned,
    s.share_id, s.shared_at,
    t.turn_id, t.message, t.inputs, t.redactions, coalesce(not c.allowed, false) as temporary
from session s
join turn t on t.tenant_id = s.tenant_id and t.session_id = s.session_id
    and t.tenant_id = %(tenant)s and t.number = (
        select min(f.number) from turn f
        where f.tenant_id = %(tenant)s and f.session_id = s.session_id and f.in_use
    )
left join consent c on c.tenant_id = s.tenant_id and c.subject_id = s.session_id
where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
    and s.deleted_at is null
    and (%(only)s::uuid[] is null or s.session_id = any(%(only)s::uuid[]))
    and (%(before)s::uuid is null or (s.used_at, s.session_id) < (
        select b.used_at, b.session_id from session b
        where b.tenant_id = %(tenant)s and b.member_id = %(member)s
            and b.profile_id = %(profile)s and b.session_id = %(before)s::uuid
    ))
order by s.used_at desc, s.session_id desc
limit %(count)s;


-- name: unindexed_of_session
-- List turns of a session whose words are not indexed.
select t.* from turn t
left join turn_terms x on x.tenant_id = t.tenant_id and x.turn_id = t.turn_id
    and x.tenant_id = %(tenant)s
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.state in ('done', 'incomplete') and x.turn_id is null
order by t.number
limit %(most)s;


-- name: unindexed_turns
-- List turns of a tenant whose words are not indexed.
select t.* from turn t
where t.tenant_id = %(tenant)s and t.state in ('done', 'incomplete') and not exists (
    select 1 from turn_terms x
    where x.tenant_id = %(tenant)s and x.turn_id = t.turn_id
)
limit %(most)s;


-- name: save_turn_terms
-- Save the hashed words of a turn, unless the turn was deleted.
insert into turn_terms (tenant_id, turn_id, session_id, member_id, profile_id, terms)
select %(tenant)s, t.turn_id, t.session_id, t.member_id, t.profile_id, %(terms)s::bigint[]
from turn t
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
for share of t
on conflict (tenant_id, turn_id) do update set terms = excluded.terms;


-- name: search_turn_terms
-- Find the turns of the caller with any of these hashed words, and which of them each has.
select x.turn_id, array(
    select term from unnest(%(terms)s::bigint[]) as term where term = any(x.terms)
) as matched
from turn_terms x
where x.tenant_id = %(tenant)s and x.member_id = %(member)s and x.profile_id = %(profile)s
    and x.terms && %(any_of)s::bigint[];


-- name: find_turns
-- Find turns of the caller on branches in use, without those of hidden sessions.
select t.* from turn t
join session s on s.tenant_id = t.tenant_id and s.session_id = t.session_id
where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    and t.member_id = %(member)s and t.profile_id = %(profile)s and t.in_use
    and s.tenant_id = %(tenant)s and s.deleted_at is null;


-- name: drop_turn_terms
-- Delete the hashed words of turns.
delete from turn_terms where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);
