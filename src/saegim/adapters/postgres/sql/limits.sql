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
