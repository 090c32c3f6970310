-- oldest program 43
-- Invoices of clients, and credit notes that correct them. Older programs neither write nor read them.

-- The last number of each kind. A transaction that fails takes its number back, so that none is left out.
create table invoice_numbers (
  kind text not null primary key check (kind in ('invoice', 'credit_note')),
  last bigint not null check (last >= 0)
);
insert into invoice_numbers (kind, last) values ('invoice', 0);
insert into invoice_numbers (kind, last) values ('credit_note', 0);

-- What one client bought in one month: its postings with numbers above `after_seq`, up to `through_seq`. The
-- first invoice of a client begins with its month, and each other where the one before ends.
create table invoices (
  number bigint not null primary key check (number > 0),
  client_id text not null references clients (id),
  calendar text not null check (calendar in ('gregorian', 'persian')),
  -- Such as 2026-01 or 1404-11.
  month text not null,
  begins_at bigint not null,
  ends_at bigint not null,
  time_zone text not null,
  after_seq bigint not null check (after_seq >= 0),
  through_seq bigint not null,
  sold bigint not null,
  price bigint not null,
  charged bigint not null,
  reversed bigint not null,
  reversed_amount bigint not null,
  -- Charged less reversed; below zero if more was reversed than sold. It includes the tax.
  total bigint not null,
  tax_percent text not null,
  tax bigint not null,
  -- Who sold and who bought as it was then, as JSON.
  seller text not null,
  buyer text not null,
  -- As JSON; null without a currency.
  currency text,
  created_at bigint not null,
  check (through_seq > after_seq),
  check (total = charged - reversed_amount)
);
create unique index invoices_by_range on invoices (client_id, after_seq);
create unique index invoices_by_month on invoices (client_id, calendar, month);

-- The sums of each product. A product that is not known has the id 0.
create table invoice_lines (
  number bigint not null references invoices (number),
  product_id bigint not null,
  -- As JSON: the names of the product as it was then.
  names text not null,
  sold bigint not null,
  price bigint not null,
  charged bigint not null,
  reversed bigint not null,
  reversed_amount bigint not null,
  primary key (number, product_id)
);

-- Each gives an amount of its invoice back to the client, by the correction that it names.
create table credit_notes (
  number bigint not null primary key check (number > 0),
  invoice_number bigint not null references invoices (number),
  client_id text not null references clients (id),
  amount bigint not null check (amount > 0),
  tax bigint not null,
  reason text not null,
  posting_seq bigint not null,
  created_at bigint not null
);
create index credit_notes_by_invoice on credit_notes (invoice_number, number);

-- None of them is ever changed.
-- for sqlite
create trigger invoices_not_changed before update on invoices begin select raise(abort, 'invoices is append-only'); end;
-- for sqlite
create trigger invoices_not_deleted before delete on invoices begin select raise(abort, 'invoices is append-only'); end;
-- for sqlite
create trigger invoice_lines_not_changed before update on invoice_lines begin select raise(abort, 'invoice_lines is append-only'); end;
-- for sqlite
create trigger invoice_lines_not_deleted before delete on invoice_lines begin select raise(abort, 'invoice_lines is append-only'); end;
-- for sqlite
create trigger credit_notes_not_changed before update on credit_notes begin select raise(abort, 'credit_notes is append-only'); end;
-- for sqlite
create trigger credit_notes_not_deleted before delete on credit_notes begin select raise(abort, 'credit_notes is append-only'); end;
-- for postgres
create trigger invoices_append_only before update or delete or truncate on invoices execute function refuse_change();
-- for postgres
create trigger invoice_lines_append_only before update or delete or truncate on invoice_lines execute function refuse_change();
-- for postgres
create trigger credit_notes_append_only before update or delete or truncate on credit_notes execute function refuse_change();
