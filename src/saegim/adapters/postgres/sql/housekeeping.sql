-- name: sweep_uploads
-- Uploads of which nothing came for a while: they broke off.
update ingest_file set state = 'failed', error = 'upload_broke_off', updated_at = %(now)s
where tenant_id = %(tenant)s and file_id in (
    select file_id from ingest_file
    where tenant_id = %(tenant)s and state = 'receiving' and updated_at < %(before)s
    order by updated_at limit %(most)s
    for update skip locked
)
returning file_id;

-- name: receiving_files
-- Whether a file of a tenant's is being received.
select 1 from ingest_file where tenant_id = %(tenant)s and state = 'receiving'
order by updated_at limit 1;

-- name: cancel_received
-- Files of an ingest that nobody works on yet.
update ingest_file set state = 'cancelled', updated_at = %(now)s
where tenant_id = %(tenant)s and ingest_id = %(ingest)s and state = 'receiving'
returning file_id;

-- name: abandon_upload
-- A file whose upload broke off.
update ingest_file set state = 'failed', error = 'upload_broke_off', updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s and state = 'receiving'
returning file_id;

-- name: drop_parts_of_files
-- The content of files that are not needed any more.
delete from file_part where tenant_id = %(tenant)s and file_id = any(%(files)s);

-- name: note_received
-- Something of a file came: it has not broken off.
update ingest_file set updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s and state = 'receiving'
returning file_id;

-- name: drop_old_ingests
-- Ingests that are over for long; their documents stay.
delete from ingest where tenant_id = %(tenant)s and ingest_id in (
    select i.ingest_id from ingest i
    where i.tenant_id = %(tenant)s and i.created_at < %(before)s
        and not exists (
            select 1 from ingest_file f
            where f.tenant_id = %(tenant)s and f.ingest_id = i.ingest_id
                and f.state not in ('done', 'failed', 'cancelled')
        )
        and not exists (
            select 1 from source s where s.tenant_id = %(tenant)s and s.run_id = i.ingest_id
        )
    order by i.created_at limit %(most)s
);

-- name: drop_old_usage
-- Usage events past their time.
delete from usage_event where tenant_id = %(tenant)s and turn_id in (
    select turn_id from usage_event
    where tenant_id = %(tenant)s and occurred_at < %(before)s
    order by occurred_at limit %(most)s
);
