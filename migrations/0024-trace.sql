-- What ties a purchase, and the messages about it, to the request that caused them.

-- The trace id and whether the caller records it, of the first request; null where it had none.
alter table purchases add column trace text;

-- Those of the request that a message goes back to; null where there is none, and of older messages.
alter table webhook_messages add column request_id text;
alter table webhook_messages add column trace text;
