-- name: add_team_memory
-- Insert a shared record; nothing if the collection has one with the same content.
insert into team_memory (
    tenant_id, team_memory_id, collection_id, type, body, content_hash, said_at, created_at,
    changed_at
)
values (
    %(tenant)s, %(record)s, %(collection)s, %(type)s, %(body)s, %(content_hash)s, %(said_at)s,
    %(now)s, %(now)s
)
on conflict (tenant_id, collection_id, content_hash) do nothing
returning team_memory_id;


-- name: same_team_memory
-- Find the shared record of a collection with the same content.
select * from team_memory
where tenant_id = %(tenant)s and collection_id = %(collection)s
    and content_hash = %(content_hash)s;


-- name: add_team_memory_version
-- Insert a version of a shared record.
insert into team_memory_version (
    tenant_id, team_memory_id, version, type, body, changed_by, changed_at
)
values (
    %(tenant)s, %(record)s, %(version)s, %(type)s, %(body)s, %(member)s, %(now)s
);


-- name: add_team_memory_source
-- Note that a member said or confirmed a shared record.
insert into team_memory_source (
    tenant_id, team_memory_id, member_id, memory_id, turn_id, body, said_at, shared_at
)
values (
    %(tenant)s, %(record)s, %(member)s, %(memory)s, %(turn)s, %(body)s, %(said_at)s, %(now)s
)
on conflict (tenant_id, team_memory_id, member_id) do nothing;


-- name: drop_team_memory_source
-- Withdraw a member's contribution to a shared record.
delete from team_memory_source
where tenant_id = %(tenant)s and team_memory_id = %(record)s and member_id = %(member)s;


-- name: drop_other_team_memory_sources
-- Withdraw the contributions of all but one member to a shared record.
delete from team_memory_source
where tenant_id = %(tenant)s and team_memory_id = %(record)s and member_id <> %(member)s;


-- name: lock_team_memory
-- Find and lock a shared record in collections that the caller may read.
select * from team_memory
where tenant_id = %(tenant)s and team_memory_id = %(record)s
    and collection_id = any(%(collections)s::uuid[])
for update;


-- name: find_team_memory
-- Find a shared record in collections that the caller may read.
select * from team_memory
where tenant_id = %(tenant)s and team_memory_id = %(record)s
    and collection_id = any(%(collections)s::uuid[]);


-- name: list_team_memory
-- List the shared records of collections, newest first, before an id.
select * from team_memory
where tenant_id = %(tenant)s and collection_id = any(%(collections)s::uuid[])
    and team_memory_id < %(before)s
order by team_memory_id desc
limit %(count)s;


-- name: list_team_memory_sources
-- List who said or confirmed shared records, the first first.
select s.*, exists (
    select from team_memory m
    join team_memory_version v
        on v.tenant_id = m.tenant_id and v.team_memory_id = m.team_memory_id
        and v.version = m.version
    where m.tenant_id = s.tenant_id and m.team_memory_id = s.team_memory_id
        and v.changed_by = s.member_id
) as wrote
from team_memory_source s
where s.tenant_id = %(tenant)s and s.team_memory_id = any(%(records)s::uuid[])
order by s.team_memory_id, s.shared_at, s.member_id;


-- name: list_team_memory_versions
-- List the versions of a shared record, newest first.
select * from team_memory_version
where tenant_id = %(tenant)s and team_memory_id = %(record)s
order by version desc;


-- name: revise_team_memory
-- Update a shared record to a new version.
update team_memory
set type = %(type)s, body = %(body)s, content_hash = %(content_hash)s, version = %(version)s,
    changed_at = %(now)s
where tenant_id = %(tenant)s and team_memory_id = %(record)s
returning *;


-- name: drop_team_memory
-- Delete a shared record with its versions and contributions.
delete from team_memory where tenant_id = %(tenant)s and team_memory_id = %(record)s;


-- name: shared_collections
-- Those of some collections that are of no single member.
select collection_id, name from collection
where tenant_id = %(tenant)s and collection_id = any(%(collections)s::uuid[])
    and owner_id is null
order by name;


-- name: readable_team_memory
-- List the newest shared records of the assistant's collections that are open to all or to one of
-- the caller's groups.
select m.* from team_memory m
join collection c on c.tenant_id = m.tenant_id and c.collection_id = m.collection_id
join assistant_collection a on a.tenant_id = m.tenant_id and a.collection_id = m.collection_id
where m.tenant_id = %(tenant)s and a.assistant_id = %(assistant)s and c.owner_id is null
    and (c.audience = '{}' or c.audience && %(groups)s::text[])
order by m.team_memory_id desc
limit %(count)s;
