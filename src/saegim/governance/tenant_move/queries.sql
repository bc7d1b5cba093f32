-- name: find_move
-- A tenant's move that is under way, or that waits to be confirmed.
select from_cell, to_cell, state, copied, since from tenant_move where tenant_id = %(tenant)s;


-- name: begin_move
-- A move begins, or the way back of one that was not confirmed.
insert into tenant_move (tenant_id, from_cell, to_cell, copied, since, started_at)
values (%(tenant)s, %(from_cell)s, %(to_cell)s, %(copied)s, %(since)s, %(now)s)
on conflict (tenant_id) do update
set from_cell = excluded.from_cell, to_cell = excluded.to_cell, copied = excluded.copied,
    since = excluded.since, state = 'copying', started_at = excluded.started_at, switched_at = null;


-- name: note_copied
-- How far a move is: tables that are over there, as of when.
update tenant_move set copied = %(copied)s, since = %(since)s where tenant_id = %(tenant)s;


-- name: note_switched
-- The tenant lives in the other cell; `since` is where the way back begins.
update tenant_move set state = 'switched', since = %(since)s, switched_at = %(now)s
where tenant_id = %(tenant)s;


-- name: end_move
-- A move is over for good.
delete from tenant_move where tenant_id = %(tenant)s;


-- name: jobs_of_tenant
-- What is in line for a tenant, oldest first.
select task_name, status::text as status, lock, args ->> 'subject' as subject, scheduled_at
from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::text and status in ('todo', 'doing', 'failed')
order by id;


-- name: drop_jobs_of_tenant
-- Takes all that is in line for a tenant out of it.
delete from procrastinate_jobs
where args ->> 'tenant' = %(tenant)s::text and status in ('todo', 'doing', 'failed');


-- name: watch_moved_turn
-- The job that watches a turn has another number in another cell.
update turn set watch_job = %(watch_job)s
where tenant_id = %(tenant)s and turn_id = %(turn)s;


-- name: set_job_aside
-- A job that is queued as a dead letter: it failed for good where it came from.
update procrastinate_jobs set status = 'failed'
where id = %(job)s and args ->> 'tenant' = %(tenant)s::text;


-- name: index_lags
-- Whether the search index has still to be told of something.
select 1 as lags from index_change where tenant_id = %(tenant)s limit 1;


-- name: count_tenants_by_cell
-- How many tenants live in each cell, for operators.
select cell, count(*) as tenants from tenant_directory group by cell order by cell;
