-- name: find_index_state
-- The active embedder of one of a tenant's indexes.
select index_version, embedder, dimensions from index_state
where tenant_id = %(tenant)s and subject = %(subject)s;


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


-- name: lock_index_state
-- The embedder of one of a tenant's indexes, held: it does not change before the transaction ends.
select embedder, index_version from index_state
where tenant_id = %(tenant)s and subject = %(subject)s
for share;


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


-- name: find_index_build
-- The build of the library's index that is on its way.
select index_version, embedder, dimensions, after, passages from index_build
where tenant_id = %(tenant)s;


-- name: save_index_build
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


-- name: open_document
-- The document of a collection and outside id; its row stays as it is until all of it is stored.
insert into document (
    tenant_id, document_id, collection_id, outside_id, lookup_key, type, title, version, metadata,
    created_at, updated_at
)
values (
    %(tenant)s, %(document)s, %(collection)s, %(outside_id)s, %(lookup_key)s, %(type)s, %(title)s,
    %(version)s, %(metadata)s, %(now)s, %(now)s
)
on conflict (tenant_id, collection_id, outside_id) do nothing;


-- name: find_known_document
-- What is stored of a document.
select document_id, content_hash, source_id from document
where tenant_id = %(tenant)s and collection_id = %(collection)s and outside_id = %(outside_id)s;


-- name: stored_passages
-- What tells a document's stored passages from new ones.
select passage_id, section_id, ordinal, content_hash from passage
where tenant_id = %(tenant)s and document_id = %(document)s
order by ordinal, passage_id;


-- name: list_sections
-- The sections of a document, in order.
select section_id, ordinal, path from section
where tenant_id = %(tenant)s and document_id = %(document)s
order by ordinal, section_id;


-- name: add_section
-- A section that is new.
insert into section (tenant_id, section_id, document_id, ordinal, path)
values (%(tenant)s, %(section)s, %(document)s, %(ordinal)s, %(path)s);


-- name: move_section
-- A section that stands elsewhere now.
update section set ordinal = %(ordinal)s
where tenant_id = %(tenant)s and section_id = %(section)s and ordinal <> %(ordinal)s;


-- name: add_passage
-- A passage that is new.
insert into passage (
    tenant_id, passage_id, document_id, section_id, ordinal, text, content_hash, tokens,
    has_steps, has_conditions, has_table, language, names
)
values (
    %(tenant)s, %(passage)s, %(document)s, %(section)s, %(ordinal)s, %(text)s, %(content_hash)s,
    %(tokens)s, %(has_steps)s, %(has_conditions)s, %(has_table)s, %(language)s, %(names)s
);


-- name: add_passage_vector
-- A passage's vector, so that an index can be rebuilt without embedding anything again.
insert into passage_vector (tenant_id, passage_id, embedder, embedding)
values (%(tenant)s, %(passage)s, %(embedder)s, %(embedding)s::halfvec)
on conflict (tenant_id, passage_id, embedder) do update set embedding = excluded.embedding;


-- name: note_index_change
-- A passage that the index has to look at again.
insert into index_change (tenant_id, passage_id)
select %(tenant)s, passage from unnest(%(passages)s::uuid[]) as passage;


-- name: move_passage
-- A kept passage that stands elsewhere now.
update passage set section_id = %(section)s, ordinal = %(ordinal)s
where tenant_id = %(tenant)s and passage_id = %(passage)s
    and (section_id, ordinal) is distinct from (%(section)s, %(ordinal)s);


-- name: remove_passages
-- Passages that are gone; their vectors go with them.
delete from passage
where tenant_id = %(tenant)s and passage_id = any(%(passages)s::uuid[]);


-- name: remove_empty_sections
-- Sections of a document that hold nothing any more.
delete from section s
where s.tenant_id = %(tenant)s and s.document_id = %(document)s
    and not exists (
        select 1 from passage p
        where p.tenant_id = %(tenant)s and p.section_id = s.section_id
    );


-- name: settle_document
-- A document that is stored whole.
update document
set type = %(type)s, title = %(title)s, version = %(version)s, metadata = %(metadata)s,
    content_hash = %(content_hash)s, updated_at = %(now)s,
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
-- The passages of a document whose type or title, which the index knows, is about to change.
select p.passage_id
from document d join passage p on p.tenant_id = d.tenant_id and p.document_id = d.document_id
where d.tenant_id = %(tenant)s and d.document_id = %(document)s
    and (d.type, d.title) is distinct from (%(type)s, %(title)s);


-- name: passages_to_remove
-- All passages of a document that stands in one of the caller's collections.
select p.passage_id
from document d join passage p on p.tenant_id = d.tenant_id and p.document_id = d.document_id
where d.tenant_id = %(tenant)s and d.document_id = %(document)s;


-- name: remove_document
-- A document with its sections and passages.
delete from document
where tenant_id = %(tenant)s and document_id = %(document)s
returning document_id;


-- name: readable_collections
-- The collections of an assistant whose audience holds one of the caller's groups; an empty one
-- holds everybody. Besides them the caller's own, whatever assistant reads.
select c.collection_id
from assistant_collection a
join collection c on c.tenant_id = a.tenant_id and c.collection_id = a.collection_id
where a.tenant_id = %(tenant)s and a.assistant_id = %(assistant)s and c.owner_id is null
    and (c.audience = '{}' or c.audience && %(groups)s::text[])
union all
select collection_id from collection
where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: add_own_collection
-- The collection that only one person reads; whoever comes second adds nothing. Nobody calls it by
-- its name, and no group is called by its audience.
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
-- The collection that only one person reads.
select collection_id from collection
where tenant_id = %(tenant)s and owner_id = %(member)s;


-- name: find_collection
-- A collection by its name.
select collection_id from collection
where tenant_id = %(tenant)s and name = %(name)s and owner_id is null;


-- name: passage_locations
-- Passages with their documents and sections.
select p.*, s.ordinal as section_ordinal, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.passage_id = any(%(passages)s::uuid[])
    and d.collection_id = any(%(collections)s::uuid[]);


-- name: find_document
-- A document by the id it has outside, however it is spelled.
select * from document
where tenant_id = %(tenant)s and lookup_key = %(lookup_key)s
    and collection_id = any(%(collections)s::uuid[])
order by document_id
limit 1;


-- name: list_documents
-- Documents of some collections whose title or id holds a text, the newest first.
select d.*, case when c.owner_id is null then c.name else 'own' end as collection
from document d
join collection c on c.tenant_id = d.tenant_id and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and d.collection_id = any(%(collections)s::uuid[])
    and d.document_id < %(before)s and d.content_hash is not null
    and strpos(lower(concat(d.title, ' ', d.outside_id)), %(words)s) > 0
order by d.document_id desc
limit %(count)s;


-- name: passages_of_section
-- The whole section around a passage.
select p.*, s.ordinal as section_ordinal, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at
from passage one
join passage p on p.tenant_id = one.tenant_id and p.section_id = one.section_id
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where one.tenant_id = %(tenant)s and one.passage_id = %(passage)s
    and p.tenant_id = %(tenant)s and d.collection_id = any(%(collections)s::uuid[])
order by p.ordinal;


-- name: passages_of_document
-- A whole document, in order.
select p.*, s.ordinal as section_ordinal, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at
from passage p
join section s on s.tenant_id = p.tenant_id and s.section_id = p.section_id
join document d on d.tenant_id = p.tenant_id and d.document_id = p.document_id
where p.tenant_id = %(tenant)s and p.document_id = %(document)s
    and d.collection_id = any(%(collections)s::uuid[])
order by p.ordinal;


-- name: oldest_index_changes
-- What the index has not followed yet, oldest first.
select change_id, passage_id from index_change
where tenant_id = %(tenant)s
order by change_id
limit %(count)s;


-- name: forget_index_changes
-- Changes that the index knows, one by one: a lower number may be committed later.
delete from index_change
where tenant_id = %(tenant)s and change_id = any(%(changes)s::bigint[]);


-- name: index_sources
-- What index rows are made from; a passage without a vector of this embedder waits for it.
select p.*, s.ordinal as section_ordinal, s.path,
       d.collection_id, d.outside_id, d.type, d.title, d.version, d.metadata, d.updated_at,
       v.embedding::real[] as vector
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
-- Every passage of a tenant.
select passage_id from passage where tenant_id = %(tenant)s;


-- name: find_serving
-- What a search needs to know of its tenant: the index that serves, and how it ranks.
select s.index_version, s.embedder, s.dimensions, r.weights, r.faq, r.other
from index_state s
left join ranking r on r.tenant_id = s.tenant_id
where s.tenant_id = %(tenant)s and s.subject = %(subject)s;


-- name: find_ranking
-- How a tenant ranks, where it has set anything.
select weights, faq, other from ranking where tenant_id = %(tenant)s;


-- name: set_ranking
-- How a tenant ranks from now on; what is null follows the defaults.
insert into ranking (tenant_id, weights, faq, other, updated_at)
values (%(tenant)s, %(weights)s::jsonb, %(faq)s::integer, %(other)s::integer, %(now)s)
on conflict (tenant_id) do update
set weights = excluded.weights, faq = excluded.faq, other = excluded.other,
    updated_at = excluded.updated_at;


-- name: list_collections
-- All collections of a tenant that are not one person's own.
select collection_id from collection where tenant_id = %(tenant)s and owner_id is null;


-- name: find_current_item
-- Whether a file still is the one that brings its item.
select 1 from source_item
where tenant_id = %(tenant)s and source_id = %(source)s and key = %(key)s
    and file_id = %(file)s;


-- name: stamp_document
-- Where a document came from, and with which file.
update document
set source_id = %(source)s, source_key = %(key)s, source_file = %(file)s
where tenant_id = %(tenant)s and document_id = %(document)s;


-- name: left_over_of_file
-- Documents that an item had and its newest file has not.
select document_id from document
where tenant_id = %(tenant)s and source_id = %(source)s and source_key = %(key)s
    and (source_file is null or source_file <> %(file)s);


-- name: passages_of_documents
-- The passages of documents that are about to go.
select passage_id from passage
where tenant_id = %(tenant)s and document_id = any(%(documents)s::uuid[]);


-- name: discard_documents
-- Documents with their sections and passages.
delete from document
where tenant_id = %(tenant)s and document_id = any(%(documents)s::uuid[]);


-- name: passage_names
-- The names that passages are tagged with, the commonest first; those of one person's own documents
-- tell nobody anything.
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
-- The types of a tenant's documents, but for those of one person's own.
select distinct d.type from document d
join collection c on c.tenant_id = %(tenant)s and c.collection_id = d.collection_id
where d.tenant_id = %(tenant)s and c.owner_id is null
order by d.type;


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
