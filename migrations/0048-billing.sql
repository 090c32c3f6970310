-- oldest program 47
-- Who is billed: what invoices say of a client. Each is empty if it is not known.

alter table client_contacts add column legal_name text not null default '';
alter table client_contacts add column tax_number text not null default '';
alter table client_contacts add column address text not null default '';
