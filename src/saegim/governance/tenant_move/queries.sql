-- name: find_move
-- A tenant's move that is running or not confirmed.
select from_cell, to_cell, state, copied, since from tenant_move where tenant_id = %(tenant)s;


-- name: begin_move
-- Starts a move, or the way back of an unconfirmed one.
insert into tenant_move (tenant_id, from_cell, to_cell, copied, since, started_at)
values (%(tenant)s, %(from_cell)s, %(to_cell)s, %(copied)s, %(since)s, %(now)s)
on conflict (tenant_id) do update
set from_cell = excluded.from_cell, to_cell = excluded.to_cell, copied = excluded.copied,
    since = excluded.since, state = 'copying', started_at = excluded.started_at, switched_at = null;


-- name: note_copied
-- Saves progress: the copied tables and their snapshot.
update tenant_move set copied = %(copied)s, since = %(since)s where tenant_id = %(tenant)s;


-- name: note_switched
-- Switches the tenant to the target cell; `since` is the start of the way back.
update tenant_move set state = 'switched', since = %(since)s, switched_at = %(now)s
where tenant_id = %(tenant)s;


-- name: end_move
-- Ends a move.
delete from tenant_move where tenant_id = %(tenant)s;


-- name: jobs_of_tenant
-- Queued jobs of a tenant, oldest first.
select task_name, status::text as status, lock, args ->> 'subject' as subject, scheduled_at
from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::text and status in ('todo', 'doing', 'failed')
order by id;


-- name: drop_jobs_of_tenant
-- Deletes a tenant's queued jobs.
delete from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::text and status in ('todo', 'doing', 'failed');


-- name: watch_moved_turn
-- Sets the id of a turn's watch job, which differs between cells.
update turn set watch_job = %(watch_job)s
where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: set_job_aside
-- Marks a copied job as failed: it was a dead letter in the source cell.
update procrastinate_jobs set status = 'failed'
where id = %(job)s and args ->> 'tenant' = %(tenant)s::text;


-- name: index_lags
-- Whether index changes are pending.
select 1 as lags from index_change where tenant_id = %(tenant)s limit 1;


-- name: count_tenants_by_cell
-- Counts tenants by cell.
select cell, count(*) as tenants from tenant_directory group by cell order by cell;
