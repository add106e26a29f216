-- Answers of calls with an Idempotency-Key, for 24 hours. Decision 116.
create table idempotency_keys (
  -- Hash of caller, method and key.
  call text not null,
  -- Number of the change within the call, from 0.
  step smallint not null,
  -- Hash of the request.
  request bytea not null,
  -- Answer of the change, encrypted; null if the call stored nothing but its response.
  answer bytea,
  -- Response of the whole call, encrypted; null until it was sent. In step 0.
  response bytea,
  created_at timestamptz not null default now(),
  community_id smallint not null default current_community(),
  primary key (call, step, community_id)
);
alter table idempotency_keys enable row level security;
create policy apart on idempotency_keys using (community_id = (select current_community()));
