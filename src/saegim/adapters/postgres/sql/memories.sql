-- name: hold_memory
-- One writer at a time to a person's memory; conversations go on meanwhile.
select profile_id from profile
where tenant_id = %(tenant)s and profile_id = %(profile)s and member_id = %(member)s
for no key update;

-- name: mark_extracted
-- A turn was extracted, unless it was before. What failed, and what a twin made before there was a
-- model, may be done again.
insert into extraction (tenant_id, turn_id, member_id, origin, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, %(origin)s, 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set origin = excluded.origin, error = null, output = null,
    attempts = extraction.attempts + 1, at = excluded.at
where extraction.tenant_id = %(tenant)s and (
    extraction.error is not null
    or (extraction.origin = 'twin' and excluded.origin = 'model')
)
returning turn_id;

-- name: find_extraction
-- How the extraction of a turn went.
select origin, error from extraction where tenant_id = %(tenant)s and turn_id = %(turn)s;

-- name: keep_failure
-- What could not be read of a turn, for replay; a turn that was extracted stays so.
insert into extraction (tenant_id, turn_id, member_id, error, output, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, %(error)s, %(output)s, 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set error = excluded.error, output = excluded.output, origin = null,
    attempts = extraction.attempts + 1, at = excluded.at
where extraction.tenant_id = %(tenant)s and extraction.error is not null
returning attempts;

-- name: list_failures
-- Turns that wait for a replay, oldest first.
select turn_id, member_id, error, output, attempts, at from extraction
where tenant_id = %(tenant)s and error is not null
order by at
limit %(count)s;

-- name: add_memory
-- A record; whoever comes second with its natural key adds nothing.
insert into memory (
    tenant_id, memory_id, member_id, profile_id, natural_hash, type, body, importance, said_at,
    valid_from, valid_to, sources, version, origin, pii, core, pinned, retention, created_at,
    changed_at
)
values (
    %(tenant)s, %(memory)s, %(member)s, %(profile)s, %(natural_hash)s, %(type)s, %(body)s,
    %(importance)s, %(said_at)s, %(valid_from)s, %(valid_to)s, %(sources)s, 1, %(origin)s, %(pii)s,
    %(core)s, %(pinned)s, %(retention)s, %(now)s, %(now)s
)
on conflict (tenant_id, natural_hash) do nothing
returning *;

-- name: find_memory_by_key
-- The record with a natural key, which is the person's own.
select * from memory where tenant_id = %(tenant)s and natural_hash = %(natural_hash)s;

-- name: find_memory
-- A person's record by id, forgotten or not.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s;

-- name: find_memories
-- A person's records by id, without the forgotten.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is null;

-- name: kept_memories
-- Records that stand in every context, those that hold at a time, most important first.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and (core or pinned) and forgotten_at is null
    and said_at <= %(as_of)s and (ended_at is null or ended_at > %(as_of)s)
order by pinned desc, importance desc, memory_id desc;

-- name: add_memory_version
-- A record as it stands from now on.
insert into memory_version (
    tenant_id, member_id, profile_id, memory_id, version, type, body, importance, valid_from, valid_to, origin, pii,
    changed_at
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(memory)s, %(version)s, %(type)s, %(body)s,
    %(importance)s, %(valid_from)s, %(valid_to)s, %(origin)s, %(pii)s, %(now)s
);

-- name: list_memory_versions
-- All versions of a record, newest first.
select * from memory_version
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
order by version desc;

-- name: revise_memory
-- A new version of a record.
update memory
set type = %(type)s, body = %(body)s, importance = %(importance)s, valid_from = %(valid_from)s,
    valid_to = %(valid_to)s, sources = %(sources)s, version = %(version)s, origin = %(origin)s,
    pii = %(pii)s, core = %(core)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: confirm_memory
-- One more source of a record, and at least this importance.
update memory
set sources = %(sources)s, importance = %(importance)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: supersede_memory
-- A record held until a time, and another took its place.
update memory
set superseded_by = %(successor)s, ended_at = %(ended_at)s, valid_to = %(ended_at)s,
    changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: reopen_memories
-- What these records of a person took the place of holds again, while they are forgotten.
update memory m
set ended_at = null, changed_at = %(now)s, valid_to = (
    select v.valid_to from memory_version v
    where v.tenant_id = %(tenant)s and v.member_id = %(member)s
        and v.profile_id = %(profile)s and v.memory_id = m.memory_id and v.version = m.version
)
where m.tenant_id = %(tenant)s and m.superseded_by = any(%(memories)s::uuid[])
returning m.*;

-- name: close_memories
-- What a record that is remembered again took the place of holds no longer.
update memory m
set ended_at = %(ended_at)s, valid_to = %(ended_at)s, changed_at = %(now)s
where m.tenant_id = %(tenant)s and m.superseded_by = %(successor)s and m.ended_at is null
returning m.*;

-- name: pin_memory
-- Whether a record stands in every context.
update memory set pinned = %(pinned)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: retain_memory
-- How long a record is kept, by a label.
update memory set retention = %(retention)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: forget_memories
-- Takes records out of every read.
update memory set forgotten_at = %(now)s, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is null
returning *;

-- name: remember_memory
-- Brings a forgotten record back.
update memory set forgotten_at = null, changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s
returning *;

-- name: memories_of_session
-- Records whose every source is a turn of a session.
select m.memory_id from memory m
where m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.forgotten_at is null and m.sources <> '{}' and m.sources <@ array(
        select t.turn_id from turn t
        where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    );

-- name: purged_memories
-- Records that were forgotten before, oldest first.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and forgotten_at < %(before)s
order by forgotten_at
limit %(most)s
for update skip locked;

-- name: drop_memory_vectors
-- What recall searches in records goes, and their terms are counted no more.
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
-- Records by id, with their versions.
delete from memory
where tenant_id = %(tenant)s and member_id = any(%(members)s::uuid[])
    and profile_id = any(%(profiles)s::uuid[]) and memory_id = any(%(memories)s::uuid[]);

-- name: save_memory_vector
-- What recall searches in a record, in a narrow row.
insert into memory_vector (
    tenant_id, member_id, profile_id, memory_id, index_version, said_at, holds_from, type,
    importance, embedding, terms
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(memory)s, %(index_version)s, %(said_at)s,
    %(holds_from)s, %(type)s, %(importance)s, %(embedding)s::halfvec, %(terms)s::sparsevec
)
on conflict (tenant_id, member_id, profile_id, memory_id, index_version) do update
set type = excluded.type, importance = excluded.importance, embedding = excluded.embedding,
    terms = excluded.terms, holds_from = excluded.holds_from;

-- name: find_memory_terms
-- The terms that a record is found by.
select terms::text as terms from memory_vector
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s and index_version = %(index_version)s;

-- name: follow_memories
-- What a scan needs of records follows them.
update memory_vector v
set ended_at = m.ended_at, forgotten = m.forgotten_at is not null, importance = m.importance,
    type = m.type
from memory m
where v.tenant_id = %(tenant)s and v.member_id = %(member)s and v.profile_id = %(profile)s
    and v.memory_id = any(%(memories)s::uuid[])
    and m.tenant_id = %(tenant)s and m.member_id = %(member)s and m.profile_id = %(profile)s
    and m.memory_id = v.memory_id;

-- name: count_record_terms
-- In how many of a person's records a term stands; term 0 in all. Sorted, so that two writers
-- cannot deadlock.
insert into term_count (tenant_id, member_id, profile_id, index_version, term, records)
select %(tenant)s, %(member)s, %(profile)s, %(index_version)s, change.term, change.more
from unnest(%(terms)s::int[], %(more)s::int[]) as change (term, more)
order by change.term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set records = term_count.records + excluded.records;

-- name: list_memories
-- A person's records that hold at a time, newest first, from an id on.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id < %(before)s and said_at >= %(since)s
    and type = any(%(types)s::text[]) and (forgotten_at is not null) = %(forgotten)s
    and said_at <= %(as_of)s and (ended_at is null or ended_at > %(as_of)s)
order by memory_id desc
limit %(count)s;

-- name: count_memories_by_month
-- How many records that hold now were said in each month of a time zone, newest first.
select date_part('year', said_at at time zone %(time_zone)s)::integer as year,
    date_part('month', said_at at time zone %(time_zone)s)::integer as month,
    count(*)::integer as records
from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null and (ended_at is null or ended_at > %(now)s)
group by 1, 2
order by 1 desc, 2 desc;

-- name: add_audit_event
-- Who did what, when and why.
insert into audit_event (
    tenant_id, event_id, member_id, profile_id, subject_id, action, actor, reason, at
)
values (
    %(tenant)s, %(event)s, %(member)s, %(profile)s, %(subject)s, %(action)s, %(actor)s, %(reason)s,
    %(now)s
);

-- name: list_audit_events
-- What was done to a person's memory, newest first.
select * from audit_event
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
order by event_id desc
limit %(count)s;

-- name: list_audit_events_of_subject
-- What was done to one record, newest first.
select * from audit_event
where tenant_id = %(tenant)s and subject_id = %(subject)s
    and member_id = %(member)s and profile_id = %(profile)s
order by event_id desc
limit %(count)s;

-- name: add_digest
-- Old records told in one text; whoever comes second adds nothing.
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
-- Which of these records are digests, and what each tells.
select digest_id, sources from digest
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and digest_id = any(%(memories)s::uuid[]);

-- name: list_digests
-- A person's digests, newest first.
select * from digest
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
order by digest_id desc;

-- name: find_consents
-- What tenant, user and session said about memory.
select subject, allowed from consent
where tenant_id = %(tenant)s and subject_id = any(%(subjects)s::uuid[]);

-- name: set_consent
-- Whether memory may be used, for a tenant, a user or a session.
insert into consent (tenant_id, subject_id, subject, allowed, changed_at)
values (%(tenant)s, %(subject_id)s, %(subject)s, %(allowed)s, %(now)s)
on conflict (tenant_id, subject_id) do update
set allowed = excluded.allowed, changed_at = excluded.changed_at;
