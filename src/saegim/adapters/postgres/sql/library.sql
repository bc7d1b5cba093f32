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

-- name: places_of_passages
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
