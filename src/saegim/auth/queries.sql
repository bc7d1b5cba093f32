-- name: find_key
-- A key by the hash of its secret, whether it is still valid or not.
select key_id, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    expires_at, revoked_at, used_at
from app_key
where tenant_id = %(tenant)s and secret_hash = %(secret_hash)s;


-- name: find_key_by_id
-- A key by its id, whether it is still valid or not.
select key_id, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    expires_at, revoked_at, used_at
from app_key
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: note_key_use
-- When a key was last used, to the minute or so.
update app_key set used_at = %(now)s where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: find_linked
-- The member that a linked name leads to.
select member_id from identity
where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


-- name: find_person
-- A member by the keyed hash of the id it has outside, with one of its profiles.
select m.member_id, m.locale, m.time_zone, m.role, m.groups, m.disabled_at, p.profile_id,
    exists (
        select from sign_in s
        where s.tenant_id = m.tenant_id and s.sign_in_id = %(sign_in)s::uuid
            and s.member_id = m.member_id and s.ended_at is null
    ) as signed_in
from member m
left join profile p
    on p.tenant_id = m.tenant_id and p.member_id = m.member_id and p.name_hash = %(profile_hash)s
where m.tenant_id = %(tenant)s and m.outside_id_hash = %(user_hash)s;


-- name: find_person_by_member
-- A member by id, with one of its profiles.
select m.member_id, m.locale, m.time_zone, m.role, m.groups, m.disabled_at, p.profile_id,
    exists (
        select from sign_in s
        where s.tenant_id = m.tenant_id and s.sign_in_id = %(sign_in)s::uuid
            and s.member_id = m.member_id and s.ended_at is null
    ) as signed_in
from member m
left join profile p
    on p.tenant_id = m.tenant_id and p.member_id = m.member_id and p.name_hash = %(profile_hash)s
where m.tenant_id = %(tenant)s and m.member_id = %(member)s;


-- name: find_known
-- A member by the keyed hash of the id it has outside.
select member_id from member
where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


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


-- name: list_assistants
-- The assistants of a tenant, oldest first.
select assistant_id from assistant where tenant_id = %(tenant)s order by created_at, assistant_id;


-- name: add_sign_in
-- A sign-in at the pages.
insert into sign_in (tenant_id, sign_in_id, member_id, started_at, expires_at)
values (%(tenant)s, %(sign_in)s, %(member)s, %(now)s, %(expires_at)s);


-- name: drop_old_sign_ins
-- The sign-ins of a member that are over.
delete from sign_in
where tenant_id = %(tenant)s and member_id = %(member)s and expires_at <= %(now)s;


-- name: end_sign_in
-- A sign-in ends now.
update sign_in set ended_at = %(now)s
where tenant_id = %(tenant)s and sign_in_id = %(sign_in)s and ended_at is null;


-- name: end_sign_ins_of_member
-- Every sign-in of a member ends now.
update sign_in set ended_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and ended_at is null;


-- name: find_tenant
-- Whether there is such an organisation.
select tenant_id from tenant where tenant_id = %(tenant)s;


-- name: add_tenant
-- A new organisation.
insert into tenant (tenant_id, name, created_at) values (%(tenant)s, %(name)s, %(now)s);


-- name: add_index_state
-- The embedder a tenant's index is made with, until it is embedded again.
insert into index_state (tenant_id, subject, index_version, embedder, dimensions, activated_at)
values (
    %(tenant)s, %(subject)s, %(index_version)s, %(embedder)s, %(dimensions)s, %(now)s
);


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


-- name: add_assistant_collection
-- A collection that an assistant may read.
insert into assistant_collection (tenant_id, assistant_id, collection_id)
values (%(tenant)s, %(assistant)s, %(collection)s);


-- name: add_key
-- A key, stored as the hash of its secret.
insert into app_key (
    tenant_id, key_id, prefix, secret_hash, name, role, act_as, member_id, assistant_id, groups,
    scopes, made_by, replaces, created_at, expires_at
)
values (
    %(tenant)s, %(key)s, %(prefix)s, %(secret_hash)s, %(name)s, %(role)s, %(act_as)s, %(member)s,
    %(assistant)s, %(groups)s, %(scopes)s, %(made_by)s, %(replaces)s, %(now)s, %(expires_at)s
);


-- name: list_keys
-- Keys of a tenant, newest first, from an id on.
select key_id, prefix, name, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    created_at, expires_at, revoked_at, used_at, replaces
from app_key where tenant_id = %(tenant)s and key_id < %(before)s
order by key_id desc
limit %(most)s;


-- name: find_listed_key
-- A key as admins see it.
select key_id, prefix, name, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    created_at, expires_at, revoked_at, used_at, replaces
from app_key where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: end_key_by
-- A rotated key ends with its overlap, or before if it was to.
update app_key set expires_at = least(expires_at, %(until)s)
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: revoke_key
-- A key ends now; one that has ended stays as it is.
update app_key set revoked_at = coalesce(revoked_at, %(now)s)
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: list_members
-- Members in order of their ids, from after one of them.
select member_id, outside_id, role, groups, disabled_at, created_at from member
where tenant_id = %(tenant)s and member_id > %(after)s
order by member_id limit %(most)s;


-- name: find_member
-- A member as admins see it.
select member_id, outside_id, role, groups, disabled_at, created_at from member
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: roles_of_member
-- The role of a member, and those of the valid keys bound to it with their scopes.
select role, null::text[] as scopes from member
where tenant_id = %(tenant)s and member_id = %(member)s
union all
select role, scopes from app_key
where tenant_id = %(tenant)s and member_id = %(member)s
    and revoked_at is null and (expires_at is null or expires_at > %(now)s);


-- name: change_member
-- A member's role, groups and whether it may come in; what is not given stays.
update member set
    role = coalesce(%(role)s::text, role),
    groups = coalesce(%(groups)s::text[], groups),
    disabled_at = case
        when %(disabled)s::boolean is null then disabled_at
        when %(disabled)s::boolean then coalesce(disabled_at, %(now)s)
    end
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: revoke_keys_beyond
-- Keys bound to a member whose role is more than the member has now.
update app_key set revoked_at = coalesce(revoked_at, %(now)s)
where tenant_id = %(tenant)s and member_id = %(member)s and role = any(%(beyond)s::text[]);


-- name: list_identities
-- The names that were linked to a member, oldest first.
select identity_id, channel, outside_id, linked_at from identity
where tenant_id = %(tenant)s and member_id = %(member)s order by identity_id;


-- name: drop_link_codes
-- The codes of a member, which has one at a time.
delete from link_code where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: add_link_code
-- A code for a while.
insert into link_code (tenant_id, code_hash, member_id, expires_at)
values (%(tenant)s, %(code_hash)s, %(member)s, %(expires_at)s);


-- name: use_link_code
-- A code, used up.
delete from link_code where tenant_id = %(tenant)s and code_hash = %(code_hash)s
returning member_id, expires_at;


-- name: drop_identity_by_name
-- Where a name led before.
delete from identity where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


-- name: add_identity
-- A name that leads to a member.
insert into identity (
    tenant_id, identity_id, member_id, channel, outside_id_hash, outside_id, linked_at
)
values (
    %(tenant)s, %(identity)s, %(member)s, %(channel)s, %(user_hash)s, %(outside_id)s, %(now)s
);


-- name: drop_identity
-- A name of a member.
delete from identity
where tenant_id = %(tenant)s and identity_id = %(identity)s and member_id = %(member)s;


-- name: find_issuer
-- An issuer by its name.
select issuer_id, url, audience, jwks_url, jwks, assistant_id, user_claim, groups_claim
from issuer where tenant_id = %(tenant)s and url = %(url)s;


-- name: list_issuers
-- The issuers of a tenant, by name.
select issuer_id, url, audience, jwks_url, jwks, assistant_id, user_claim, groups_claim
from issuer where tenant_id = %(tenant)s order by url;


-- name: put_issuer
-- An issuer, or what it is from now on.
insert into issuer (
    tenant_id, issuer_id, url, audience, jwks_url, jwks, assistant_id, user_claim, groups_claim,
    created_at
)
values (
    %(tenant)s, %(issuer)s, %(url)s, %(audience)s, %(jwks_url)s, %(jwks)s, %(assistant)s,
    %(user_claim)s, %(groups_claim)s, %(now)s
)
on conflict (tenant_id, url) do update set
    audience = excluded.audience, jwks_url = excluded.jwks_url, jwks = excluded.jwks,
    assistant_id = excluded.assistant_id, user_claim = excluded.user_claim,
    groups_claim = excluded.groups_claim;


-- name: drop_issuer
-- An issuer goes.
delete from issuer where tenant_id = %(tenant)s and issuer_id = %(issuer)s;


-- name: export_profile
-- A person's rows of `profile`, in order.
select * from profile where tenant_id = %(tenant)s and member_id = %(member)s order by profile_id;
