-- Gold in whole pieces, kept twice over: every transaction moves as much out of one account as into another, so that
-- the sum of all postings is 0 whatever happened. A posting is never changed; what was wrong is refunded.
create table gold_accounts (
  id text primary key,
  -- The mint is where new gold comes from and spent gold goes to: minus all gold that people hold.
  kind text not null check (kind in ('person', 'mint')),
  -- Empty for the mint, and for a person who was purged: their postings stay, nobody's.
  user_id text unique references users (id) on delete set null,
  -- Sum of the account's postings, kept by their trigger and by nothing else.
  balance bigint not null default 0,
  created_at timestamptz not null default now(),
  check (kind = 'mint' or balance >= 0)
);
create unique index gold_accounts_one_mint on gold_accounts (kind) where kind = 'mint';
create index gold_accounts_richest on gold_accounts (balance desc, id) where kind = 'person';
insert into gold_accounts (id, kind) values ('mint', 'mint');

create table gold_transactions (
  id text primary key,
  kind text not null check (kind in ('grant', 'transfer', 'spend', 'refund')),
  amount bigint not null check (amount > 0),
  from_account text not null references gold_accounts (id),
  to_account text not null references gold_accounts (id) check (to_account <> from_account),
  reason text not null default '',
  -- What a refund takes back; a transaction is taken back once.
  refund_of text unique references gold_transactions (id) check ((refund_of is not null) = (kind = 'refund')),
  -- The same key is the same request, answered once.
  idempotency_key text not null unique,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index gold_transactions_from on gold_transactions (from_account, id desc);
create index gold_transactions_to on gold_transactions (to_account, id desc);

create table gold_postings (
  transaction_id text not null references gold_transactions (id),
  account_id text not null references gold_accounts (id),
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, account_id)
);
create index gold_postings_account on gold_postings (account_id, transaction_id desc);

create function book_posting() returns trigger language plpgsql as $$
begin
  update gold_accounts set balance = balance + new.amount where id = new.account_id;
  return null;
end $$;
create trigger gold_postings_are_booked after insert on gold_postings
  for each row execute function book_posting();

-- Asked at the end of the transaction, when both postings are there.
create function check_balanced() returns trigger language plpgsql as $$
begin
  if (select sum(amount) from gold_postings where transaction_id = new.transaction_id) <> 0 then
    raise exception 'the postings of gold transaction % do not add up to 0', new.transaction_id;
  end if;
  return null;
end $$;
create constraint trigger gold_postings_add_up after insert on gold_postings
  deferrable initially deferred for each row execute function check_balanced();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once and never changed', tg_table_name;
end $$;
create trigger gold_postings_stay before update or delete or truncate on gold_postings
  for each statement execute function refuse_change();
create trigger gold_transactions_stay before update or delete or truncate on gold_transactions
  for each statement execute function refuse_change();
