-- Sign-in codes on their way to their person, sealed with the server's secret: a restart loses none, a backup tells none.
create table outgoing_codes (
  id text primary key,
  channel text not null check (channel in ('mail', 'sms')),
  target text not null,
  sealed bytea not null,
  tries integer not null default 0,
  next_try_at timestamptz not null default now(),
  -- A code that has run out is not worth sending.
  expires_at timestamptz not null
);
create index outgoing_codes_due on outgoing_codes (next_try_at);

-- Links that sign one person in, once: printed on the server for somebody who has no other way.
create table sign_in_links (
  token_hash bytea primary key,
  user_id text not null references users (id) on delete cascade,
  expires_at timestamptz not null
);

-- What the person signed in with, as their browser names itself.
alter table sessions add column client text not null default '';
