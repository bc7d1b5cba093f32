-- name: find_settled_turn
-- Find a turn that has text.
select * from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('done', 'incomplete');


-- name: window_of_turns
-- List the recorded turns up to a number, newest first, and whether the user left each out of
-- memory.
select t.*, e.turn_id is not null as left_out from turn t
left join extraction e on e.tenant_id = %(tenant)s and e.turn_id = t.turn_id
    and e.origin = 'person'
where t.tenant_id = %(tenant)s and t.session_id = %(session)s and t.number <= %(number)s
    and t.state in ('done', 'incomplete') and (t.in_use or t.number = %(number)s)
order by t.number desc
limit %(count)s;


-- name: find_episode
-- Find the episode of a window, and whether it is indexed.
select e.episode_id, exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
) as indexed
from episode e
where e.tenant_id = %(tenant)s and e.session_id = %(session)s
    and e.first_turn = %(first_turn)s and e.last_turn = %(last_turn)s;


-- name: lock_window
-- Lock the turns of a window with their redactions, so that these do not change.
select t.redactions, exists (
    select from extraction e
    where e.tenant_id = %(tenant)s and e.turn_id = t.turn_id and e.origin = 'person'
) as left_out
from turn t
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.number between %(first_turn)s and %(last_turn)s and t.state in ('done', 'incomplete')
    and (t.in_use or %(last_turn)s = t.number)
order by t.number
for share of t;


-- name: rewrite_episode
-- Rewrite an episode, unless it is indexed already.
update episode e set content = %(content)s
where e.tenant_id = %(tenant)s and e.episode_id = %(episode)s and not exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
)
returning e.episode_id;


-- name: add_episode
-- Insert the episode of a window, unless it exists.
insert into episode (
    tenant_id, episode_id, member_id, profile_id, session_id, first_turn, last_turn, content,
    said_at, created_at
)
values (
    %(tenant)s, %(episode)s, %(member)s, %(profile)s, %(session)s, %(first_turn)s, %(last_turn)s,
    %(content)s, %(said_at)s, %(now)s
)
on conflict (tenant_id, session_id, first_turn, last_turn) do nothing
returning episode_id;


-- name: add_episode_vector
-- Index an episode, in a narrow row.
insert into episode_vector (
    tenant_id, member_id, profile_id, episode_id, index_version, session_id, last_turn, said_at,
    embedding, terms, own, own_length, marks, speaker, own_embedding, message
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(episode)s, %(index_version)s, %(session)s,
    %(last_turn)s, %(said_at)s, %(embedding)s::halfvec, %(terms)s::sparsevec, %(own)s::sparsevec,
    %(own_length)s, %(marks)s, %(speaker)s, %(own_embedding)s::halfvec, %(message)s::sparsevec
);


-- name: count_terms
-- Count the episodes with each term; term 0 counts all. Sorted, to avoid deadlocks.
insert into term_count (tenant_id, member_id, profile_id, index_version, term, episodes)
select %(tenant)s, %(member)s, %(profile)s, %(index_version)s, term, 1
from unnest(%(terms)s::int[]) as term
order by term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set episodes = term_count.episodes + 1;


-- name: lock_memory
-- Lock the memory of a user for one writer.
select profile_id from profile
where tenant_id = %(tenant)s and profile_id = %(profile)s and member_id = %(member)s
for no key update;


-- name: mark_extracted
-- Mark a turn as extracted, unless it was; a failure, or a fallback when there is a model now, is
-- replaced. A fallback leaves the failure of the model, for a retry.
insert into extraction (tenant_id, turn_id, member_id, origin, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, %(origin)s, 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set origin = excluded.origin, at = excluded.at,
    error = case when excluded.origin = 'fallback' then extraction.error end,
    output = case when excluded.origin = 'fallback' then extraction.output end,
    attempts = extraction.attempts + (excluded.origin <> 'fallback')::int
where extraction.tenant_id = %(tenant)s and (
    extraction.origin is null
    or (extraction.origin = 'fallback' and excluded.origin = 'model')
)
returning turn_id;


-- name: find_extraction
-- Find the extraction state of a turn.
select origin, error, at from extraction
where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: save_failure
-- Save a failed extraction for a retry, unless a model or the user settled the turn.
insert into extraction (tenant_id, turn_id, member_id, error, output, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, %(error)s, %(output)s, 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set error = excluded.error, output = excluded.output,
    attempts = extraction.attempts + 1, at = excluded.at
where extraction.tenant_id = %(tenant)s
    and (extraction.error is not null or extraction.origin = 'fallback')
returning attempts;


-- name: list_failures
-- List failed extractions, oldest first.
select turn_id, member_id, error, output, attempts, at from extraction
where tenant_id = %(tenant)s and error is not null
order by at
limit %(count)s;


-- name: add_memory
-- Insert a record, unless its natural key exists.
insert into memory (
    tenant_id, memory_id, member_id, profile_id, natural_hash, type, body, importance, said_at,
    valid_from, valid_to, sources, version, origin, pii, core, pinned, retention, rests_on,
    created_at, changed_at
)
values (
    %(tenant)s, %(memory)s, %(member)s, %(profile)s, %(natural_hash)s, %(type)s, %(body)s,
    %(importance)s, %(said_at)s, %(valid_from)s, %(valid_to)s, %(sources)s, 1, %(origin)s, %(pii)s,
    %(core)s, %(pinned)s, %(retention)s, %(rests_on)s::uuid[], %(now)s, %(now)s
)
on conflict (tenant_id, natural_hash) do nothing
returning *;


-- name: find_memory_by_key
-- Find a record by its natural key, which contains the user.
select * from memory where tenant_id = %(tenant)s and natural_hash = %(natural_hash)s;


-- name: find_memory
-- Find a record of a user, forgotten or not.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s;


-- name: find_memories
-- Find records of a user that are not forgotten.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is null;


-- name: add_memory_version
-- Insert a version of a record.
insert into memory_version (
    tenant_id, member_id, profile_id, memory_id, version, type, body, importance, valid_from, valid_to, origin, pii,
    changed_at
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(memory)s, %(version)s, %(type)s, %(body)s,
    %(importance)s, %(valid_from)s, %(valid_to)s, %(origin)s, %(pii)s, %(now)s
);


-- name: list_memory_versions
-- List the versions of a record, newest first.
select * from memory_version
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
order by version desc;


-- name: superseded_memories
-- List the records of a user that others replaced in a time span, the last first.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null and superseded_by is not null
    and ended_at between %(since)s and %(until)s
order by ended_at desc, memory_id desc
limit %(count)s;


-- name: corrected_memories
-- List the versions of a user's records that others replaced in a time span, the last first.
select earlier.*, later.changed_at as revised_at
from memory_version later
join memory_version earlier on earlier.tenant_id = later.tenant_id
    and earlier.member_id = later.member_id and earlier.profile_id = later.profile_id
    and earlier.memory_id = later.memory_id and earlier.version = later.version - 1
where later.tenant_id = %(tenant)s and later.member_id = %(member)s
    and later.profile_id = %(profile)s and later.changed_at between %(since)s and %(until)s
order by later.changed_at desc, later.memory_id desc
limit %(count)s;


-- name: revise_memory
-- Update a record to a new version.
update memory
set type = %(type)s, body = %(body)s, importance = %(importance)s, valid_from = %(valid_from)s,
    valid_to = %(valid_to)s, sources = %(sources)s, version = %(version)s, origin = %(origin)s,
    pii = %(pii)s, core = %(core)s, unsure_since = null, asked_in = null, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: confirm_memory
-- Add a source to a record and raise its importance; it is sure again.
update memory
set sources = %(sources)s, importance = %(importance)s, unsure_since = null, asked_in = null,
    changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: supersede_memory
-- End a record that another one replaces.
update memory
set superseded_by = %(successor)s, ended_at = %(ended_at)s, valid_to = %(ended_at)s,
    changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: reopen_memories
-- Make the records valid again that forgotten ones replaced.
update memory m
set ended_at = null, changed_at = %(now)s, valid_to = (
    select v.valid_to from memory_version v
    where v.tenant_id = %(tenant)s and v.member_id = %(member)s
        and v.profile_id = %(profile)s and v.memory_id = m.memory_id and v.version = m.version
)
where m.tenant_id = %(tenant)s and m.superseded_by = any(%(memories)s::uuid[])
returning m.*;


-- name: close_memories
-- End the records again that a restored one replaced.
update memory m
set ended_at = %(ended_at)s, valid_to = %(ended_at)s, changed_at = %(now)s
where m.tenant_id = %(tenant)s and m.superseded_by = %(successor)s and m.ended_at is null
returning m.*;


-- name: doubt_memories
-- Mark the valid records as unsure that rest on changed ones; a record of another turn than `new`.
update memory
set unsure_since = %(now)s, asked_in = null, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and rests_on && %(memories)s::uuid[] and memory_id <> %(new)s
    and forgotten_at is null and ended_at is null and unsure_since is null
returning memory_id;


-- name: trust_memories
-- Make the records sure again that rest on records that are valid again, and on no changed one.
update memory m
set unsure_since = null, asked_in = null, changed_at = %(now)s
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.rests_on && %(memories)s::uuid[] and m.unsure_since is not null
    and not exists (
        select 1 from memory ground
        where ground.tenant_id = %(tenant)s and ground.memory_id = any(m.rests_on)
            and ground.ended_at is not null and ground.forgotten_at is null
    )
returning m.memory_id;


-- name: trust_memory
-- Make a record sure again.
update memory
set unsure_since = null, asked_in = null, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: memories_resting_on
-- Find the records that rest on forgotten ones alone.
select m.memory_id from memory m
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.rests_on && %(memories)s::uuid[] and m.forgotten_at is null
    and not exists (
        select from memory g
        where g.tenant_id = %(tenant)s and g.member_id = %(member)s
            and g.profile_id = %(profile)s and g.memory_id = any(m.rests_on)
            and g.forgotten_at is null
    );


-- name: memories_going_with
-- Find the records that go when a user forgets some: what they replaced, and what rests on one.
with recursive going as (
    select m.memory_id from memory m
    where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
        and m.memory_id = any(%(memories)s::uuid[])
    union
    select m.memory_id from going g
    join memory m on m.tenant_id = %(tenant)s and m.member_id = %(member)s
        and m.profile_id = %(profile)s and m.forgotten_at is null
        and (m.superseded_by = g.memory_id or m.rests_on = array[g.memory_id])
)
select memory_id from going where memory_id <> all(%(memories)s::uuid[]);


-- name: memories_forgotten_with
-- Find the records that were forgotten together with one that they rest on.
select memory_id from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and rests_on @> array[%(memory)s::uuid] and forgotten_at = %(at)s;


-- name: remove_source_turn
-- Remove a turn from the sources of records that have others.
update memory set sources = array_remove(sources, %(turn)s::uuid), changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and sources @> array[%(turn)s::uuid] and cardinality(sources) > 1
returning *;


-- name: drop_memory_versions
-- Delete the versions of a record that a turn wrote.
delete from memory_version
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s and version = any(%(versions)s::integer[]);


-- name: note_asked
-- Save the turn that asked whether an unsure record still holds.
update memory set asked_in = %(turn)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s and unsure_since is not null and asked_in is null;


-- name: memories_asked_in
-- Find the unsure records that a turn asked about.
select memory_id from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and asked_in = %(turn)s and unsure_since is not null and forgotten_at is null;


-- name: pin_memory
-- Pin or unpin a record.
update memory set pinned = %(pinned)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: retain_memory
-- Set the retention label of a record.
update memory set retention = %(retention)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: forget_memories
-- Mark records as forgotten.
update memory set forgotten_at = %(now)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is null
returning *;


-- name: remember_memory
-- Restore a forgotten record.
update memory set forgotten_at = null, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;


-- name: purged_memories
-- Find records forgotten before a time, oldest first.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and forgotten_at < %(before)s
order by forgotten_at
limit %(most)s
for update skip locked;


-- name: drop_memory_vectors
-- Delete the vectors of records and subtract them from the term counts.
with gone as (
    delete from memory_vector
    where tenant_id = %(tenant)s and member_id = any(%(members)s::uuid[])
        and profile_id = any(%(profiles)s::uuid[]) and memory_id = any(%(memories)s::uuid[])
    returning member_id, profile_id, index_version, terms
), counted as (
    select g.member_id, g.profile_id, g.index_version,
        split_part(pair, ':', 1)::integer as term, count(*)::integer as records
    from gone g
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(g.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
    group by g.member_id, g.profile_id, g.index_version, split_part(pair, ':', 1)
)
update term_count c set records = c.records - counted.records
from counted
where c.tenant_id = %(tenant)s and c.member_id = counted.member_id
    and c.profile_id = counted.profile_id and c.index_version = counted.index_version
    and c.term = counted.term;


-- name: drop_memories
-- Delete records with their versions.
delete from memory
where tenant_id = %(tenant)s and member_id = any(%(members)s::uuid[])
    and profile_id = any(%(profiles)s::uuid[]) and memory_id = any(%(memories)s::uuid[]);


-- name: save_memory_vector
-- Index a record, in a narrow row.
insert into memory_vector (
    tenant_id, member_id, profile_id, memory_id, index_version, said_at, valid_from, type,
    importance, embedding, terms
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(memory)s, %(index_version)s, %(said_at)s,
    %(valid_from)s, %(type)s, %(importance)s, %(embedding)s::halfvec, %(terms)s::sparsevec
)
on conflict (tenant_id, member_id, profile_id, memory_id, index_version) do update
set type = excluded.type, importance = excluded.importance, embedding = excluded.embedding,
    terms = excluded.terms, valid_from = excluded.valid_from;


-- name: find_memory_terms
-- Find the indexed terms of a record.
select terms::text as terms from memory_vector
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s and index_version = %(index_version)s;


-- name: follow_memories
-- Copy the validity of records to their index rows.
update memory_vector v
set ended_at = m.ended_at, forgotten = m.forgotten_at is not null, importance = m.importance,
    type = m.type
from memory m
where v.tenant_id = %(tenant)s and v.member_id = %(member)s and v.profile_id = %(profile)s
    and v.memory_id = any(%(memories)s::uuid[])
    and m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.memory_id = v.memory_id;


-- name: count_record_terms
-- Count the records with each term; term 0 counts all. Sorted, to avoid deadlocks.
insert into term_count (tenant_id, member_id, profile_id, index_version, term, records)
select %(tenant)s, %(member)s, %(profile)s, %(index_version)s, change.term, change.more
from unnest(%(terms)s::int[], %(more)s::int[]) as change (term, more)
order by change.term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set records = term_count.records + excluded.records;


-- name: list_memories
-- List the records of a user that are valid at a time, newest first, before an id.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id < %(before)s and said_at >= %(since)s
    and type = any(%(types)s::text[]) and (forgotten_at is not null) = %(forgotten)s
    and pinned = any(%(pinned)s::boolean[])
    and (not %(to_review)s or under_old_rules and origin = 'fallback' and not pinned)
    and said_at <= %(as_of)s and (ended_at is null or ended_at > %(as_of)s)
order by memory_id desc
limit %(count)s;


-- name: list_sorted_memories
-- List the records of a user that are valid at a time, the oldest or the most important first,
-- after a record.
select m.* from memory m
left join memory last on last.tenant_id = %(tenant)s and last.member_id = %(member)s
    and last.profile_id = %(profile)s and last.memory_id = %(before)s::uuid
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.said_at >= %(since)s and m.said_at <= %(until)s
    and m.type = any(%(types)s::text[]) and (m.forgotten_at is not null) = %(forgotten)s
    and m.pinned = any(%(pinned)s::boolean[])
    and (not %(to_review)s or m.under_old_rules and m.origin = 'fallback' and not m.pinned)
    and m.said_at <= %(as_of)s and (m.ended_at is null or m.ended_at > %(as_of)s)
    and (
        last.memory_id is null
        or (%(sort)s = 'oldest' and m.memory_id > last.memory_id)
        or (%(sort)s = 'importance'
            and (m.importance, m.memory_id) < (last.importance, last.memory_id))
    )
order by case when %(sort)s = 'importance' then -m.importance end,
    case when %(sort)s = 'oldest' then m.memory_id end, m.memory_id desc
limit %(count)s;


-- name: memories_forgotten_at
-- Find the records that a user forgot at a time.
select memory_id from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at = %(at)s;


-- name: count_memories_by_type
-- Count valid records by type, how many of them are pinned or to be reviewed, and forgotten ones.
select type,
    count(*) filter (where forgotten_at is null and (ended_at is null or ended_at > %(now)s))
        as records,
    count(*) filter (
        where pinned and forgotten_at is null and (ended_at is null or ended_at > %(now)s)
    ) as pinned,
    count(*) filter (
        where under_old_rules and origin = 'fallback' and not pinned
            and forgotten_at is null and (ended_at is null or ended_at > %(now)s)
    ) as to_review,
    count(*) filter (where forgotten_at is not null) as forgotten
from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
group by type;


-- name: count_memories_by_month
-- Count valid records by month in a time zone, newest first.
select date_part('year', said_at at time zone %(time_zone)s)::integer as year,
    date_part('month', said_at at time zone %(time_zone)s)::integer as month,
    count(*)::integer as records
from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null and (ended_at is null or ended_at > %(now)s)
group by 1, 2
order by 1 desc, 2 desc;


-- name: add_audit_event
-- Insert an entry of the audit trail.
insert into audit_event (
    tenant_id, event_id, member_id, profile_id, subject_id, action, actor, reason, at
)
values (
    %(tenant)s, %(event)s, %(member)s, %(profile)s, %(subject)s, %(action)s, %(actor)s, %(reason)s,
    %(now)s
);


-- name: list_taken_changes
-- List what turns remembered or said again, and all that was forgotten and restored of a user's
-- memory, in a span of ids, newest first.
select * from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and event_id >= %(since)s and event_id < %(until)s
    and (action in ('forget', 'undo')
        or action in ('add', 'confirm') and actor in ('model', 'fallback') and reason is not null)
order by event_id desc
limit %(count)s;


-- name: taken_changes_of
-- List the same events of some subjects.
select * from audit_event
where tenant_id = %(tenant)s and subject_id = any(%(subjects)s::uuid[])
    and member_id = %(member)s and profile_id = %(profile)s
    and (action in ('forget', 'undo')
        or action in ('add', 'confirm') and actor in ('model', 'fallback') and reason is not null);


-- name: list_audit_events_of_subject
-- List the audit trail of a record, newest first.
select * from audit_event
where tenant_id = %(tenant)s and subject_id = %(subject)s
    and member_id = %(member)s and profile_id = %(profile)s
order by event_id desc
limit %(count)s;


-- name: add_digest
-- Insert a digest, unless it exists.
insert into digest (
    tenant_id, digest_id, member_id, profile_id, natural_hash, body, sources, first_said_at,
    last_said_at, created_at
)
values (
    %(tenant)s, %(digest)s, %(member)s, %(profile)s, %(natural_hash)s, %(body)s, %(sources)s,
    %(first_said_at)s, %(last_said_at)s, %(now)s
)
on conflict (tenant_id, member_id, profile_id, natural_hash) do nothing
returning digest_id;


-- name: find_digests
-- Find the digests among records, with their sources.
select digest_id, sources from digest
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and digest_id = any(%(memories)s::uuid[]);


-- name: list_digests
-- List the digests of a user, newest first.
select * from digest
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
order by digest_id desc;


-- name: find_consents
-- Find the consents of tenant, user and session.
select subject, allowed and learning as learning, allowed and recall as recall, changed_at
from consent
where tenant_id = %(tenant)s and subject_id = any(%(subjects)s::uuid[]);


-- name: add_memory_import
-- Insert an import, unless the same one is pending.
insert into memory_import (
    tenant_id, import_id, member_id, profile_id, digest, body, total, created_at, updated_at
)
values (
    %(tenant)s, %(id)s, %(member)s, %(profile)s, %(digest)s, %(body)s, %(total)s, %(now)s, %(now)s
)
on conflict (tenant_id, member_id, profile_id, digest) where body is not null do nothing
returning import_id, total, done;


-- name: same_memory_import
-- Find a pending import of the same memories.
select import_id, total, done from memory_import
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and digest = %(digest)s and body is not null;


-- name: find_memory_import
-- Find the progress of an import of the caller.
select import_id, total, done from memory_import
where tenant_id = %(tenant)s and import_id = %(id)s
    and member_id = %(member)s and profile_id = %(profile)s;


-- name: pending_memory_import
-- Find a pending import.
select member_id, profile_id, body, done from memory_import
where tenant_id = %(tenant)s and import_id = %(id)s and body is not null;


-- name: advance_memory_import
-- Save the progress of an import; the last record clears the content.
update memory_import
set done = %(done)s, updated_at = %(now)s, body = case when total <= %(done)s then null else body end
where tenant_id = %(tenant)s and import_id = %(id)s and done < %(done)s;


-- name: near_memories
-- Find the valid records nearest by words or by meaning, with exact scores.
with scanned as materialized (
    select memory_id,
        1 - (embedding <=> %(embedding)s::halfvec) as dense,
        -(terms <#> %(terms)s::sparsevec) as lexical
    from memory_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = %(index_version)s and not forgotten
        and (ended_at is null or ended_at > %(now)s)
), ranked as (
    select memory_id, dense, lexical,
        row_number() over (order by dense desc) as by_meaning,
        row_number() over (order by lexical desc) as by_words
    from scanned
)
select memory_id from ranked
where by_meaning <= %(count)s or (by_words <= %(count)s and lexical > 0)
order by least(by_meaning, by_words), by_meaning;


-- name: clear_moved_memory
-- Delete a changed record from the next index version, so that it is embedded again.
with gone as (
    delete from memory_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and memory_id = %(memory)s and index_version > %(index_version)s
    returning index_version, terms
), counted as (
    select g.index_version, split_part(pair, ':', 1)::integer as term
    from gone g
    cross join unnest(
        string_to_array('0,' || trim(both '{}' from split_part(g.terms::text, '/', 1)), ',')
    ) as pair
    where pair <> ''
)
update term_count c set records = c.records - 1
from counted
where c.tenant_id = %(tenant)s and c.member_id = %(member)s and c.profile_id = %(profile)s
    and c.index_version = counted.index_version and c.term = counted.term;


-- name: memories_of_turns
-- Find the records of a user that have one of these turns as a source.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null and sources && %(turns)s::uuid[]
order by memory_id;


-- name: sessions_of_turns
-- Find the sessions of turns.
select session_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: sessions_quoting_turns
-- Find the sessions of turns, and the one that the user used last: it may quote them.
select session_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
union
(
    select session_id from session
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    order by used_at desc limit 1
);


-- name: memories_by_id
-- Find records of a user, forgotten or not.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[])
order by memory_id;


-- name: pass_on_replaced
-- Let the successor of records be that of the records they replaced, which stay ended.
update memory m set superseded_by = r.superseded_by
from memory r
where m.tenant_id = %(tenant)s and m.superseded_by = r.memory_id
    and r.tenant_id = %(tenant)s and r.member_id = %(member)s and r.profile_id = %(profile)s
    and r.memory_id = any(%(memories)s::uuid[]) and r.ended_at is not null;


-- name: turns_of_session_among
-- Find which of these turns belong to a session of the caller.
select turn_id from turn
where tenant_id = %(tenant)s and session_id = %(session)s
    and member_id = %(member)s and profile_id = %(profile)s
    and turn_id = any(%(turns)s::uuid[]);


-- name: forgotten_memories
-- Find forgotten records of a user.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is not null;


-- name: lock_sessions_of
-- Lock the sessions of turns before the turns, in the order of deletion.
select s.session_id from session s
where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
    and s.session_id in (
        select t.session_id from turn t
        where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    )
order by s.session_id
for no key update;


-- name: lock_turns
-- Lock turns of a user that have text; sorted, to avoid deadlocks.
select * from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
    and member_id = %(member)s and profile_id = %(profile)s and state in ('done', 'incomplete')
order by turn_id
for no key update;


-- name: turns_saying
-- Find the turns with most of these terms.
select t.turn_id from (
    select session_id, last_turn from episode_vector
    where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
        and index_version = %(index_version)s
        and (coalesce(own, terms) <#> %(terms)s::sparsevec) < 0
    order by coalesce(own, terms) <#> %(terms)s::sparsevec
    limit %(most)s
) e
join turn t on t.tenant_id = %(tenant)s and t.session_id = e.session_id and t.number = e.last_turn;


-- name: last_turns
-- Find the last turns of a session, which may have no episode yet.
select * from turn
where tenant_id = %(tenant)s and session_id = %(session)s
order by number desc
limit %(most)s;


-- name: redact_turn
-- Save the redactions of a turn by record. Its words are indexed again.
with outdated as (
    delete from turn_terms where tenant_id = %(tenant)s and turn_id = %(turn)s
)
update turn set redactions = %(redactions)s where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: mark_effects
-- Mark what a turn did to memory as taken back, and what it had taken back as in force.
update turn set effects = (
    select jsonb_agg(value || jsonb_build_object('undone', turn_id = %(turn)s) order by ordinality)
    from jsonb_array_elements(effects) with ordinality
)
where tenant_id = %(tenant)s and effects is not null and turn_id = any(array(
    select %(turn)s::uuid
    union all
    select (each->>'id')::uuid
    from turn t cross join jsonb_array_elements(t.effects) each
    where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s and each->>'kind' = 'undone'
));


-- name: note_redactions
-- Save the turns that contain redactions of a record.
update memory set redactions = %(turns)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s;


-- name: episodes_around
-- Find the episodes that contain turns, each with its last turn.
select e.episode_id, e.session_id, l.turn_id from turn t
join episode e on e.tenant_id = %(tenant)s and e.session_id = t.session_id
    and t.number between e.first_turn and e.last_turn
join turn l on l.tenant_id = %(tenant)s and l.session_id = e.session_id and l.number = e.last_turn
where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    and t.member_id = %(member)s and t.profile_id = %(profile)s
group by e.episode_id, e.session_id, l.turn_id
order by l.turn_id;


-- name: lock_summaries_of
-- Lock the summaries that contain a changed turn, and whether all their turns still exist.
select f.session_id, f.summary, f.entities, f.summarised_through, (
    select min(t.number) from turn t
    where t.tenant_id = %(tenant)s and t.session_id = f.session_id
) = 1 as complete
from session_summary f
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as changed (session_id, number)
    on f.session_id = changed.session_id and f.summarised_through >= changed.number
where f.tenant_id = %(tenant)s
for update of f;


-- name: drop_summaries
-- Delete summaries that are made again.
delete from session_summary
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: rewrite_summary
-- Replace a redacted summary.
update session_summary set summary = %(summary)s, entities = %(entities)s
where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: age_sessions
-- Invalidate the cached states of sessions.
update session set summary_version = summary_version + 1
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: drop_auto_titles
-- Delete the titles that a model wrote for sessions.
update session set auto_title = null
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: mark_outdated
-- Save the outdated statements of a turn by record.
update turn set outdated = %(outdated)s where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: drop_old_imports
-- Delete imports completed before a time.
delete from memory_import where tenant_id = %(tenant)s and import_id in (
    select import_id from memory_import
    where tenant_id = %(tenant)s and body is null and updated_at < %(before)s
    order by updated_at limit %(most)s
);
