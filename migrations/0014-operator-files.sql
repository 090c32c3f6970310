-- What the file said of each operator when a server last started, and when that was last something else.
create table operator_files (
  operator_id bigint not null primary key,
  -- Of the connector and its settings, without secrets.
  digest text not null,
  -- Null: it says what it has said from the first start on.
  changed_at bigint
);
