-- What a person has sent to others within a day, which is limited, is found without the rest of what they ever moved.
create index gold_transactions_sent on gold_transactions (created_by, created_at) where kind = 'transfer';

-- Who may become a person of this community: people an Admin adds, people with the invitation link, or all who ask.
create table sign_up (
  singleton boolean primary key default true check (singleton),
  mode text not null default 'closed' check (mode in ('closed', 'invitation', 'open')),
  -- Of the invitation link; null until there has been one.
  seed bytea check (seed is not null or mode <> 'invitation')
);
insert into sign_up default values;
