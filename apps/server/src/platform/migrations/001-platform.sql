-- Messages that leave with the change that caused them (see platform/outbox.ts).
create table outbox (
  id text primary key,
  subject text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_unpublished on outbox (id) where published_at is null;

-- Who changed what.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  user_id text not null,
  action text not null,
  target text not null,
  before jsonb,
  after jsonb
);
create index audit_log_target on audit_log (target, id);
