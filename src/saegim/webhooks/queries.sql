-- name: add_webhook
-- Adds a webhook.
insert into webhook (tenant_id, webhook_id, url, events, secret, created_at)
values (%(tenant)s, %(webhook)s, %(url)s, %(events)s, %(secret)s, %(now)s);


-- name: count_webhooks
-- Counts a tenant's webhooks.
select count(*) as webhooks from webhook where tenant_id = %(tenant)s;


-- name: list_webhooks
-- A tenant's webhooks, oldest first.
select * from webhook where tenant_id = %(tenant)s order by webhook_id;


-- name: find_webhook
-- One webhook.
select * from webhook where tenant_id = %(tenant)s and webhook_id = %(webhook)s;


-- name: drop_webhook
-- Deletes a webhook with its pending deliveries.
delete from webhook where tenant_id = %(tenant)s and webhook_id = %(webhook)s
returning webhook_id;


-- name: webhooks_for
-- Webhooks that subscribe to an event.
select webhook_id from webhook
where tenant_id = %(tenant)s and %(event)s = any(events)
order by webhook_id;


-- name: add_delivery
-- Adds a delivery.
insert into webhook_delivery (tenant_id, delivery_id, webhook_id, event, subject_id, created_at)
values (%(tenant)s, %(delivery)s, %(webhook)s, %(event)s, %(subject)s, %(now)s);


-- name: find_delivery
-- A delivery with its webhook.
select d.*, w.url, w.secret
from webhook_delivery d
join webhook w on w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id
where d.tenant_id = %(tenant)s and w.tenant_id = %(tenant)s and d.delivery_id = %(delivery)s;


-- name: note_delivery
-- Saves the result of an attempt, unless the delivery is settled.
update webhook_delivery
set state = %(state)s, attempts = attempts + 1, status = %(status)s, error = %(error)s,
    settled_at = %(settled_at)s
where tenant_id = %(tenant)s and delivery_id = %(delivery)s and state = 'waiting';


-- name: list_deliveries
-- A page of a webhook's deliveries, newest first.
select * from webhook_delivery
where tenant_id = %(tenant)s and webhook_id = %(webhook)s
    and delivery_id < %(before)s
order by delivery_id desc
limit %(count)s;


-- name: drop_old_deliveries
-- Deletes old deliveries.
delete from webhook_delivery
where tenant_id = %(tenant)s and webhook_id = %(webhook)s and settled_at < %(before)s;
