-- The machine whose stage drives the fixtures. No row: no machine has taken the lease yet. Decision 108.
create table stage_lease (
  singleton boolean not null default true check (singleton),
  -- Identifies a data folder on a machine; empty after a machine has released the lease.
  holder text not null,
  -- Host name, for messages.
  name text not null,
  since timestamptz not null default clock_timestamp(),
  -- Increases with each renewal. Other machines detect a lost holder by a number that stands still.
  renewals bigint not null default 0,
  community_id smallint not null default current_community(),
  primary key (singleton, community_id)
);
alter table stage_lease enable row level security;
create policy apart on stage_lease using (community_id = (select current_community()));
