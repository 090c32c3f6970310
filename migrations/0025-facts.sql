-- What is recorded about a purchase is a code with values, and no sentence any more. The version before cannot run
-- with it: its notes do not fit, and so none is lost or written in words while it leaves.

-- Until they are converted (0026), the notes of earlier versions stay here.
alter table purchase_notes rename to purchase_notes_in_words;

create table purchase_notes (
  client_id text not null,
  purchase_id text not null,
  seq bigint not null check (seq > 0),
  kind text not null,
  -- The codes and their values are listed in src/purchases/facts/facts.ts.
  code text not null,
  -- JSON.
  fact_values text not null,
  at bigint not null,
  primary key (client_id, purchase_id, seq),
  foreign key (client_id, purchase_id) references purchases (client_id, id)
);

-- `reason` and `disputed` are the codes. Null beside a reason: it is the code of an error.
alter table purchases add column reason_values text;
alter table purchases add column disputed_values text;

-- JSON: the facts that a purchase was decided on. Null: `evidence` has words, as in all entries of earlier versions.
alter table audit add column facts text;

-- What came of asking an operator about a restore.
alter table restore_operators add column code text not null default 'text';
alter table restore_operators add column fact_values text not null default '{"text":""}';
