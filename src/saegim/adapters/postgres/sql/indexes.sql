-- name: hold_index_state
-- The embedder of one of a tenant's indexes, held: it does not change before the transaction ends.
select embedder, index_version from index_state
where tenant_id = %(tenant)s and subject = %(subject)s
for share;

-- name: lock_index_states
-- A tenant's pointers, locked: whoever writes vectors has written them, or waits.
select subject, index_version, embedder, dimensions from index_state
where tenant_id = %(tenant)s
order by subject
for update;

-- name: point_at_index
-- The build of the index that serves from now on.
update index_state
set index_version = %(generation)s, embedder = %(embedder)s, dimensions = %(dimensions)s,
    activated_at = %(now)s
where tenant_id = %(tenant)s and subject = %(subject)s;

-- name: retire_index
-- What served until now, kept for those who still read it.
insert into retired_index (tenant_id, subject, index_version, embedder, retired_at)
select %(tenant)s, subject, index_version, embedder, %(now)s from index_state
where tenant_id = %(tenant)s and subject = %(subject)s and index_version > 0
on conflict (tenant_id, subject, index_version) do update set retired_at = excluded.retired_at;

-- name: retired_indexes
-- What was replaced long enough ago.
select subject, index_version, embedder from retired_index
where tenant_id = %(tenant)s and retired_at <= %(before)s
order by subject, index_version;

-- name: forget_retired_index
-- A replaced index that is gone.
delete from retired_index
where tenant_id = %(tenant)s and subject = %(subject)s and index_version = %(generation)s;

-- name: embedder_is_needed
-- Whether another index of the library than a retired one is made with an embedder: one that
-- serves, is built, is kept, or is moved to.
select exists (
        select from index_state
        where tenant_id = %(tenant)s and subject = %(subject)s and embedder = %(embedder)s
    )
    or exists (select from index_build where tenant_id = %(tenant)s and embedder = %(embedder)s)
    or exists (
        select from retired_index
        where tenant_id = %(tenant)s and subject = %(subject)s and embedder = %(embedder)s
            and index_version <> %(generation)s
    )
    or exists (
        select from reembed
        where tenant_id = %(tenant)s and embedder = %(embedder)s and state = 'running'
    ) as needed;

-- name: index_states
-- A tenant's pointers.
select subject, embedder from index_state where tenant_id = %(tenant)s;

-- name: find_index_build
-- The build of the library's index that is on its way.
select index_version, embedder, dimensions, after, passages from index_build
where tenant_id = %(tenant)s;

-- name: keep_index_build
-- How far a build is; it takes the place of any other.
insert into index_build (
    tenant_id, index_version, embedder, dimensions, after, passages, started_at
)
values (
    %(tenant)s, %(generation)s, %(embedder)s, %(dimensions)s, %(after)s, %(passages)s,
    %(now)s
)
on conflict (tenant_id) do update
set index_version = excluded.index_version, embedder = excluded.embedder,
    dimensions = excluded.dimensions, after = excluded.after, passages = excluded.passages,
    started_at = case
        when index_build.index_version = excluded.index_version then index_build.started_at
        else excluded.started_at
    end;

-- name: forget_index_build
-- A build that serves, or is given up.
delete from index_build where tenant_id = %(tenant)s;

-- name: newest_generation
-- The highest number that a build of the library's index has had, as far as it is still known.
select greatest(
    (select index_version from index_state where tenant_id = %(tenant)s and subject = %(subject)s),
    (select index_version from index_build where tenant_id = %(tenant)s),
    (
        select max(index_version) from retired_index
        where tenant_id = %(tenant)s and subject = %(subject)s
    )
) as newest;

-- name: embedders_in_use
-- The embedders that indexes of this cell are made with, whosever they are.
select embedder from saegim.embedder_use where indexes > 0 order by embedder;
