-- name: list_limits
-- The limits that a tenant has of its own.
select subject, resource, window_seconds, most from usage_limit
where tenant_id = %(tenant)s
order by subject, resource, window_seconds;


-- name: drop_limits
-- All of a tenant's own limits.
delete from usage_limit where tenant_id = %(tenant)s;


-- name: add_limit
-- A limit of a tenant's own.
insert into usage_limit (tenant_id, subject, resource, window_seconds, most)
values (%(tenant)s, %(subject)s, %(resource)s, %(window_seconds)s, %(most)s);


-- name: used_documents
-- How many documents a tenant has.
select count(*) as used from document where tenant_id = %(tenant)s;


-- name: used_document_mb
-- Megabytes of a tenant's documents, with files that are on their way.
select (
    coalesce((select sum(bytes) from document where tenant_id = %(tenant)s), 0)
    + coalesce((select sum(octet_length(content)) from file_part where tenant_id = %(tenant)s), 0)
) / 1000000 as used;


-- name: used_sources
-- How many sources a tenant has.
select count(*) as used from source where tenant_id = %(tenant)s;


-- name: used_collections
-- How many collections a tenant has, people's own ones aside.
select count(*) as used from collection where tenant_id = %(tenant)s and owner_id is null;


-- name: used_members
-- How many members a tenant has.
select count(*) as used from member where tenant_id = %(tenant)s;


-- name: used_profiles
-- How many profiles a member has.
select count(*) as used from profile where tenant_id = %(tenant)s and member_id = %(member)s;
