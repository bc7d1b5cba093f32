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

-- name: drop_old_imports
-- Imports that are done for long.
delete from memory_import where tenant_id = %(tenant)s and import_id in (
    select import_id from memory_import
    where tenant_id = %(tenant)s and body is null and updated_at < %(before)s
    order by updated_at limit %(most)s
);

-- name: sealed_memory_import
-- What an older key of a person sealed in `memory_import`.
select import_id as row_id, body from memory_import
where tenant_id = %(tenant)s and member_id = %(member)s
    and coalesce(get_byte(body, 1) * 256 + get_byte(body, 2), %(version)s) < %(version)s
limit %(most)s;

-- name: reseal_memory_import
-- A row of `memory_import` as the newest key seals it, unless somebody wrote it meanwhile.
update memory_import set body = %(new_body)s
where tenant_id = %(tenant)s and import_id = %(row)s and body is not distinct from %(old_body)s;

-- name: erase_memory_import
-- A person's rows go: memories on their way in.
delete from memory_import where tenant_id = %(tenant)s and member_id = %(member)s;
