-- name: server_identity
-- The cluster's own id: two databases with the same one share a server and its backups.
select system_identifier from pg_control_system();

-- name: sees_all_tenants
-- Whether this login is above the fence between tenants.
select rolsuper or rolbypassrls as above from pg_roles where rolname = current_user;

-- name: index_uses
-- Across tenants, for operators: which embedder their indexes were made with.
select subject, embedder, dimensions, count(*) as tenants
from saegim.index_state
group by subject, embedder, dimensions
order by subject, embedder, dimensions;

-- name: all_tenants
-- Across tenants, for operators: everyone there is, oldest first.
select tenant_id from saegim.tenant order by created_at, tenant_id;

-- name: stored_revision
-- The revision of the schema.
select version_num from saegim.schema_revision;
