-- Members, their profiles and identities, keys, issuers, sign-ins at the pages.

create table member (
    tenant_id uuid not null references tenant,
    member_id uuid not null,
    outside_id_hash bytea not null,
    outside_id bytea not null,
    locale text not null,
    time_zone text not null,
    created_at timestamptz not null,
    role text not null default 'member',
    groups text[] not null default '{}',
    disabled_at timestamptz,
    primary key (tenant_id, member_id),
    unique (tenant_id, outside_id_hash)
);

create table profile (
    tenant_id uuid not null,
    profile_id uuid not null,
    member_id uuid not null,
    name_hash bytea not null,
    name bytea not null,
    created_at timestamptz not null,
    primary key (tenant_id, profile_id),
    unique (tenant_id, member_id, name_hash),
    foreign key (tenant_id, member_id) references member
);

-- Other names of a member. A linked name is looked up before a member's own.
create table identity (
    tenant_id uuid not null,
    identity_id uuid not null,
    member_id uuid not null,
    channel text not null,
    outside_id_hash bytea not null,
    outside_id bytea not null,
    linked_at timestamptz not null,
    primary key (tenant_id, identity_id),
    unique (tenant_id, outside_id_hash),
    foreign key (tenant_id, member_id) references member
);

-- A code that one identity was given, to be entered by another, once.
create table link_code (
    tenant_id uuid not null,
    code_hash bytea not null,
    member_id uuid not null,
    expires_at timestamptz not null,
    primary key (tenant_id, code_hash),
    foreign key (tenant_id, member_id) references member
);

-- No scopes: all that the role allows. `replaces` is the key this one was rotated from. `made_by` is
-- null where an operator made the key.
create table app_key (
    tenant_id uuid not null references tenant,
    key_id uuid not null,
    prefix text not null,
    secret_hash bytea not null,
    name text not null,
    role text not null,
    act_as boolean not null,
    member_id uuid,
    assistant_id uuid not null,
    groups text[] not null default '{}',
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    scopes text[],
    replaces uuid,
    used_at timestamptz,
    made_by uuid,
    primary key (tenant_id, key_id),
    unique (tenant_id, secret_hash),
    foreign key (tenant_id, assistant_id) references assistant,
    foreign key (tenant_id, member_id) references member,
    check (act_as = (member_id is null))
);

create table issuer (
    tenant_id uuid not null references tenant,
    issuer_id uuid not null,
    url text not null,
    audience text not null,
    jwks_url text,
    jwks jsonb,
    assistant_id uuid not null,
    user_claim text not null,
    groups_claim text,
    created_at timestamptz not null,
    primary key (tenant_id, issuer_id),
    unique (tenant_id, url),
    foreign key (tenant_id, assistant_id) references assistant,
    check ((jwks_url is null) <> (jwks is null))
);

create table sign_in (
    tenant_id uuid not null references tenant,
    sign_in_id uuid not null,
    member_id uuid not null,
    started_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    primary key (tenant_id, sign_in_id)
);

create index identity_by_member on identity (tenant_id, member_id);

create index link_code_by_member on link_code (tenant_id, member_id);

create index key_by_member on app_key (tenant_id, member_id);

create index sign_in_by_person on sign_in (tenant_id, member_id);
