-- Chat communities: settings, channels, activity, notices.

-- `guild_id` and `channel_id` are the chat service's own ids; they name no person.
create table guild (
    tenant_id uuid not null references tenant,
    guild_id text not null,
    locale text,
    persona text not null default '',
    rules text not null default '',
    log_channel text,
    store_messages boolean not null default false,
    user_per_minute integer not null,
    guild_per_minute integer not null,
    changed_at timestamptz not null,
    primary key (tenant_id, guild_id),
    check (locale in ('ko', 'en'))
);

create table guild_channel (
    tenant_id uuid not null references tenant,
    guild_id text not null,
    channel_id text not null,
    persona text not null,
    rules text not null,
    primary key (tenant_id, guild_id, channel_id)
);

-- How many messages, never which. `name` is sealed with the tenant's key.
create table guild_activity (
    tenant_id uuid not null references tenant,
    guild_id text not null,
    day date not null,
    name_hash bytea not null,
    name bytea not null,
    messages integer not null,
    primary key (tenant_id, guild_id, day, name_hash)
);

create table guild_notice (
    tenant_id uuid not null references tenant,
    notice_id uuid not null,
    guild_id text not null,
    channel_id text not null,
    place text not null,
    at text not null,
    time_zone text not null,
    last_sent_on date,
    primary key (tenant_id, notice_id)
);

create index guild_activity_by_name on guild_activity (tenant_id, name_hash);

create index guild_notice_by_guild on guild_notice (tenant_id, guild_id, notice_id);
