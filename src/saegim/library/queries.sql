-- name: find_index_state
-- The active build and embedder of a tenant's index.
select index_version, embedder, dimensions from index_state
where tenant_id = %(tenant)s and subject = %(subject)s;


-- name: sweep_uploads
-- Marks uploads as failed that received nothing for a while.
update ingest_file set state = 'failed', error = 'upload_broke_off', updated_at = %(now)s
where tenant_id = %(tenant)s and file_id in (
    select file_id from ingest_file
    where tenant_id = %(tenant)s and state = 'receiving' and updated_at < %(before)s
    order by updated_at limit %(most)s
    for update skip locked
)
returning file_id;


-- name: receiving_files
-- Checks whether a tenant is uploading a file.
select 1 from ingest_file where tenant_id = %(tenant)s and state = 'receiving'
order by updated_at limit 1;


-- name: cancel_received
-- Cancels the files of an ingest that are still being uploaded.
update ingest_file set state = 'cancelled', updated_at = %(now)s
where tenant_id = %(tenant)s and ingest_id = %(ingest)s and state = 'receiving'
returning file_id;


-- name: abandon_upload
-- Marks an interrupted upload as failed.
update ingest_file set state = 'failed', error = 'upload_broke_off', updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s and state = 'receiving'
returning file_id;


-- name: drop_parts_of_files
-- Deletes the content of processed files.
delete from file_part where tenant_id = %(tenant)s and file_id = any(%(files)s);


-- name: note_received
-- Renews the time of the last received part.
update ingest_file set updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s and state = 'receiving'
returning file_id;


-- name: lock_index_state
-- The embedder of a tenant's index, locked until the transaction ends.
select embedder, index_version from index_state
where tenant_id = %(tenant)s and subject = %(subject)s
for share;


-- name: point_at_index
-- Switches the build that serves searches.
update index_state
set index_version = %(generation)s, embedder = %(embedder)s, dimensions = %(dimensions)s,
    activated_at = %(now)s
where tenant_id = %(tenant)s and subject = %(subject)s;


-- name: retire_index
-- Keeps the build that served so far for its current readers.
insert into retired_index (tenant_id, subject, index_version, embedder, retired_at)
select %(tenant)s, subject, index_version, embedder, %(now)s from index_state
where tenant_id = %(tenant)s and subject = %(subject)s and index_version > 0
on conflict (tenant_id, subject, index_version) do update set retired_at = excluded.retired_at;


-- name: find_index_build
-- The rebuild in progress.
select index_version, embedder, dimensions, after, passages from index_build
where tenant_id = %(tenant)s;


-- name: save_index_build
-- Saves the progress of a rebuild, replacing any other.
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
-- Deletes a finished or abandoned rebuild.
delete from index_build where tenant_id = %(tenant)s;


-- name: newest_generation
-- The highest known build number of the library's index.
select greatest(
    (select index_version from index_state where tenant_id = %(tenant)s and subject = %(subject)s),
    (select index_version from index_build where tenant_id = %(tenant)s),
    (
        select max(index_version) from retired_index
        where tenant_id = %(tenant)s and subject = %(subject)s
    )
) as newest;


-- name: add_ingest
-- Starts an ingest into a collection.
insert into ingest (tenant_id, ingest_id, collection_id, type, source_id, added_by, created_at)
select %(tenant)s, %(ingest)s, collection_id, %(type)s, %(source)s::uuid, %(added_by)s::uuid,
    %(now)s
from collection where tenant_id = %(tenant)s and collection_id = %(collection)s;


-- name: add_ingest_file
-- Starts an upload, replacing a file of the same name.
insert into ingest_file (
    tenant_id, file_id, ingest_id, name, media_type, modified_at, state, created_at, updated_at
)
select %(tenant)s, %(file)s, ingest_id, %(name)s, %(media_type)s, %(modified)s::timestamptz,
    'receiving', %(now)s, %(now)s
from ingest where tenant_id = %(tenant)s and ingest_id = %(ingest)s
on conflict (tenant_id, ingest_id, name) do update
set state = 'receiving', size = 0, media_type = excluded.media_type,
    modified_at = excluded.modified_at, updated_at = excluded.updated_at
where ingest_file.state <> 'storing'
returning file_id;


-- name: drop_file_parts
-- Deletes the content of a file.
delete from file_part where tenant_id = %(tenant)s and file_id = %(file)s;


-- name: add_file_part
-- Adds the next part of a file's content.
insert into file_part (tenant_id, file_id, part, content)
values (%(tenant)s, %(file)s, %(part)s, %(content)s);


-- name: enqueue_file
-- Marks a file as completely received.
update ingest_file
set state = 'waiting', updated_at = %(now)s,
    size = (
        select coalesce(sum(length(content)), 0) from file_part
        where tenant_id = %(tenant)s and file_id = %(file)s
    )
where tenant_id = %(tenant)s and file_id = %(file)s
returning *;


-- name: find_ingest
-- One ingest.
select * from ingest where tenant_id = %(tenant)s and ingest_id = %(ingest)s;


-- name: ingest_access
-- The collection of an ingest, its type, and who may write to the collection.
select i.type, c.collection_id, c.owner_id, c.audience
from ingest i
join collection c on c.tenant_id = i.tenant_id and c.collection_id = i.collection_id
where i.tenant_id = %(tenant)s and i.ingest_id = %(ingest)s;


-- name: list_ingest_files
-- The files of an ingest, in upload order, and the document of each finished one.
select f.*, d.document_id
from ingest_file f
join ingest i on i.tenant_id = f.tenant_id and i.ingest_id = f.ingest_id
left join document d on d.tenant_id = %(tenant)s and d.collection_id = i.collection_id
    and d.document_id = f.document_id and f.state = 'done'
where f.tenant_id = %(tenant)s and f.ingest_id = %(ingest)s and i.tenant_id = %(tenant)s
order by f.created_at, f.file_id;


-- name: find_importing_file
-- A file of this name that is being imported into one of the collections.
select f.file_id
from ingest i
join ingest_file f on f.tenant_id = i.tenant_id and f.ingest_id = i.ingest_id
where i.tenant_id = %(tenant)s and i.collection_id = any(%(collections)s::uuid[])
    and f.tenant_id = %(tenant)s and f.name = %(name)s
    and f.state in ('receiving', 'waiting', 'reading', 'storing')
limit 1;


-- name: smaller_file_waits
-- Whether a file is large and waits beside a small file of its ingest.
select 1 from ingest_file f
join ingest_file o on o.tenant_id = f.tenant_id and o.ingest_id = f.ingest_id
where f.tenant_id = %(tenant)s and f.file_id = %(file)s and f.state = 'waiting'
    and f.size >= %(large)s and o.state = 'waiting' and o.size < %(large)s
limit 1;


-- name: start_file
-- Notes that a file is being read, unless it is over or being uploaded again.
update ingest_file
set state = 'reading', error = null, documents = 0, passages = 0, stored = 0, embedded = 0,
    removed = 0, updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s
    and (state not in ('receiving', 'done', 'failed', 'cancelled') or error = 'internal')
returning *;


-- name: give_up_file
-- Fails a file whose job failed for good, unless it is over.
update ingest_file set state = 'failed', error = 'internal', updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s
    and state not in ('receiving', 'done', 'failed', 'cancelled');


-- name: read_file_part
-- One part of a file's content.
select content from file_part
where tenant_id = %(tenant)s and file_id = %(file)s and part = %(part)s;


-- name: note_progress
-- Saves the progress of a file; returns whether its ingest was cancelled.
update ingest_file f
set state = %(state)s, documents = %(documents)s, passages = %(passages)s, stored = %(stored)s,
    embedded = %(embedded)s, removed = %(removed)s, updated_at = %(now)s
from ingest i
where f.tenant_id = %(tenant)s and f.file_id = %(file)s
    and i.tenant_id = %(tenant)s and i.ingest_id = f.ingest_id
returning i.cancel_requested;


-- name: finish_file
-- Records the final state of a file.
update ingest_file
set state = %(state)s, error = %(error)s, document_id = %(document)s, documents = %(documents)s,
    passages = %(passages)s, stored = %(stored)s, embedded = %(embedded)s, removed = %(removed)s,
    updated_at = %(now)s
where tenant_id = %(tenant)s and file_id = %(file)s;


-- name: ingest_over
-- The ingest of a file if all its files are done; none of a private collection.
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
-- Cancels an ingest; workers see it with their next batch.
update ingest set cancel_requested = true
where tenant_id = %(tenant)s and ingest_id = %(ingest)s
returning ingest_id;


-- name: open_document
-- Creates a document; its row is unchanged until all of it is stored.
insert into document (
    tenant_id, document_id, collection_id, outside_id, lookup_key, type, title, version, metadata,
    created_at, updated_at
)
values (
    %(tenant)s, %(document)s, %(collection)s, %(outside_id)s, %(lookup_key)s, %(type)s, %(title)s,
    %(version)s, %(metadata)s, %(now)s, %(now)s
);


-- name: find_known_documents
-- The ids and hashes of stored documents.
select document_id, outside_id, content_hash, source_id from document
where tenant_id = %(tenant)s and collection_id = %(collection)s and outside_id = any(%(names)s);


-- name: stamp_file
-- Sets what is known of a document whose content is unchanged, and that it was seen now.
update document
set file_hash = %(digest)s, file_documents = %(documents)s, seen_at = %(now)s,
    modified_at = coalesce(%(modified)s, modified_at), added_by = coalesce(%(added_by)s, added_by),
    text_hash = %(text_hash)s, signature = %(signature)s, near_key = %(near_key)s,
    near_key_2 = %(near_key_2)s
where tenant_id = %(tenant)s and document_id = %(document)s;


-- name: see_files
-- Notes that the documents of unchanged files were seen.
update document set seen_at = %(now)s
where tenant_id = %(tenant)s and collection_id = %(collection)s
    and file_hash = any(%(digests)s::bytea[]);


-- name: unchanged_files
-- Files whose documents are all stored and not replaced by another file.
select file_hash from document
where tenant_id = %(tenant)s and collection_id = %(collection)s
    and file_hash = any(%(digests)s::bytea[]) and content_hash is not null
group by file_hash
having count(*) = max(file_documents);


-- name: stored_passages
-- Hashes and positions of a document's stored passages.
select passage_id, section_id, ordinal, content_hash from passage
where tenant_id = %(tenant)s and document_id = %(document)s
order by ordinal, passage_id;


-- name: list_sections
-- The sections of a document, in order.
select section_id, ordinal, path from section
where tenant_id = %(tenant)s and document_id = %(document)s
order by ordinal, section_id;


-- name: add_section
-- Adds a section.
insert into section (tenant_id, section_id, document_id, ordinal, path)
values (%(tenant)s, %(section)s, %(document)s, %(ordinal)s, %(path)s);


-- name: move_section
-- Changes the position of a section.
update section set ordinal = %(ordinal)s
where tenant_id = %(tenant)s and section_id = %(section)s and ordinal <> %(ordinal)s;


-- name: add_passage
-- Adds a passage.
insert into passage (
    tenant_id, passage_id, document_id, section_id, ordinal, text, content_hash, tokens,
    has_steps, has_conditions, has_table, language, names, locator
)
values (
    %(tenant)s, %(passage)s, %(document)s, %(section)s, %(ordinal)s, %(text)s, %(content_hash)s,
    %(tokens)s, %(has_steps)s, %(has_conditions)s, %(has_table)s, %(language)s, %(names)s,
    %(locator)s
);


-- name: add_passage_vector
-- Adds a passage's vector, so that a rebuild embeds nothing.
insert into passage_vector (tenant_id, passage_id, embedder, embedding)
values (%(tenant)s, %(passage)s, %(embedder)s, %(embedding)s::halfvec)
on conflict (tenant_id, passage_id, embedder) do update set embedding = excluded.embedding;


-- name: note_index_change
-- Queues passages for the index.
insert into index_change (tenant_id, passage_id)
select %(tenant)s, passage from unnest(%(passages)s::uuid[]) as passage;


-- name: move_passage
-- Changes the position of a passage.
update passage set section_id = %(section)s, ordinal = %(ordinal)s, locator = %(locator)s
where tenant_id = %(tenant)s and passage_id = %(passage)s
    and (section_id, ordinal, locator)
        is distinct from (%(section)s, %(ordinal)s, %(locator)s::jsonb);


-- name: remove_passages
-- Deletes passages with their vectors.
delete from passage
where tenant_id = %(tenant)s and passage_id = any(%(passages)s::uuid[]);


-- name: remove_empty_sections
-- Deletes the sections of a document without passages.
delete from section s
where s.tenant_id = %(tenant)s and s.document_id = %(document)s
    and not exists (
        select 1 from passage p
        where p.tenant_id = %(tenant)s and p.section_id = s.section_id
    );


-- name: settle_document
-- Marks a document as completely stored.
update document
set type = %(type)s, title = %(title)s, version = %(version)s, metadata = %(metadata)s,
    content_hash = %(content_hash)s, updated_at = %(now)s, seen_at = %(now)s,
    modified_at = %(modified)s, added_by = %(added_by)s,
    file_hash = %(digest)s, file_documents = %(documents)s,
    text_hash = %(text_hash)s, signature = %(signature)s, near_key = %(near_key)s,
    near_key_2 = %(near_key_2)s,
    passages = (
        select count(*) from passage
        where tenant_id = %(tenant)s and document_id = %(document)s
    ),
    bytes = (
        select coalesce(sum(octet_length(text)), 0) from passage
        where tenant_id = %(tenant)s and document_id = %(document)s
    )
where tenant_id = %(tenant)s and document_id = %(document)s;


-- name: retyped_passages
-- The passages of a document whose type or title is about to change in the index.
select p.passage_id
from document d join passage p on p.tenant_id = d.tenant_id and p.document_id = d.document_id
where d.tenant_id = %(tenant)s and d.document_id = %(document)s
    and (d.type, d.title) is distinct from (%(type)s, %(title)s);


-- name: passages_to_remove
-- All passages of a document.
select p.passage_id
from document d join passage p on p.tenant_id = d.tenant_id and p.document_id = d.document_id
where d.tenant_id = %(tenant)s and d.document_id = %(document)s;


-- name: remove_document
-- Deletes a document with its sections and passages.
delete from document
where tenant_id = %(tenant)s and document_id = %(document)s
returning document_id, original_id;


-- name: readable_collections
-- The assistant's collections that are open to all or to one of the caller's groups, and the
-- caller's own.
select c.collection_id
from assistant_collection a
join collection c on c.tenant_id = a.tenant_id and c.collection_id = a.collection_id
where a.tenant_id = %(tenant)s and a.assistant_id = %(assistant)s and c.owner_id is null
    and (c.audience = '{}' or c.audience && %(groups)s::text[])
union all
select collection_id from collection
where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: readable_of_draft
-- Those of a draft's collections that are open to all or to one of the caller's groups, and the
-- caller's own.
select collection_id from collection
where tenant_id = %(tenant)s and collection_id = any(%(collections)s::uuid[]) and owner_id is null
    and (audience = '{}' or audience && %(groups)s::text[])
union all
select collection_id from collection
where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: add_own_collection
-- Creates a member's private collection unless it exists. Its name and audience match no other
-- name and no group.
insert into collection (tenant_id, collection_id, name, audience, owner_id, created_at)
values (
    %(tenant)s, %(collection)s::uuid, (%(collection)s::uuid)::text,
    array[(%(collection)s::uuid)::text], %(member)s, %(now)s
)
on conflict (tenant_id, owner_id) where owner_id is not null do nothing;


-- name: collection_access
-- Who may write to a collection.
select collection_id, owner_id, audience from collection
where tenant_id = %(tenant)s and collection_id = %(collection)s;


-- name: find_own_collection
-- A member's private collection.
select collection_id from collection
where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: find_collection
-- A collection by name.
select collection_id from collection
where tenant_id = %(tenant)s and name = %(name)s and owner_id is null;


-- name: passage_locations
-- Passages with their documents and sections.
select p.*, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at,
       d.original_id, d.modified_at
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    and d.collection_id = any(%(collections)s::uuid[]);


-- name: find_document
-- A document by its outside id, in any spelling.
select * from document
where tenant_id = %(tenant)s and lookup_key = %(lookup_key)s
    and collection_id = any(%(collections)s::uuid[])
order by document_id
limit 1;


-- name: list_documents
-- Stored documents that a filter selects, newest first.
select d.*, c.name as collection, c.audience, c.owner_id, o.kind as source_kind,
       coalesce(o.config ->> 'url', o.config ->> 'path', o.config ->> 'bucket',
                o.config -> 'urls' ->> 0) as source,
       i.error as sync_error, k.size as file_size
from document d
join collection c on c.tenant_id = d.tenant_id and c.collection_id = d.collection_id
left join source o on o.tenant_id = d.tenant_id and o.source_id = d.source_id
left join source_item i on i.tenant_id = d.tenant_id and i.source_id = d.source_id
    and i.key = d.source_key
left join original k on k.tenant_id = d.tenant_id and k.original_id = d.original_id
    and d.file_documents = 1
where d.tenant_id = %(tenant)s and d.collection_id = any(%(collections)s::uuid[])
    and d.document_id < %(before)s and d.content_hash is not null
    and strpos(lower(concat(d.title, ' ', d.outside_id)), %(words)s) > 0
    and concat(d.type, ' ', d.outside_id) ~* %(kind)s
    and (%(stale_before)s::timestamptz is null
         or coalesce(d.modified_at, d.updated_at) < %(stale_before)s)
    and (not %(failing)s or i.error is not null)
    and (not %(duplicate)s or exists (
        select 1 from document n
        where n.tenant_id = %(tenant)s and n.document_id <> d.document_id
            and n.collection_id = any(%(readable)s::uuid[]) and n.content_hash is not null
            and (n.text_hash = d.text_hash
                 or (n.near_key = d.near_key or n.near_key_2 = d.near_key_2)
                 and (select count(*) from unnest(n.signature, d.signature) as s (a, b)
                      where s.a = s.b) >= %(nearly_same)s)
    ))
    and (not %(once)s or not exists (
        select 1 from document n
        where n.tenant_id = %(tenant)s and n.text_hash = d.text_hash
            and n.document_id > d.document_id and n.content_hash is not null
            and n.collection_id = any(%(collections)s::uuid[])
            and strpos(lower(concat(n.title, ' ', n.outside_id)), %(words)s) > 0
            and concat(n.type, ' ', n.outside_id) ~* %(kind)s
    ))
order by d.document_id desc
limit %(count)s;


-- name: list_sorted_documents
-- Stored documents that a filter selects, by title or the largest first, after a document.
select d.*, c.name as collection, c.audience, c.owner_id, o.kind as source_kind,
       coalesce(o.config ->> 'url', o.config ->> 'path', o.config ->> 'bucket',
                o.config -> 'urls' ->> 0) as source,
       i.error as sync_error, k.size as file_size
from document d
join collection c on c.tenant_id = d.tenant_id and c.collection_id = d.collection_id
left join source o on o.tenant_id = d.tenant_id and o.source_id = d.source_id
left join source_item i on i.tenant_id = d.tenant_id and i.source_id = d.source_id
    and i.key = d.source_key
left join original k on k.tenant_id = d.tenant_id and k.original_id = d.original_id
    and d.file_documents = 1
left join document last on last.tenant_id = %(tenant)s and last.document_id = %(before)s::uuid
left join original l on l.tenant_id = last.tenant_id and l.original_id = last.original_id
    and last.file_documents = 1
where d.tenant_id = %(tenant)s and d.collection_id = any(%(collections)s::uuid[])
    and d.content_hash is not null
    and strpos(lower(concat(d.title, ' ', d.outside_id)), %(words)s) > 0
    and concat(d.type, ' ', d.outside_id) ~* %(kind)s
    and (%(stale_before)s::timestamptz is null
         or coalesce(d.modified_at, d.updated_at) < %(stale_before)s)
    and (not %(failing)s or i.error is not null)
    and (not %(duplicate)s or exists (
        select 1 from document n
        where n.tenant_id = %(tenant)s and n.document_id <> d.document_id
            and n.collection_id = any(%(readable)s::uuid[]) and n.content_hash is not null
            and (n.text_hash = d.text_hash
                 or (n.near_key = d.near_key or n.near_key_2 = d.near_key_2)
                 and (select count(*) from unnest(n.signature, d.signature) as s (a, b)
                      where s.a = s.b) >= %(nearly_same)s)
    ))
    and (not %(once)s or not exists (
        select 1 from document n
        where n.tenant_id = %(tenant)s and n.text_hash = d.text_hash
            and n.document_id > d.document_id and n.content_hash is not null
            and n.collection_id = any(%(collections)s::uuid[])
            and strpos(lower(concat(n.title, ' ', n.outside_id)), %(words)s) > 0
            and concat(n.type, ' ', n.outside_id) ~* %(kind)s
    ))
    and (
        last.document_id is null
        or (%(sort)s = 'title' and (lower(coalesce(d.title, d.outside_id)), d.document_id)
            > (lower(coalesce(last.title, last.outside_id)), last.document_id))
        or (%(sort)s = 'size' and (-coalesce(k.size, d.bytes), d.document_id)
            > (-coalesce(l.size, last.bytes), last.document_id))
    )
order by case when %(sort)s = 'title' then lower(coalesce(d.title, d.outside_id)) end,
    case when %(sort)s = 'size' then -coalesce(k.size, d.bytes) end, d.document_id
limit %(count)s;


-- name: describe_document
-- A stored document with its collection and source.
select d.*, c.name as collection, c.audience, c.owner_id, o.kind as source_kind,
       coalesce(o.config ->> 'url', o.config ->> 'path', o.config ->> 'bucket',
                o.config -> 'urls' ->> 0) as source,
       i.error as sync_error, k.size as file_size
from document d
join collection c on c.tenant_id = d.tenant_id and c.collection_id = d.collection_id
left join source o on o.tenant_id = d.tenant_id and o.source_id = d.source_id
left join source_item i on i.tenant_id = d.tenant_id and i.source_id = d.source_id
    and i.key = d.source_key
left join original k on k.tenant_id = d.tenant_id and k.original_id = d.original_id
    and d.file_documents = 1
where d.tenant_id = %(tenant)s and d.document_id = %(document)s
    and d.collection_id = any(%(collections)s::uuid[]);


-- name: copies_of_documents
-- Documents with the same or nearly the same text as these, all in collections of the reader.
select w.document_id as original, o.*, c.name as collection, c.owner_id,
       o.text_hash = w.text_hash as is_exact
from document w
join document o on o.tenant_id = %(tenant)s and o.document_id <> w.document_id
    and (o.text_hash = w.text_hash
         or (o.near_key = w.near_key or o.near_key_2 = w.near_key_2)
         and (select count(*) from unnest(o.signature, w.signature) as s (a, b)
              where s.a = s.b) >= %(nearly_same)s)
join collection c on c.tenant_id = o.tenant_id and c.collection_id = o.collection_id
where w.tenant_id = %(tenant)s and c.tenant_id = %(tenant)s
    and w.document_id = any(%(documents)s::uuid[])
    and w.collection_id = any(%(collections)s::uuid[])
    and o.collection_id = any(%(collections)s::uuid[]) and o.content_hash is not null
order by is_exact desc, o.document_id
limit %(most)s;


-- name: copies_of_passages
-- Documents with the same text as those of the passages, all in collections of the reader. Step by
-- step, so that few documents are read even while the tables have no statistics yet.
with w as materialized (
    select document_id, collection_id, text_hash from document
    where tenant_id = %(tenant)s and document_id = any(array(
        select p.document_id from passage p
        where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    ))
), o as materialized (
    select * from document
    where tenant_id = %(tenant)s and text_hash = any(array(select text_hash from w))
)
select w.document_id as original, o.*
from w
join o on o.text_hash = w.text_hash and o.document_id <> w.document_id
where w.collection_id = any(%(collections)s::uuid[])
    and o.collection_id = any(%(collections)s::uuid[]) and o.content_hash is not null
order by o.document_id
limit %(most)s;


-- name: unfinished_files
-- Files that are being imported or have failed and were not replaced since, newest first.
select f.*, i.type, i.added_by, c.collection_id, c.name as collection, c.audience, c.owner_id,
       o.kind as source_kind,
       coalesce(o.config ->> 'url', o.config ->> 'path', o.config ->> 'bucket',
                o.config -> 'urls' ->> 0) as source
from collection c
join ingest i on i.tenant_id = c.tenant_id and i.collection_id = c.collection_id
join ingest_file f on f.tenant_id = i.tenant_id and f.ingest_id = i.ingest_id
left join source o on o.tenant_id = i.tenant_id and o.source_id = i.source_id
where c.tenant_id = %(tenant)s and c.collection_id = any(%(collections)s::uuid[])
    and i.tenant_id = %(tenant)s and f.tenant_id = %(tenant)s
    and f.state = any(%(states)s) and strpos(lower(f.name), %(words)s) > 0
    and concat(i.type, ' ', f.name) ~* %(kind)s
    and not (f.state = 'failed' and exists (
        select 1 from document d
        where d.tenant_id = %(tenant)s and d.collection_id = c.collection_id
            and d.outside_id = f.name and d.updated_at > f.updated_at
    ))
order by f.updated_at desc, f.file_id
limit %(count)s;


-- name: drop_failed_files
-- Deletes failed and cancelled files, so that they are no longer listed.
delete from ingest_file f using ingest i
where f.tenant_id = %(tenant)s and f.file_id = any(%(files)s::uuid[])
    and i.tenant_id = %(tenant)s and i.ingest_id = f.ingest_id
    and i.collection_id = any(%(collections)s::uuid[]) and f.state in ('failed', 'cancelled')
returning f.file_id;


-- name: find_documents
-- Those of these documents that are in the collections.
select document_id from document
where tenant_id = %(tenant)s and document_id = any(%(documents)s::uuid[])
    and collection_id = any(%(collections)s::uuid[]);


-- name: some_documents
-- Some documents of a collection.
select document_id from document
where tenant_id = %(tenant)s and collection_id = %(collection)s
order by outside_id
limit %(count)s;


-- name: position_of_passage
-- The position of a passage in its document.
select ordinal from passage
where tenant_id = %(tenant)s and passage_id = %(passage)s and document_id = %(document)s;


-- name: page_of_passages
-- Passages of a document after a position, in order.
select p.*, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at,
       d.original_id, d.modified_at
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.document_id = %(document)s and p.ordinal > %(after)s
    and d.collection_id = any(%(collections)s::uuid[])
order by p.ordinal
limit %(count)s;


-- name: outline_of_document
-- The sections of a document in order, each with the position of its first passage.
select s.path, min(p.ordinal) as position, count(*) as passages
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
where p.tenant_id = %(tenant)s and p.document_id = %(document)s
group by s.section_id, s.path
order by position
limit %(count)s;


-- name: passages_of_section
-- All passages of a passage's section.
select p.*, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at,
       d.original_id, d.modified_at
from passage one
join passage p on p.tenant_id = one.tenant_id and p.section_id = one.section_id
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where one.tenant_id = %(tenant)s and one.passage_id = %(passage)s
    and p.tenant_id = %(tenant)s and d.collection_id = any(%(collections)s::uuid[])
order by p.ordinal;


-- name: oldest_index_changes
-- Changes not yet in the index, oldest first.
select change_id, passage_id from index_change
where tenant_id = %(tenant)s
order by change_id
limit %(count)s;


-- name: forget_index_changes
-- Deletes applied changes by id: a lower id may be committed later.
delete from index_change
where tenant_id = %(tenant)s and change_id = any(%(changes)s::bigint[]);


-- name: index_sources
-- Passages with their vector; one without a vector of this embedder is left out.
select p.*, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at,
       d.modified_at, v.embedding::real[] as vector
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
join passage_vector v on v.tenant_id = p.tenant_id and v.passage_id = p.passage_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    and v.embedder = %(embedder)s;


-- name: next_passages
-- A page of all passages, in the order of their ids.
select passage_id from passage
where tenant_id = %(tenant)s and passage_id > %(after)s
order by passage_id
limit %(count)s;


-- name: all_passages
-- The ids of all passages of a tenant.
select passage_id from passage where tenant_id = %(tenant)s;


-- name: find_serving
-- The index and the ranking of a tenant, and whether it has FAQ entries.
select s.index_version, s.embedder, s.dimensions, r.weights, r.faq, r.other, r.stale_months,
    exists (
        select from document d where d.tenant_id = %(tenant)s and d.type = 'faq'
    ) as has_faq
from index_state s
left join ranking r on r.tenant_id = s.tenant_id
where s.tenant_id = %(tenant)s and s.subject = %(subject)s;


-- name: find_ranking
-- The ranking of a tenant, if it has set any.
select weights, faq, other, stale_months from ranking where tenant_id = %(tenant)s;


-- name: set_ranking
-- Sets the ranking of a tenant; null follows the defaults.
insert into ranking (tenant_id, weights, faq, other, stale_months, updated_at)
values (
    %(tenant)s, %(weights)s::jsonb, %(faq)s::integer, %(other)s::integer,
    %(stale_months)s::integer, %(now)s
)
on conflict (tenant_id) do update
set weights = excluded.weights, faq = excluded.faq, other = excluded.other,
    stale_months = excluded.stale_months, updated_at = excluded.updated_at;


-- name: list_collections
-- All collections of a tenant except private ones.
select collection_id from collection where tenant_id = %(tenant)s and owner_id is null;


-- name: find_current_item
-- Checks that a file is still the newest of its item.
select 1 from source_item
where tenant_id = %(tenant)s and source_id = %(source)s and key = %(key)s
    and file_id = %(file)s;


-- name: stamp_document
-- Sets the source and the file that a document came from.
update document
set source_id = %(source)s, source_key = %(key)s, source_file = %(file)s
where tenant_id = %(tenant)s and document_id = %(document)s;


-- name: left_over_of_file
-- Documents of an item that its newest file no longer has.
select document_id from document
where tenant_id = %(tenant)s and source_id = %(source)s and source_key = %(key)s
    and (source_file is null or source_file <> %(file)s);


-- name: passages_of_documents
-- The passages of documents that are about to be deleted.
select passage_id from passage
where tenant_id = %(tenant)s and document_id = any(%(documents)s::uuid[]);


-- name: discard_documents
-- Deletes documents with their sections and passages.
delete from document
where tenant_id = %(tenant)s and document_id = any(%(documents)s::uuid[])
returning original_id;


-- name: passage_names
-- The names that passages are tagged with, most frequent first, without private collections.
select unnest(p.names) as name
from passage p
where p.tenant_id = %(tenant)s and p.document_id not in (
    select d.document_id from document d
    join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
    where d.tenant_id = %(tenant)s and c.owner_id is not null
)
group by 1
order by count(*) desc, 1
limit %(most)s;


-- name: document_types
-- The types of a tenant's documents, without private collections.
select distinct d.type from document d
join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and c.owner_id is null
order by d.type;


-- name: drop_old_ingests
-- Deletes old finished ingests; their documents stay.
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


-- name: headings_near_passages
-- The headings of passages, and of the sections around those that are cited.
select p.passage_id, d.document_id, d.type, d.title, s.path, 0 as distance
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    and d.collection_id = any(%(collections)s::uuid[])
union all
select p.passage_id, d.document_id, d.type, d.title, n.path, n.ordinal - s.ordinal as distance
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join section n on n.tenant_id = s.tenant_id and n.document_id = s.document_id
    and n.ordinal between s.ordinal - 1 and s.ordinal + 2 and n.ordinal <> s.ordinal
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and n.tenant_id = %(tenant)s
    and p.passage_id = any(%(cited)s::uuid[]) and d.collection_id = any(%(collections)s::uuid[]);


-- name: add_original
-- Adds an original without its content.
insert into original (
    tenant_id, original_id, collection_id, file_hash, name, media_type, size, owner_id, created_at
)
values (
    %(tenant)s, %(original)s, %(collection)s, %(digest)s, %(name)s, %(media_type)s, %(size)s,
    %(owner)s, %(now)s
);


-- name: add_original_part
-- Adds the next part of an original.
insert into original_part (tenant_id, original_id, part, content)
values (%(tenant)s, %(original)s, %(part)s, %(content)s);


-- name: find_original
-- The original of a file that is kept already.
select original_id from original
where tenant_id = %(tenant)s and collection_id = %(collection)s and file_hash = %(digest)s
    and complete
limit 1;


-- name: complete_original
-- Notes that all parts of an original are stored.
update original set complete = true
where tenant_id = %(tenant)s and original_id = %(original)s and not complete;


-- name: link_original
-- Sets the original of the documents of a file; returns those that they had.
with file as (
    select document_id, original_id from document
    where tenant_id = %(tenant)s and collection_id = %(collection)s and file_hash = %(digest)s
        and original_id is distinct from %(original)s::uuid
    for update
)
update document d set original_id = %(original)s::uuid
from file
where d.tenant_id = %(tenant)s and d.document_id = file.document_id
returning file.original_id as previous;


-- name: drop_unused_originals
-- Deletes those of the originals that no document has.
delete from original o
where o.tenant_id = %(tenant)s and o.original_id = any(%(originals)s::uuid[])
    and not exists (
        select from document d
        where d.tenant_id = %(tenant)s and d.original_id = o.original_id
    );


-- name: drop_stray_originals
-- Deletes old originals that no document has.
delete from original where tenant_id = %(tenant)s and original_id in (
    select o.original_id from original o
    where o.tenant_id = %(tenant)s and o.created_at < %(before)s
        and not exists (
            select from document d
            where d.tenant_id = %(tenant)s and d.original_id = o.original_id
        )
    order by o.created_at limit %(most)s
);


-- name: original_of_document
-- The original of a document in one of the collections.
select o.original_id, o.name, o.media_type, o.size, o.owner_id
from document d
join original o on o.tenant_id = d.tenant_id and o.original_id = d.original_id
where d.tenant_id = %(tenant)s and d.document_id = %(document)s and o.tenant_id = %(tenant)s
    and d.collection_id = any(%(collections)s::uuid[]) and o.complete;


-- name: read_original_part
-- One part of an original.
select content from original_part
where tenant_id = %(tenant)s and original_id = %(original)s and part = %(part)s;
