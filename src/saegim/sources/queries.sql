-- name: add_source
-- Adds a source; its secret is encrypted.
insert into source (
    tenant_id, source_id, collection_id, kind, type, config, secret, every_seconds, limits,
    created_at
)
values (
    %(tenant)s, %(source)s, %(collection)s, %(kind)s, %(type)s, %(config)s, %(secret)s,
    %(every_seconds)s, %(limits)s, %(now)s
);


-- name: find_same_source
-- A source with the same configuration and collection, so that adding is idempotent.
select source_id from source
where tenant_id = %(tenant)s and collection_id = %(collection)s and kind = %(kind)s
    and config = %(config)s and not removing
order by source_id
limit 1;


-- name: find_source
-- A source, locked.
select * from source where tenant_id = %(tenant)s and source_id = %(source)s for update;


-- name: list_sources
-- Sources that are not being removed, with document counts.
select s.*, c.name as collection,
    (
        select count(*) from document d
        where d.tenant_id = %(tenant)s and d.source_id = s.source_id
    ) as documents
from source s
join collection c on c.tenant_id = s.tenant_id and c.collection_id = s.collection_id
where s.tenant_id = %(tenant)s and c.tenant_id = %(tenant)s and not s.removing
    and (%(source)s::uuid is null or s.source_id = %(source)s)
order by s.source_id;


-- name: failing_items
-- Items that failed to be fetched or parsed.
select i.key, coalesce(i.error, f.error, f.state) as error
from source_item i
left join ingest_file f on f.tenant_id = i.tenant_id and f.file_id = i.file_id
where i.tenant_id = %(tenant)s and i.source_id = %(source)s
    and (i.error is not null or f.state in ('failed', 'cancelled'))
order by i.key
limit %(count)s;


-- name: mark_removing
-- Marks a source for removal.
update source set removing = true
where tenant_id = %(tenant)s and source_id = %(source)s and not removing
returning source_id;


-- name: open_run
-- Starts a run with all counts at zero.
update source
set run_id = %(run)s, listed = 0, changed = 0, unchanged = 0, failed = 0, removed = 0, bytes = 0
where tenant_id = %(tenant)s and source_id = %(source)s
returning *;


-- name: close_run
-- Ends a run.
update source set run_id = null, synced_at = %(now)s, error = %(error)s
where tenant_id = %(tenant)s and source_id = %(source)s;


-- name: count_in_run
-- Adds to the counts of a run.
update source
set listed = listed + %(listed)s, changed = changed + %(changed)s,
    unchanged = unchanged + %(unchanged)s, failed = failed + %(failed)s,
    removed = removed + %(removed)s, bytes = bytes + %(bytes)s
where tenant_id = %(tenant)s and source_id = %(source)s;


-- name: seen_items
-- Items that a run has processed.
select key from source_item
where tenant_id = %(tenant)s and source_id = %(source)s and seen_in = %(run)s;


-- name: known_items
-- Stored versions of items; an item that failed to parse is fetched again.
select i.key, i.version, i.etag, i.modified, i.content_hash
from source_item i
left join ingest_file f on f.tenant_id = i.tenant_id and f.file_id = i.file_id
where i.tenant_id = %(tenant)s and i.source_id = %(source)s and i.key = any(%(keys)s::text[])
    and i.content_hash is not null and coalesce(f.state not in ('failed', 'cancelled'), true);


-- name: claim_item
-- Links an item to the file being ingested.
insert into source_item (tenant_id, source_id, key, file_id)
values (%(tenant)s, %(source)s, %(key)s, %(file)s)
on conflict (tenant_id, source_id, key) do update set file_id = excluded.file_id;


-- name: note_item
-- Saves an item that a run has processed.
insert into source_item (
    tenant_id, source_id, key, version, etag, modified, content_hash, seen_in
)
values (
    %(tenant)s, %(source)s, %(key)s, %(version)s, %(etag)s, %(modified)s, %(content_hash)s,
    %(run)s
)
on conflict (tenant_id, source_id, key) do update
set version = excluded.version, etag = excluded.etag, modified = excluded.modified,
    content_hash = excluded.content_hash, seen_in = excluded.seen_in, gone = false, error = null;


-- name: see_documents
-- Notes that the documents of items were seen; the documents do not change.
update document set seen_at = %(now)s
where tenant_id = %(tenant)s and source_id = %(source)s and source_key = any(%(keys)s::text[]);


-- name: note_item_fault
-- Saves an item that failed or is gone.
insert into source_item (tenant_id, source_id, key, seen_in, gone, error)
values (%(tenant)s, %(source)s, %(key)s, %(run)s, %(gone)s, %(error)s)
on conflict (tenant_id, source_id, key) do update
set seen_in = excluded.seen_in, gone = excluded.gone, error = excluded.error;


-- name: find_item_left
-- Whether a run saw an item that still exists.
select key from source_item
where tenant_id = %(tenant)s and source_id = %(source)s and seen_in = %(run)s and not gone
limit 1;


-- name: forget_items
-- Deletes items that are gone or missing in a complete listing.
delete from source_item
where tenant_id = %(tenant)s and source_id = %(source)s
    and (gone or (%(unseen)s and (seen_in is null or seen_in <> %(run)s)));


-- name: forget_all_items
-- Deletes all items of a source that is being removed.
delete from source_item where tenant_id = %(tenant)s and source_id = %(source)s;


-- name: left_over_documents
-- Documents of a source that have no item.
select d.document_id from document d
where d.tenant_id = %(tenant)s and d.source_id = %(source)s
    and not exists (
        select 1 from source_item i
        where i.tenant_id = %(tenant)s and i.source_id = %(source)s and i.key = d.source_key
    )
limit %(count)s;


-- name: remove_source
-- Deletes a source that has no documents.
delete from source where tenant_id = %(tenant)s and source_id = %(source)s;
