-- name: find_guild
-- A guild's settings.
select * from guild where tenant_id = %(tenant)s and guild_id = %(guild)s;


-- name: put_guild
-- Saves a guild's settings.
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
-- Personas and rules of channels.
select channel_id, persona, rules from guild_channel
where tenant_id = %(tenant)s and guild_id = %(guild)s
order by channel_id;


-- name: put_guild_channel
-- Saves persona and rules of a channel.
insert into guild_channel (tenant_id, guild_id, channel_id, persona, rules)
values (%(tenant)s, %(guild)s, %(channel)s, %(persona)s, %(rules)s)
on conflict (tenant_id, guild_id, channel_id) do update
set persona = excluded.persona, rules = excluded.rules;


-- name: drop_guild_channel
-- Removes a channel's persona and rules.
delete from guild_channel
where tenant_id = %(tenant)s and guild_id = %(guild)s and channel_id = %(channel)s;


-- name: count_activity
-- Adds to the message count of a user on a day.
insert into guild_activity (tenant_id, guild_id, day, name_hash, name, messages)
values (%(tenant)s, %(guild)s, %(day)s, %(name_hash)s, %(name)s, %(messages)s)
on conflict (tenant_id, guild_id, day, name_hash) do update
set messages = guild_activity.messages + excluded.messages;


-- name: drop_old_activity
-- Deletes old counts.
delete from guild_activity
where tenant_id = %(tenant)s and guild_id = %(guild)s and day < %(before)s;


-- name: rank_activity
-- The users with the most messages since a day.
select name_hash, (array_agg(name order by day desc))[1] as name, sum(messages) as messages
from guild_activity
where tenant_id = %(tenant)s and guild_id = %(guild)s and day >= %(since)s
group by name_hash
order by sum(messages) desc, name_hash
limit %(most)s;


-- name: add_notice
-- Adds a daily weather notice.
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
-- Deletes a notice.
delete from guild_notice
where tenant_id = %(tenant)s and notice_id = %(notice)s
returning notice_id;


-- name: claim_notice
-- Claims a day's notice, so that it is sent once.
update guild_notice set last_sent_on = %(day)s
where tenant_id = %(tenant)s and notice_id = %(notice)s
    and (last_sent_on is null or last_sent_on < %(day)s)
returning notice_id;
