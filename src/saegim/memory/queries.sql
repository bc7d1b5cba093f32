-- name: find_settled_turn
-- A turn that has text, by id.
select * from turn
where tenant_id = %(tenant)s and turn_id = %(turn)s and state in ('done', 'incomplete');


-- name: window_of_turns
-- The recorded turns that end with a number, newest first; those that the person had left out of
-- memory are marked.
select t.*, e.turn_id is not null as left_out from turn t
left join extraction e on e.tenant_id = %(tenant)s and e.turn_id = t.turn_id
    and e.origin = 'person'
where t.tenant_id = %(tenant)s and t.session_id = %(session)s and t.number <= %(number)s
    and t.state in ('done', 'incomplete')
order by t.number desc
limit %(count)s;


-- name: find_episode
-- The episode of a window, and whether recall finds it.
select e.episode_id, exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
) as indexed
from episode e
where e.tenant_id = %(tenant)s and e.session_id = %(session)s
    and e.first_turn = %(first_turn)s and e.last_turn = %(last_turn)s;


-- name: lock_window
-- What of the turns of a window is redactions or left out; what is redactions stays so until the
-- transaction ends.
select t.redactions, exists (
    select from extraction e
    where e.tenant_id = %(tenant)s and e.turn_id = t.turn_id and e.origin = 'person'
) as left_out
from turn t
where t.tenant_id = %(tenant)s and t.session_id = %(session)s
    and t.number between %(first_turn)s and %(last_turn)s and t.state in ('done', 'incomplete')
order by t.number
for share of t;


-- name: rewrite_episode
-- An episode that is made again, unless somebody did.
update episode e set content = %(content)s
where e.tenant_id = %(tenant)s and e.episode_id = %(episode)s and not exists (
    select from episode_vector v
    where v.tenant_id = %(tenant)s and v.member_id = e.member_id
        and v.profile_id = e.profile_id and v.episode_id = e.episode_id
)
returning e.episode_id;


-- name: add_episode
-- A window of turns; whoever comes second adds nothing.
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
-- What recall searches in an episode, in a narrow row.
insert into episode_vector (
    tenant_id, member_id, profile_id, episode_id, index_version, session_id, last_turn, said_at,
    embedding, terms, own, own_length, marks, speaker
)
values (
    %(tenant)s, %(member)s, %(profile)s, %(episode)s, %(index_version)s, %(session)s,
    %(last_turn)s, %(said_at)s, %(embedding)s::halfvec, %(terms)s::sparsevec, %(own)s::sparsevec,
    %(own_length)s, %(marks)s, %(speaker)s
);


-- name: count_terms
-- In how many of a person's episodes a term stands; term 0 in all. Sorted, so that two writers
-- cannot deadlock.
insert into term_count (tenant_id, member_id, profile_id, index_version, term, episodes)
select %(tenant)s, %(member)s, %(profile)s, %(index_version)s, term, 1
from unnest(%(terms)s::int[]) as term
order by term
on conflict (tenant_id, member_id, profile_id, index_version, term)
do update set episodes = term_count.episodes + 1;


-- name: lock_memory
-- One writer at a time to a person's memory; conversations go on meanwhile.
select profile_id from profile
where tenant_id = %(tenant)s and profile_id = %(profile)s and member_id = %(member)s
for no key update;


-- name: mark_extracted
-- A turn was extracted, unless it was before. What failed, and what a fallback made before there was a
-- model, may be done again.
insert into extraction (tenant_id, turn_id, member_id, origin, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, %(origin)s, 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set origin = excluded.origin, error = null, output = null,
    attempts = extraction.attempts + 1, at = excluded.at
where extraction.tenant_id = %(tenant)s and (
    extraction.error is not null
    or (extraction.origin = 'fallback' and excluded.origin = 'model')
)
returning turn_id;


-- name: find_extraction
-- How the extraction of a turn went.
select origin, error from extraction where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: save_failure
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


-- name: add_memory_import
-- Memories that are to be imported, sealed; the same ones that wait already add nothing.
insert into memory_import (
    tenant_id, import_id, member_id, profile_id, digest, body, total, created_at, updated_at
)
values (
    %(tenant)s, %(id)s, %(member)s, %(profile)s, %(digest)s, %(body)s, %(total)s, %(now)s, %(now)s
)
on conflict (tenant_id, member_id, profile_id, digest) where body is not null do nothing
returning import_id, total, done;


-- name: same_memory_import
-- An import of the same memories that waits.
select import_id, total, done from memory_import
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and digest = %(digest)s and body is not null;


-- name: find_memory_import
-- How far an import of the caller's is.
select import_id, total, done from memory_import
where tenant_id = %(tenant)s and import_id = %(id)s
    and member_id = %(member)s and profile_id = %(profile)s;


-- name: pending_memory_import
-- An import that is not done.
select member_id, profile_id, body, done from memory_import
where tenant_id = %(tenant)s and import_id = %(id)s and body is not null;


-- name: advance_memory_import
-- How far an import is; with its last record the content goes.
update memory_import
set done = %(done)s, updated_at = %(now)s, body = case when total <= %(done)s then null else body end
where tenant_id = %(tenant)s and import_id = %(id)s and done < %(done)s;


-- name: near_memories
-- The records that hold now and are nearest by words or by meaning, both scores exact.
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
select memory_id, dense, lexical from ranked
where by_meaning <= %(count)s or (by_words <= %(count)s and lexical > 0)
order by least(by_meaning, by_words), by_meaning;


-- name: clear_moved_memory
-- A record that says something else now leaves the version of the index that is moved to: it is
-- embedded for it again.
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
-- A person's records that one of these turns is a source of.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null and sources && %(turns)s::uuid[]
order by memory_id;


-- name: sessions_of_turns
-- The sessions that these turns are of.
select session_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);


-- name: forgotten_memories
-- Records of a person that are forgotten, by id.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = any(%(memories)s::uuid[]) and forgotten_at is not null;


-- name: lock_sessions_of
-- The sessions of some turns of a person, held before their turns are: whoever removes one takes
-- both in this order too.
select s.session_id from session s
where s.tenant_id = %(tenant)s and s.member_id = %(member)s and s.profile_id = %(profile)s
    and s.session_id in (
        select t.session_id from turn t
        where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    )
order by s.session_id
for no key update;


-- name: lock_turns
-- Turns of a person that have text, held while they are marked; in order, so that two cannot
-- deadlock.
select * from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[])
    and member_id = %(member)s and profile_id = %(profile)s and state in ('done', 'incomplete')
order by turn_id
for no key update;


-- name: turns_saying
-- The turns whose episodes have most of these terms in their last turn.
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
-- The last turns of a session; not all of them have episodes yet.
select turn_id from turn
where tenant_id = %(tenant)s and session_id = %(session)s
order by number desc
limit %(most)s;


-- name: redact_turn
-- Which places of a turn are redactions, by the records that they are redactions or kept for.
update turn set redactions = %(redactions)s where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: note_redactions
-- The turns that the words of a record are redactions from.
update memory set redactions = %(turns)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and memory_id = %(memory)s;


-- name: episodes_around
-- The episodes that these turns are part of, each with the turn it ends with.
select e.episode_id, e.session_id, l.turn_id from turn t
join episode e on e.tenant_id = %(tenant)s and e.session_id = t.session_id
    and t.number between e.first_turn and e.last_turn
join turn l on l.tenant_id = %(tenant)s and l.session_id = e.session_id and l.number = e.last_turn
where t.tenant_id = %(tenant)s and t.turn_id = any(%(turns)s::uuid[])
    and t.member_id = %(member)s and t.profile_id = %(profile)s
group by e.episode_id, e.session_id, l.turn_id
order by l.turn_id;


-- name: lock_summaries_of
-- What sessions were summarised into, where a turn that changed is part of it, and whether all that was
-- summarised is there still: the oldest turns of a long conversation may be gone.
select f.session_id, f.summary, f.entities, (
    select min(t.number) from turn t
    where t.tenant_id = %(tenant)s and t.session_id = f.session_id
) = 1 as complete
from session_summary f
join unnest(%(sessions)s::uuid[], %(numbers)s::integer[]) as changed (session_id, number)
    on f.session_id = changed.session_id and f.summarised_through >= changed.number
where f.tenant_id = %(tenant)s
for update of f;


-- name: drop_summaries
-- What sessions were summarised into, which is made again.
delete from session_summary
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: rewrite_summary
-- What a session was summarised into, without some of it.
update session_summary set summary = %(summary)s, entities = %(entities)s
where tenant_id = %(tenant)s and session_id = %(session)s;


-- name: age_sessions
-- States of these sessions that are at hand are old.
update session set summary_version = summary_version + 1
where tenant_id = %(tenant)s and session_id = any(%(sessions)s::uuid[]);


-- name: mark_outdated
-- Where a turn says what was corrected or replaced since, by record.
update turn set outdated = %(outdated)s where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: drop_old_imports
-- Imports that are done for long.
delete from memory_import where tenant_id = %(tenant)s and import_id in (
    select import_id from memory_import
    where tenant_id = %(tenant)s and body is null and updated_at < %(before)s
    order by updated_at limit %(most)s
);
