-- name: add_ingest
-- Files are about to come into a collection of the tenant's.
insert into ingest (tenant_id, ingest_id, collection_id, type, source_id, created_at)
select %(tenant)s, %(ingest)s, collection_id, %(type)s, %(source)s::uuid, %(now)s
from collection where tenant_id = %(tenant)s and collection_id = %(collection)s;

-- name: add_ingest_file
-- A file that is being received; one of the same name starts again.
insert into ingest_file (
    tenant_id, file_id, ingest_id, name, media_type, state, created_at, updated_at
)
select %(tenant)s, %(file)s, ingest_id, %(name)s, %(media_type)s, 'receiving', %(now)s, %(now)s
from ingest where tenant_id = %(tenant)s and ingest_id = %(ingest)s
on conflict (tenant_id, ingest_id, name) do update
set state = 'receiving', size = 0, media_type = excluded.media_type,
    updated_at = excluded.updated_at
where ingest_file.state <> 'storing'
returning file_id;

-- name: drop_file_parts
-- The content of a file, once it is not needed any more.
delete from file_part where tenant_id = %(tenant)s and file_id = %(file)s;

-- name: add_file_part
-- The next part of a file's content.
insert into file_part (tenant_id, file_id, part, content)
values (%(tenant)s, %(file)s, %(part)s, %(content)s);

-- name: enqueue_file
-- A file that was received whole.
update ingest_file
set state = 'waiting', updated_at = %(now)s,
    size = (
        select coalesce(sum(length(content)), 0) from file_part
        where tenant_id = %(tenant)s and file_id = %(file)s
    )
where tenant_id = %(tenant)s and file_id = %(file)s
returning ingest_id;

-- name: find_ingest
-- An ingest.
select * from ingest where tenant_id = %(tenant)s and ingest_id = %(ingest)s;

-- name: list_ingest_files
-- The files of an ingest, in the order they came.
select * from ingest_file
where tenant_id = %(tenant)s and ingest_id = %(ingest)s
order by created_at, file_id;

-- name: find_ingest_file
-- A file, by id.
select * from ingest_file where tenant_id = %(tenant)s and file_id = %(file)s;

-- name: read_file_part
-- One part of a file's content.
select content from file_part
where tenant_id = %(tenant)s and file_id = %(file)s and part = %(part)s;

-- name: note_progress
-- How far a file is; tells whether its ingest is to stop.
update ingest_file f
set state = %(state)s, documents = %(documents)s, passages = %(passages)s, stored = %(stored)s,
    embedded = %(embedded)s, removed = %(removed)s, updated_at = %(now)s
from ingest i
where f.tenant_id = %(tenant)s and f.file_id = %(file)s
    and i.tenant_id = %(tenant)s and i.ingest_id = f.ingest_id
returning i.cancel_requested;

-- name: finish_file
-- The end of a file.
update ingest_file set state = %(state)s, error = %(error)s, updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s;

-- name: ingest_over
-- The ingest of a file, if none of its files is still on its way; none of a person's own.
select f.ingest_id from ingest_file f
join ingest i on i.tenant_id = f.tenant_id and i.ingest_id = f.ingest_id
join collection c on c.tenant_id = i.tenant_id and c.collection_id = i.collection_id
where f.tenant_id = %(tenant)s and f.file_id = %(file)s and c.owner_id is null
    and not exists (
        select 1 from ingest_file o
        where o.tenant_id = %(tenant)s and o.ingest_id = f.ingest_id
            and o.state not in ('done', 'failed', 'cancelled')
    );

-- name: cancel_ingest
-- Whoever works on a file of the ingest sees this with its next batch.
update ingest set cancel_requested = true
where tenant_id = %(tenant)s and ingest_id = %(ingest)s
returning ingest_id;
