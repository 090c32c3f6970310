-- Which system each order is sent to: only that one's "no such order" is proof that it has none.
-- A digest of the connector and of the settings that identify the system. Null: not known, and so no proof.
alter table purchases add column sent_to text;
