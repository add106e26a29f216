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

-- An event has one thread that everybody may join. Nobody owns it: Admins take people out of it, and they stay out.
alter table chat_threads add column is_of_event boolean not null default false;
create unique index chat_threads_of_event on chat_threads (event_id) where is_of_event;
create table chat_taken_out (
  thread_id text not null references chat_threads (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  primary key (thread_id, user_id)
);
create index chat_taken_out_user on chat_taken_out (user_id);
