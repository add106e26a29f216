-- Messages that leave with the change that caused them (see platform/database/outbox.ts).
-- The relay deletes a row once the broker has it.
create table outbox (
  seq bigint generated always as identity primary key,
  id text not null unique,
  subject text not null,
  body jsonb not null,
  created_at timestamptz not null default now()
);

create function ring_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox', '');
  return null;
end $$;
create trigger outbox_rings after insert on outbox for each statement execute function ring_outbox();

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
