-- name: list_living_memories
-- List the newest records of a user that are not forgotten, replaced ones too.
select * from memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and forgotten_at is null
order by memory_id desc
limit %(most)s;


-- name: list_derived
-- List what was derived from the records of a user.
select * from derived_memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and kind = any(%(kinds)s::text[])
order by last_seen desc, derived_id;


-- name: save_derived
-- Store a derived record; one that the user undid stays undone unless its sources changed.
insert into derived_memory (
    tenant_id, derived_id, member_id, profile_id, kind, key_hash, basis, body, sources, against,
    first_seen, last_seen, changed_at
)
values (
    %(tenant)s, %(derived)s, %(member)s, %(profile)s, %(kind)s, %(key_hash)s, %(basis)s, %(body)s,
    %(sources)s, %(against)s, %(first_seen)s, %(last_seen)s, %(now)s
)
on conflict (tenant_id, member_id, profile_id, key_hash) do update
set basis = excluded.basis, body = excluded.body, sources = excluded.sources,
    against = excluded.against, first_seen = excluded.first_seen, last_seen = excluded.last_seen,
    changed_at = excluded.changed_at,
    undone_at = case when derived_memory.basis = excluded.basis then derived_memory.undone_at end;


-- name: word_derived
-- Save a model's wording of a derived record, unless its sources changed meanwhile.
update derived_memory set body = %(body)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and derived_id = %(derived)s and body = %(seen)s;


-- name: drop_derived
-- Delete derived records that do not follow from the records any more.
delete from derived_memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and derived_id = any(%(derived)s::uuid[]);


-- name: drop_derived_of
-- Delete what was derived from changed or forgotten records; a job derives it again.
delete from derived_memory
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and (sources && %(memories)s::uuid[] or against && %(memories)s::uuid[]);


-- name: undo_derived
-- Take back a derived record, or restore it.
update derived_memory set undone_at = %(undone_at)s
where tenant_id = %(tenant)s and member_id = %(member)s and profile_id = %(profile)s
    and derived_id = %(derived)s
returning *;
