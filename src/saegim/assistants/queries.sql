-- name: list_audiences
-- The collections of a tenant with their audiences, by name.
select collection_id, name, audience from collection
where tenant_id = %(tenant)s and owner_id is null
order by name;


-- name: lock_audience
-- The groups that may read a collection, locked.
select collection_id, name, audience from collection
where tenant_id = %(tenant)s and collection_id = %(collection)s and owner_id is null
for no key update;


-- name: set_audience
-- Which groups may read a collection.
update collection set audience = %(audience)s
where tenant_id = %(tenant)s and collection_id = %(collection)s;


-- name: rename_collection
-- Sets the name of a collection.
update collection set name = %(name)s
where tenant_id = %(tenant)s and collection_id = %(collection)s and name <> %(name)s;


-- name: drop_ingests_of_collection
-- Deletes the imports into a collection.
delete from ingest where tenant_id = %(tenant)s and collection_id = %(collection)s;


-- name: drop_collection
-- Deletes a collection.
delete from collection where tenant_id = %(tenant)s and collection_id = %(collection)s;


-- name: list_published
-- The assistants of a tenant with the collections they may read, oldest first.
select a.assistant_id, a.name, a.persona, a.policy, a.locale, a.config,
       array(
           select c.collection_id from assistant_collection c
           where c.tenant_id = a.tenant_id and c.assistant_id = a.assistant_id
       ) as collections
from assistant a
where a.tenant_id = %(tenant)s and a.removed_at is null
order by a.created_at, a.assistant_id;


-- name: lock_assistant
-- An assistant, locked while its versions change.
select published from assistant
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and removed_at is null
for update;


-- name: credentials_of_assistant
-- Valid keys and issuers of an assistant.
select 1 from app_key
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and revoked_at is null
    and (expires_at is null or expires_at > %(now)s)
union all
select 1 from issuer where tenant_id = %(tenant)s and assistant_id = %(assistant)s
limit 1;


-- name: remove_assistant
-- Removes an assistant: nobody can choose it, and its name is free.
update assistant set removed_at = %(now)s, config = '{}', name = name || ' ' || assistant_id
where tenant_id = %(tenant)s and assistant_id = %(assistant)s;


-- name: list_versions
-- The versions of an assistant, newest first.
select version, state, content, made_by, created_at, published_at from assistant_version
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
order by version desc;


-- name: find_draft
-- The draft of an assistant.
select content from assistant_version
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and state = 'draft';


-- name: find_version
-- One version of an assistant.
select version, state, content, made_by, created_at, published_at from assistant_version
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and version = %(version)s;


-- name: drop_draft
-- The draft of an assistant; there is at most one.
delete from assistant_version
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and state = 'draft';


-- name: add_version
-- Adds the next version.
insert into assistant_version (
    tenant_id, assistant_id, version, state, content, made_by, created_at, published_at
)
select %(tenant)s, %(assistant)s, coalesce(max(v.version), 0) + 1, %(state)s, %(content)s,
    %(made_by)s, %(now)s, %(published_at)s
from assistant_version v
where v.tenant_id = %(tenant)s and v.assistant_id = %(assistant)s
returning version, state, content, made_by, created_at, published_at;


-- name: retire_published
-- Retires the published version.
update assistant_version set state = 'retired'
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and state = 'published';


-- name: mark_published
-- Publishes a version.
update assistant_version set state = 'published', published_at = %(now)s
where tenant_id = %(tenant)s and assistant_id = %(assistant)s and version = %(version)s;


-- name: set_published
-- Copies the published version to the assistant.
update assistant set name = %(name)s, persona = %(persona)s, policy = %(policy)s,
    locale = %(locale)s, config = %(config)s, published = %(version)s
where tenant_id = %(tenant)s and assistant_id = %(assistant)s;


-- name: drop_assistant_collections
-- Removes the assistant's collections.
delete from assistant_collection
where tenant_id = %(tenant)s and assistant_id = %(assistant)s;
