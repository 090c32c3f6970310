-- Products of every operator that the configuration may have: 1 to 99, no longer 1 to 5.
-- Programs before this one refuse such products.

-- Not every engine can change a check, so both tables are written again.
create table kept_products as select * from products;
create table kept_product_categories as select * from product_categories;
drop table product_categories;
drop table products;

create table products (
  id bigint not null primary key check (id > 0),
  name text not null,
  name_en text,
  description text not null,
  description_full text,
  sku text,
  price bigint not null check (price >= 0),
  second_price bigint check (second_price >= price),
  showable_price bigint,
  type text not null check (type in ('cell_internet', 'cell_direct_charge', 'td_lte_internet')),
  minimum_sale bigint,
  -- JSON, here and in options, third_party_id and capacity.
  dimension text not null,
  score bigint not null,
  status bigint not null check (status in (0, 1)),
  options text not null,
  deliverable bigint not null check (deliverable in (0, 1)),
  third_party_id text not null,
  capacity text not null,
  period bigint,
  sim_card_type text not null check (sim_card_type in ('credit', 'permanent')),
  operator_id bigint not null check (operator_id between 1 and 99),
  profile_id text,
  sort_order bigint not null,
  created_at bigint,
  updated_at bigint,
  changed_at bigint not null default 0,
  check (type <> 'td_lte_internet' or operator_id = 2)
);

create table product_categories (
  product_id bigint not null references products (id),
  category_id bigint not null references categories (id),
  -- The order in which a product names its categories.
  position bigint not null,
  address text not null,
  primary key (product_id, category_id)
);

insert into products select * from kept_products;
insert into product_categories select * from kept_product_categories;
create index product_categories_by_category on product_categories (category_id);
drop table kept_products;
drop table kept_product_categories;
