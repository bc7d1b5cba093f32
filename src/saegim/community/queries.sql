-- name: find_guild
-- A guild's settings.
select * from guild where tenant_id = %(tenant)s and guild_id = %(guild)s;


-- name: put_guild
-- A guild's settings as they are from now on.
insert into guild (
    tenant_id, guild_id, locale, persona, rules, log_channel, store_messages, user_per_minute,
    guild_per_minute, changed_at
)
values (
    %(tenant)s, %(guild)s, %(locale)s, %(persona)s, %(rules)s, %(log_channel)s, %(store_messages)s,
    %(user_per_minute)s, %(guild_per_minute)s, %(now)s
)
on conflict (tenant_id, guild_id) do update
set locale = excluded.locale, persona = excluded.persona, rules = excluded.rules,
    log_channel = excluded.log_channel, store_messages = excluded.store_messages,
    user_per_minute = excluded.user_per_minute, guild_per_minute = excluded.guild_per_minute,
    changed_at = excluded.changed_at;


-- name: list_guild_channels
-- How a guild's channels are spoken in.
select channel_id, persona, rules from guild_channel
where tenant_id = %(tenant)s and guild_id = %(guild)s
order by channel_id;


-- name: put_guild_channel
-- How one channel is spoken in.
insert into guild_channel (tenant_id, guild_id, channel_id, persona, rules)
values (%(tenant)s, %(guild)s, %(channel)s, %(persona)s, %(rules)s)
on conflict (tenant_id, guild_id, channel_id) do update
set persona = excluded.persona, rules = excluded.rules;


-- name: drop_guild_channel
-- A channel is spoken in as the guild is.
delete from guild_channel
where tenant_id = %(tenant)s and guild_id = %(guild)s and channel_id = %(channel)s;


-- name: count_activity
-- So many more messages of somebody on a day.
insert into guild_activity (tenant_id, guild_id, day, name_hash, name, messages)
values (%(tenant)s, %(guild)s, %(day)s, %(name_hash)s, %(name)s, %(messages)s)
on conflict (tenant_id, guild_id, day, name_hash) do update
set messages = guild_activity.messages + excluded.messages;


-- name: drop_old_activity
-- Counts of long ago go.
delete from guild_activity
where tenant_id = %(tenant)s and guild_id = %(guild)s and day < %(before)s;


-- name: rank_activity
-- Who wrote most since a day.
select name_hash, (array_agg(name order by day desc))[1] as name, sum(messages) as messages
from guild_activity
where tenant_id = %(tenant)s and guild_id = %(guild)s and day >= %(since)s
group by name_hash
order by sum(messages) desc, name_hash
limit %(most)s;


-- name: add_notice
-- The weather of a place, told in a channel every day.
insert into guild_notice (tenant_id, notice_id, guild_id, channel_id, place, at, time_zone, last_sent_on)
values (
    %(tenant)s, %(notice)s, %(guild)s, %(channel)s, %(place)s, %(at)s, %(time_zone)s,
    %(last_sent_on)s
);


-- name: list_notices
-- A guild's notices, oldest first.
select * from guild_notice
where tenant_id = %(tenant)s and guild_id = %(guild)s
order by notice_id;


-- name: drop_notice
-- A notice is told no more.
delete from guild_notice
where tenant_id = %(tenant)s and notice_id = %(notice)s
returning notice_id;


-- name: claim_notice
-- A day's notice, for whoever asks first.
update guild_notice set last_sent_on = %(day)s
where tenant_id = %(tenant)s and notice_id = %(notice)s
    and (last_sent_on is null or last_sent_on < %(day)s)
returning notice_id;
