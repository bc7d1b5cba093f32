-- name: find_time_zone
-- Where a person lives.
select time_zone from member where tenant_id = %(tenant)s and member_id = %(member)s;

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

-- name: find_turn_before
-- The recorded turn right before a turn of the caller's.
select b.turn_id from turn t
join turn b on b.tenant_id = t.tenant_id and b.session_id = t.session_id and b.number < t.number
where t.tenant_id = %(tenant)s and t.turn_id = %(turn)s
    and t.member_id = %(member)s and t.profile_id = %(profile)s
    and b.tenant_id = %(tenant)s and b.state in ('done', 'incomplete')
order by b.number desc
limit 1;

-- name: turns_of_twin
-- Turns that only a twin has read, from an id on.
select turn_id, member_id from extraction
where tenant_id = %(tenant)s and origin = 'twin' and turn_id > %(after)s
order by turn_id
limit %(count)s;

-- name: owners_of_turns
-- Whose these turns are.
select turn_id, member_id from turn
where tenant_id = %(tenant)s and turn_id = any(%(turns)s::uuid[]);

-- name: leave_turn_out
-- A turn counts as read by the person, whoever read it before.
insert into extraction (tenant_id, turn_id, member_id, origin, attempts, at)
values (%(tenant)s, %(turn)s, %(member)s, 'person', 1, %(now)s)
on conflict (tenant_id, turn_id) do update
set origin = excluded.origin, error = null, output = null, at = excluded.at
where extraction.tenant_id = %(tenant)s;

-- name: hold_session
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

-- name: find_profile_owner
-- Whose a profile is.
select member_id from profile where tenant_id = %(tenant)s and profile_id = %(profile)s;

-- name: expired_by_type
-- Records past the time their type is kept, oldest first; core and pinned ones stay, and those whose
-- label says how long they are kept.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and type = %(type)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by said_at
limit %(most)s;

-- name: expired_by_weight
-- Old records that hardly matter, the least first; core, pinned and labelled ones stay.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and importance < %(importance)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
    and (retention is null or retention <> all(%(labels)s::text[]))
order by importance
limit %(most)s;

-- name: expired_by_label
-- Records past the time their retention label keeps them, oldest first; core and pinned ones stay.
select memory_id, member_id, profile_id from memory
where tenant_id = %(tenant)s and retention = %(label)s and said_at < %(before)s
    and forgotten_at is null and not core and not pinned
order by said_at
limit %(most)s;
