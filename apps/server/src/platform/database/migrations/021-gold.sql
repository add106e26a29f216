-- Gold in whole pieces, kept twice over: every transaction moves as much out of one account as into another, so that
-- the sum of all postings is 0 whatever happened. A posting is never changed; what was wrong is refunded.
create table gold_accounts (
  -- A person's id, or 'mint', which sorts behind all of them. It stays when the person is purged.
  id text primary key,
  -- The mint is where new gold comes from and spent gold goes to: minus all gold that people hold.
  kind text not null check (kind in ('person', 'mint')),
  -- Empty for the mint, and for a person who was purged: their postings stay, nobody's.
  user_id text unique references users (id) on delete set null,
  -- Sum of the account's postings, kept by their trigger and by nothing else. No more than a number in JSON can hold.
  balance bigint not null default 0
    constraint gold_balance_in_range check (balance between -9007199254740991 and 9007199254740991),
  created_at timestamptz not null default now(),
  constraint gold_never_negative check (kind = 'mint' or balance >= 0)
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
  refund_of text constraint gold_refunded_once unique references gold_transactions (id)
    check ((refund_of is not null) = (kind = 'refund')),
  -- The same key is the same request, answered once.
  idempotency_key text not null constraint gold_key_once unique,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index gold_transactions_from on gold_transactions (from_account);
create index gold_transactions_to on gold_transactions (to_account);

create table gold_postings (
  transaction_id text not null references gold_transactions (id),
  account_id text not null references gold_accounts (id),
  amount bigint not null check (amount <> 0),
  primary key (transaction_id, account_id)
);
create index gold_postings_account on gold_postings (account_id, transaction_id desc);

-- A transaction posts itself: nobody else writes postings.
create function post_gold() returns trigger language plpgsql as $$
begin
  insert into gold_postings (transaction_id, account_id, amount)
  select id, from_account, -amount from new_transactions
  union all
  select id, to_account, amount from new_transactions;
  return null;
end $$;
create trigger gold_transactions_are_posted after insert on gold_transactions
  referencing new table as new_transactions for each statement execute function post_gold();

-- Postings written together add up to 0 for each transaction, and are in the balances from then on.
create function book_postings() returns trigger language plpgsql as $$
declare
  lopsided text;
begin
  select transaction_id into lopsided from new_postings group by transaction_id having sum(amount) <> 0 limit 1;
  if lopsided is not null then
    raise exception 'the postings of gold transaction % do not add up to 0', lopsided;
  end if;
  update gold_accounts set balance = balance + moved.amount
  from (select account_id, sum(amount)::bigint as amount from new_postings group by account_id) as moved
  where id = moved.account_id;
  return null;
end $$;
create trigger gold_postings_are_booked after insert on gold_postings
  referencing new table as new_postings for each statement execute function book_postings();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is written once and never changed', tg_table_name;
end $$;
create trigger gold_postings_stay before update or delete or truncate on gold_postings
  for each statement execute function refuse_change();
create trigger gold_transactions_stay before delete or truncate on gold_transactions
  for each statement execute function refuse_change();
-- Only what was said about a transaction may be taken out of it.
create trigger gold_transactions_keep_their_sums before update of
  id, kind, amount, from_account, to_account, refund_of, idempotency_key, created_by, created_at on gold_transactions
  for each statement execute function refuse_change();

-- Who is purged is in no sentence of the ledger any more; what they had and moved stays, so that it adds up.
create function forget_gold_reasons() returns trigger language plpgsql as $$
begin
  update gold_transactions set reason = '' where reason <> '' and (from_account = new.id or to_account = new.id);
  return null;
end $$;
create trigger gold_accounts_are_left after update of user_id on gold_accounts
  for each row when (old.user_id is not null and new.user_id is null) execute function forget_gold_reasons();
