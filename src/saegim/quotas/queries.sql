-- name: list_limits
-- A tenant's own limits.
select subject, resource, window_seconds, most from usage_limit
where tenant_id = %(tenant)s
order by subject, resource, window_seconds;


-- name: drop_limits
-- Deletes a tenant's own limits.
delete from usage_limit where tenant_id = %(tenant)s;


-- name: add_limit
-- Adds a limit.
insert into usage_limit (tenant_id, subject, resource, window_seconds, most)
values (%(tenant)s, %(subject)s, %(resource)s, %(window_seconds)s, %(most)s);


-- name: used_documents
-- Counts a tenant's documents.
select count(*) as used from document where tenant_id = %(tenant)s;


-- name: used_document_mb
-- Megabytes of a tenant's documents, their originals and pending files.
select (
    coalesce((select sum(bytes) from document where tenant_id = %(tenant)s), 0)
    + coalesce((select sum(size) from original where tenant_id = %(tenant)s), 0)
    + coalesce((select sum(octet_length(content)) from file_part where tenant_id = %(tenant)s), 0)
) / 1000000 as used;


-- name: used_sources
-- Counts a tenant's sources.
select count(*) as used from source where tenant_id = %(tenant)s;


-- name: used_collections
-- Counts a tenant's collections, without users' own.
select count(*) as used from collection where tenant_id = %(tenant)s and owner_id is null;


-- name: used_members
-- Counts a tenant's members.
select count(*) as used from member where tenant_id = %(tenant)s;


-- name: used_profiles
-- Counts a member's profiles.
select count(*) as used from profile where tenant_id = %(tenant)s and member_id = %(member)s;
