-- name: find_key
-- Find a key by the hash of its secret, valid or not.
select key_id, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    expires_at, revoked_at, used_at
from app_key
where tenant_id = %(tenant)s and secret_hash = %(secret_hash)s;


-- name: find_key_by_id
-- Find a key by ID, valid or not.
select key_id, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    expires_at, revoked_at, used_at
from app_key
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: note_key_use
-- Record the last use of a key, at most once a minute.
update app_key set used_at = %(now)s where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: find_linked
-- Find the member that an identity is linked to.
select member_id from identity
where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


-- name: find_person
-- Find a member and a profile by the keyed hash of the external ID.
select m.member_id, m.locale, m.time_zone, m.role, m.groups, m.disabled_at, p.profile_id,
    m.arrived_at is not null as arrived, exists (
        select from sign_in s
        where s.tenant_id = m.tenant_id and s.sign_in_id = %(sign_in)s::uuid
            and s.member_id = m.member_id and s.ended_at is null
    ) as signed_in
from member m
left join profile p
    on p.tenant_id = m.tenant_id and p.member_id = m.member_id and p.name_hash = %(profile_hash)s
where m.tenant_id = %(tenant)s and m.outside_id_hash = %(user_hash)s;


-- name: arrive
-- Note the first sign-in of a person; revokes the keys that others made for the name before it.
with arrived as (
    update member set arrived_at = %(now)s
    where tenant_id = %(tenant)s and member_id = %(member)s and arrived_at is null
    returning member_id
)
update app_key k set revoked_at = %(now)s
from arrived
where k.tenant_id = %(tenant)s and k.member_id = arrived.member_id
    and k.made_by <> k.member_id and k.revoked_at is null;


-- name: find_person_by_member
-- Find a member and a profile by ID.
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
-- Find a member by the keyed hash of the external ID.
select member_id from member
where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


-- name: add_member
-- Insert a member; a concurrent insert keeps the first row.
insert into member (tenant_id, member_id, outside_id_hash, outside_id, locale, time_zone, created_at)
values (
    %(tenant)s, %(member)s, %(user_hash)s, %(outside_id)s, %(locale)s, %(time_zone)s, %(now)s
)
on conflict (tenant_id, outside_id_hash) do nothing;


-- name: add_profile
-- Insert a profile.
insert into profile (tenant_id, profile_id, member_id, name_hash, name, created_at)
values (%(tenant)s, %(profile)s, %(member)s, %(profile_hash)s, %(name)s, %(now)s)
on conflict (tenant_id, member_id, name_hash) do nothing;


-- name: find_assistant
-- Find an assistant with its collections.
select a.assistant_id, a.name, a.persona, a.policy, a.locale, a.config,
       array(
           select c.collection_id from assistant_collection c
           where c.tenant_id = a.tenant_id and c.assistant_id = a.assistant_id
       ) as collections
from assistant a
where a.tenant_id = %(tenant)s and a.assistant_id = %(assistant)s;


-- name: list_assistants
-- The assistants of a tenant, oldest first.
select assistant_id from assistant where tenant_id = %(tenant)s and removed_at is null
order by created_at, assistant_id;


-- name: add_sign_in
-- Insert a browser sign-in.
insert into sign_in (tenant_id, sign_in_id, member_id, started_at, expires_at)
values (%(tenant)s, %(sign_in)s, %(member)s, %(now)s, %(expires_at)s);


-- name: drop_old_sign_ins
-- Delete expired sign-ins of a member.
delete from sign_in
where tenant_id = %(tenant)s and member_id = %(member)s and expires_at <= %(now)s;


-- name: end_sign_in
-- End a sign-in.
update sign_in set ended_at = %(now)s
where tenant_id = %(tenant)s and sign_in_id = %(sign_in)s and ended_at is null;


-- name: end_sign_ins_of_member
-- End every sign-in of a member.
update sign_in set ended_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and ended_at is null;


-- name: find_tenant
-- Check whether a tenant exists.
select tenant_id from tenant where tenant_id = %(tenant)s;


-- name: add_tenant
-- Insert a tenant.
insert into tenant (tenant_id, name, created_at) values (%(tenant)s, %(name)s, %(now)s);


-- name: add_index_state
-- Insert the embedder of a tenant's search index.
insert into index_state (tenant_id, subject, index_version, embedder, dimensions, activated_at)
values (
    %(tenant)s, %(subject)s, %(index_version)s, %(embedder)s, %(dimensions)s, %(now)s
);


-- name: add_collection
-- Insert a collection; an empty audience means every member of the tenant.
insert into collection (tenant_id, collection_id, name, created_at)
values (%(tenant)s, %(collection)s, %(name)s, %(now)s);


-- name: add_assistant
-- Insert an assistant.
insert into assistant (tenant_id, assistant_id, name, persona, policy, locale, created_at)
values (
    %(tenant)s, %(assistant)s, %(name)s, %(persona)s, %(policy)s, %(locale)s, %(now)s
);


-- name: add_assistant_collection
-- Let an assistant read a collection.
insert into assistant_collection (tenant_id, assistant_id, collection_id)
values (%(tenant)s, %(assistant)s, %(collection)s);


-- name: add_key
-- Insert a key with the hash of its secret.
insert into app_key (
    tenant_id, key_id, prefix, secret_hash, name, role, act_as, member_id, assistant_id, groups,
    scopes, made_by, replaces, created_at, expires_at
)
values (
    %(tenant)s, %(key)s, %(prefix)s, %(secret_hash)s, %(name)s, %(role)s, %(act_as)s, %(member)s,
    %(assistant)s, %(groups)s, %(scopes)s, %(made_by)s, %(replaces)s, %(now)s, %(expires_at)s
);


-- name: list_keys
-- List keys of a tenant, newest first, after a key.
select key_id, prefix, name, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    created_at, expires_at, revoked_at, used_at, replaces
from app_key where tenant_id = %(tenant)s and key_id < %(before)s
order by key_id desc
limit %(most)s;


-- name: list_keys_of_member
-- List the valid keys of a member, newest first.
select key_id, prefix, name, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    created_at, expires_at, revoked_at, used_at, replaces
from app_key
where tenant_id = %(tenant)s and member_id = %(member)s
    and revoked_at is null and (expires_at is null or expires_at > %(now)s)
order by key_id desc;


-- name: find_listed_key
-- Find a key for admins.
select key_id, prefix, name, role, act_as, member_id, assistant_id, groups, scopes, made_by,
    created_at, expires_at, revoked_at, used_at, replaces
from app_key where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: end_key_by
-- Let a rotated key expire after the overlap, or earlier if it already would.
update app_key set expires_at = least(expires_at, %(until)s)
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: revoke_key
-- Revoke a key, unless it is revoked already.
update app_key set revoked_at = coalesce(revoked_at, %(now)s)
where tenant_id = %(tenant)s and key_id = %(key)s;


-- name: list_members
-- List members by ID, after a member.
select m.member_id, m.outside_id, m.role, m.groups, m.disabled_at, m.created_at,
    a.email, a.name as account_name, a.member_id is not null as has_account,
    greatest(
        (
            select max(s.started_at) from sign_in s
            where s.tenant_id = m.tenant_id and s.member_id = m.member_id
        ),
        (
            select max(k.used_at) from app_key k
            where k.tenant_id = m.tenant_id and k.member_id = m.member_id
        ),
        (
            select max(c.used_at) from session c
            where c.tenant_id = m.tenant_id and c.member_id = m.member_id
        )
    ) as last_seen,
    array(
        select k.role from app_key k
        where k.tenant_id = m.tenant_id and k.member_id = m.member_id and k.scopes is null
            and k.revoked_at is null and (k.expires_at is null or k.expires_at > %(now)s)
    ) as key_roles
from member m
left join account a on a.tenant_id = m.tenant_id and a.member_id = m.member_id
where m.tenant_id = %(tenant)s and m.member_id > %(after)s
order by m.member_id limit %(most)s;


-- name: find_member
-- Find a member for admins.
select m.member_id, m.outside_id, m.role, m.groups, m.disabled_at, m.created_at,
    a.email, a.name as account_name, a.member_id is not null as has_account,
    greatest(
        (
            select max(s.started_at) from sign_in s
            where s.tenant_id = m.tenant_id and s.member_id = m.member_id
        ),
        (
            select max(k.used_at) from app_key k
            where k.tenant_id = m.tenant_id and k.member_id = m.member_id
        ),
        (
            select max(c.used_at) from session c
            where c.tenant_id = m.tenant_id and c.member_id = m.member_id
        )
    ) as last_seen,
    array(
        select k.role from app_key k
        where k.tenant_id = m.tenant_id and k.member_id = m.member_id and k.scopes is null
            and k.revoked_at is null and (k.expires_at is null or k.expires_at > %(now)s)
    ) as key_roles
from member m
left join account a on a.tenant_id = m.tenant_id and a.member_id = m.member_id
where m.tenant_id = %(tenant)s and m.member_id = %(member)s;


-- name: names_of_members
-- Read the sealed names of members.
select m.member_id, m.outside_id, a.email, a.name as account_name
from member m
left join account a on a.tenant_id = m.tenant_id and a.member_id = m.member_id
where m.tenant_id = %(tenant)s and m.member_id = any(%(members)s);


-- name: list_groups
-- List the groups of members, invitations, keys and audiences of collections, with counts.
select name, count(*) filter (where kind = 'member')::int as members,
    count(*) filter (where kind = 'invitation')::int as invitations,
    count(*) filter (where kind = 'key')::int as keys,
    count(*) filter (where kind = 'collection')::int as collections
from (
    select unnest(m.groups) as name, 'member' as kind from member m
    where m.tenant_id = %(tenant)s
    union all
    select unnest(i.groups), 'invitation' from invitation i
    where i.tenant_id = %(tenant)s and i.expires_at > %(now)s
    union all
    select unnest(k.groups), 'key' from app_key k
    where k.tenant_id = %(tenant)s and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > %(now)s)
    union all
    select unnest(c.audience), 'collection' from collection c where c.tenant_id = %(tenant)s
) as used
group by name order by name limit %(most)s;


-- name: roles_of_member
-- List the role of a member, and role and scopes of its valid keys.
select role, null::text[] as scopes from member
where tenant_id = %(tenant)s and member_id = %(member)s
union all
select role, scopes from app_key
where tenant_id = %(tenant)s and member_id = %(member)s
    and revoked_at is null and (expires_at is null or expires_at > %(now)s);


-- name: change_member
-- Change role, groups and disabled state of a member; null keeps a value.
update member set
    role = coalesce(%(role)s::text, role),
    groups = coalesce(%(groups)s::text[], groups),
    disabled_at = case
        when %(disabled)s::boolean is null then disabled_at
        when %(disabled)s::boolean then coalesce(disabled_at, %(now)s)
    end
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: revoke_keys_beyond
-- Revoke keys of a member with more permissions than its role.
update app_key set revoked_at = coalesce(revoked_at, %(now)s)
where tenant_id = %(tenant)s and member_id = %(member)s and role = any(%(beyond)s::text[]);


-- name: list_identities
-- List linked identities of a member, oldest first.
select identity_id, channel, outside_id, linked_at from identity
where tenant_id = %(tenant)s and member_id = %(member)s order by identity_id;


-- name: drop_link_codes
-- Delete the link codes of a member.
delete from link_code where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: add_link_code
-- Insert a link code.
insert into link_code (tenant_id, code_hash, member_id, expires_at)
values (%(tenant)s, %(code_hash)s, %(member)s, %(expires_at)s);


-- name: use_link_code
-- Consume a link code.
delete from link_code where tenant_id = %(tenant)s and code_hash = %(code_hash)s
returning member_id, expires_at;


-- name: drop_identity_by_name
-- Delete the earlier link of an identity.
delete from identity where tenant_id = %(tenant)s and outside_id_hash = %(user_hash)s;


-- name: add_identity
-- Link an identity to a member.
insert into identity (
    tenant_id, identity_id, member_id, channel, outside_id_hash, outside_id, linked_at
)
values (
    %(tenant)s, %(identity)s, %(member)s, %(channel)s, %(user_hash)s, %(outside_id)s, %(now)s
);


-- name: drop_identity
-- Unlink an identity of a member.
delete from identity
where tenant_id = %(tenant)s and identity_id = %(identity)s and member_id = %(member)s;


-- name: find_issuer
-- Find an issuer by URL.
select issuer_id, url, audience, jwks_url, jwks, assistant_id, user_claim, groups_claim
from issuer where tenant_id = %(tenant)s and url = %(url)s;


-- name: list_issuers
-- List the issuers of a tenant, by URL.
select issuer_id, url, audience, jwks_url, jwks, assistant_id, user_claim, groups_claim
from issuer where tenant_id = %(tenant)s order by url;


-- name: put_issuer
-- Insert or replace an issuer.
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
-- Delete an issuer.
delete from issuer where tenant_id = %(tenant)s and issuer_id = %(issuer)s;


-- name: export_profile
-- Export the profiles of a member.
select * from profile where tenant_id = %(tenant)s and member_id = %(member)s order by profile_id;


-- name: accounts_by_email
-- List the tenants of this cell that have an account with an e-mail.
select owner_id from saegim.account_directory where email_hash = %(email_hash)s
order by owner_id limit %(most)s;


-- name: find_account_by_email
-- Find an account by the keyed hash of its e-mail.
select a.member_id, a.password_hash, m.disabled_at is not null as disabled
from account a
join member m on m.tenant_id = a.tenant_id and m.member_id = a.member_id
where a.tenant_id = %(tenant)s and a.email_hash = %(email_hash)s;


-- name: find_account
-- Find the account of a member.
select a.member_id, a.password_hash, a.email_hash, m.disabled_at is not null as disabled
from account a
join member m on m.tenant_id = a.tenant_id and m.member_id = a.member_id
where a.tenant_id = %(tenant)s and a.member_id = %(member)s;


-- name: read_account_email
-- Read the sealed e-mail of an account.
select email from account where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: add_account
-- Insert an account.
insert into account (
    tenant_id, member_id, email_hash, email, name, password_hash, created_at, password_changed_at
)
values (
    %(tenant)s, %(member)s, %(email_hash)s, %(email)s, %(name)s, %(password_hash)s, %(now)s, %(now)s
);


-- name: add_member_of_account
-- Insert the member of a new account.
insert into member (
    tenant_id, member_id, outside_id_hash, outside_id, locale, time_zone, created_at, role, groups
)
values (
    %(tenant)s, %(member)s, %(user_hash)s, %(outside_id)s, %(locale)s, %(time_zone)s, %(now)s,
    %(role)s, %(groups)s
);


-- name: set_password
-- Replace the password of an account.
update account set password_hash = %(password_hash)s, password_changed_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: add_account_sign_in
-- Insert a browser sign-in, unless the password was changed since it was verified.
insert into sign_in (tenant_id, sign_in_id, member_id, started_at, expires_at)
select %(tenant)s, %(sign_in)s, a.member_id, %(now)s, %(expires_at)s
from account a
where a.tenant_id = %(tenant)s and a.member_id = %(member)s
    and a.password_hash = %(password_hash)s
for share;


-- name: end_other_sign_ins
-- End every sign-in of a member but one.
update sign_in set ended_at = %(now)s
where tenant_id = %(tenant)s and member_id = %(member)s and ended_at is null
    and sign_in_id <> %(but)s;


-- name: add_invitation
-- Insert an invitation.
insert into invitation (
    tenant_id, invitation_id, member_id, token_hash, email_hash, email, name, role, groups,
    invited_by, created_at, expires_at
)
values (
    %(tenant)s, %(invitation)s, %(member)s, %(token_hash)s, %(email_hash)s, %(email)s, %(name)s,
    %(role)s, %(groups)s, %(invited_by)s, %(now)s, %(expires_at)s
);


-- name: list_invitations
-- List the invitations that nobody has accepted, newest first.
select invitation_id, member_id, email, name, role, groups, invited_by, created_at, expires_at
from invitation where tenant_id = %(tenant)s
order by invitation_id desc limit %(most)s;


-- name: find_invitation
-- Find an invitation by the hash of its token.
select invitation_id, member_id, email, name, role, groups, invited_by, created_at, expires_at
from invitation where tenant_id = %(tenant)s and token_hash = %(token_hash)s;


-- name: use_invitation
-- Consume an invitation.
delete from invitation
where tenant_id = %(tenant)s and token_hash = %(token_hash)s and expires_at > %(now)s
returning email_hash, role, groups;


-- name: drop_invitation
-- Delete an invitation.
delete from invitation where tenant_id = %(tenant)s and invitation_id = %(invitation)s;


-- name: drop_invitation_by_email
-- Delete the earlier invitation of an e-mail.
delete from invitation where tenant_id = %(tenant)s and email_hash = %(email_hash)s;


-- name: drop_invitations_by_inviter
-- Delete the invitations of somebody who may no longer give them.
delete from invitation where tenant_id = %(tenant)s and invited_by = %(member)s;


-- name: add_reset_link
-- Insert a link to set a new password.
insert into reset_link (tenant_id, token_hash, member_id, made_by, expires_at)
values (%(tenant)s, %(token_hash)s, %(member)s, %(made_by)s, %(expires_at)s);


-- name: find_reset_link
-- Find a link to set a new password by the hash of its token.
select member_id, expires_at from reset_link
where tenant_id = %(tenant)s and token_hash = %(token_hash)s;


-- name: use_reset_link
-- Consume a link to set a new password.
delete from reset_link
where tenant_id = %(tenant)s and token_hash = %(token_hash)s and expires_at > %(now)s
returning member_id;


-- name: drop_reset_links
-- Delete the links to set a new password of a member.
delete from reset_link where tenant_id = %(tenant)s and member_id = %(member)s;


-- name: drop_reset_links_by_maker
-- Delete the links of somebody who may no longer give them.
delete from reset_link where tenant_id = %(tenant)s and made_by = %(member)s;


-- name: tenant_name
-- Read the name of a tenant.
select name from tenant where tenant_id = %(tenant)s;


-- name: set_up_done
-- Check whether this cell has a tenant, or a set-up code was used.
select exists (select from saegim.embedder_use where indexes > 0)
    or exists (select from saegim.set_up_code where used_at is not null) as done;


-- name: add_set_up_code
-- Insert a set-up code.
insert into saegim.set_up_code (code_hash, expires_at) values (%(code_hash)s, %(expires_at)s);


-- name: find_set_up_code
-- Find a set-up code that can be used.
select expires_at from saegim.set_up_code
where code_hash = %(code_hash)s and used_at is null and expires_at > %(now)s;


-- name: use_set_up_code
-- Mark all set-up codes as used, if this one can be.
update saegim.set_up_code set used_at = %(now)s
where used_at is null and exists (
    select from saegim.set_up_code c
    where c.code_hash = %(code_hash)s and c.used_at is null and c.expires_at > %(now)s
);


-- name: set_up_progress
-- Check whether a tenant has documents, other people and a first question.
select
    exists (select from document d where d.tenant_id = %(tenant)s) as documents,
    exists (select from session s where s.tenant_id = %(tenant)s) as asked,
    exists (select from invitation i where i.tenant_id = %(tenant)s)
        or exists (select from member m where m.tenant_id = %(tenant)s offset 1) as members;
