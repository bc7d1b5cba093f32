-- name: find_cell
-- The cell that holds a tenant.
select cell from tenant_directory where tenant_id = %(tenant)s;

-- name: find_key
-- A key by the hash of its secret, whether it is still valid or not.
select key_id, role, act_as, member_id, assistant_id, groups, expires_at, revoked_at
from app_key
where tenant_id = %(tenant)s and secret_hash = %(secret_hash)s;

-- name: find_person
-- A member by the keyed hash of the id it has outside, with one of its profiles.
select m.member_id, m.locale, m.time_zone, p.profile_id
from member m
left join profile p
    on p.tenant_id = m.tenant_id and p.member_id = m.member_id and p.name_hash = %(profile_hash)s
where m.tenant_id = %(tenant)s and m.outside_id_hash = %(user_hash)s;

-- name: find_person_by_member
-- A member by id, with one of its profiles.
select m.member_id, m.locale, m.time_zone, p.profile_id
from member m
left join profile p
    on p.tenant_id = m.tenant_id and p.member_id = m.member_id and p.name_hash = %(profile_hash)s
where m.tenant_id = %(tenant)s and m.member_id = %(member)s;

-- name: add_member
-- A member seen for the first time; who comes second leaves the first one's row alone.
insert into member (tenant_id, member_id, outside_id_hash, outside_id, locale, time_zone, created_at)
values (
    %(tenant)s, %(member)s, %(user_hash)s, %(outside_id)s, %(locale)s, %(time_zone)s, %(now)s
)
on conflict (tenant_id, outside_id_hash) do nothing;

-- name: add_profile
-- A profile used for the first time.
insert into profile (tenant_id, profile_id, member_id, name_hash, name, created_at)
values (%(tenant)s, %(profile)s, %(member)s, %(profile_hash)s, %(name)s, %(now)s)
on conflict (tenant_id, member_id, name_hash) do nothing;

-- name: set_locale
-- The language and time zone of a member.
update member set locale = %(locale)s, time_zone = %(time_zone)s
where tenant_id = %(tenant)s and member_id = %(member)s;

-- name: find_assistant
-- An assistant with the collections it may read.
select a.assistant_id, a.name, a.persona, a.policy, a.locale, a.config,
       array(
           select c.collection_id from assistant_collection c
           where c.tenant_id = a.tenant_id and c.assistant_id = a.assistant_id
       ) as collections
from assistant a
where a.tenant_id = %(tenant)s and a.assistant_id = %(assistant)s;

-- name: set_assistant_config
-- How an assistant routes, searches and answers from now on.
update assistant set config = %(config)s
where tenant_id = %(tenant)s and assistant_id = %(assistant)s
returning assistant_id;

-- name: list_assistants
-- The assistants of a tenant, oldest first.
select assistant_id from assistant where tenant_id = %(tenant)s order by created_at, assistant_id;

-- name: add_tenant
-- A new organisation.
insert into tenant (tenant_id, name, created_at) values (%(tenant)s, %(name)s, %(now)s);

-- name: enter_directory
-- Where a tenant lives.
insert into tenant_directory (tenant_id, cell, changed_at)
values (%(tenant)s, %(cell)s, %(now)s);

-- name: add_index_state
-- The embedder a tenant's index is made with, until it is embedded again.
insert into index_state (tenant_id, subject, index_version, embedder, dimensions, activated_at)
values (
    %(tenant)s, %(subject)s, %(index_version)s, %(embedder)s, %(dimensions)s, %(now)s
);

-- name: find_index_state
-- The active embedder of one of a tenant's indexes.
select index_version, embedder, dimensions from index_state
where tenant_id = %(tenant)s and subject = %(subject)s;

-- name: add_collection
-- A set of documents; an empty audience means every caller of the tenant.
insert into collection (tenant_id, collection_id, name, created_at)
values (%(tenant)s, %(collection)s, %(name)s, %(now)s);

-- name: add_assistant
-- A bot of a tenant.
insert into assistant (tenant_id, assistant_id, name, persona, policy, locale, created_at)
values (
    %(tenant)s, %(assistant)s, %(name)s, %(persona)s, %(policy)s, %(locale)s, %(now)s
);

-- name: let_assistant_read
-- A collection that an assistant may read.
insert into assistant_collection (tenant_id, assistant_id, collection_id)
values (%(tenant)s, %(assistant)s, %(collection)s);

-- name: add_key
-- A key, stored as the hash of its secret.
insert into app_key (
    tenant_id, key_id, prefix, secret_hash, name, role, act_as, member_id, assistant_id, groups,
    created_at, expires_at
)
values (
    %(tenant)s, %(key)s, %(prefix)s, %(secret_hash)s, %(name)s, %(role)s, %(act_as)s, %(member)s,
    %(assistant)s, %(groups)s, %(now)s, %(expires_at)s
);
