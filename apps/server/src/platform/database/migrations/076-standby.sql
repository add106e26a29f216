-- Two machines for the lamps of one place, the first one and its standby: what this one does. No row: it has no other.
create table lamp_part (
  singleton boolean primary key default true check (singleton),
  -- follows: a standby whose outputs are silent. leads: a standby that drives the lamps. yields: the first one, silent while its
  -- standby drives them. takes: the first one, which was told to drive them again and has not told its standby yet.
  part text not null check (part in ('follows', 'leads', 'yields', 'takes')),
  since timestamptz not null default clock_timestamp(),
  -- When the other one was heard last.
  heard_at timestamptz,
  -- What would be missing if this machine drove the lamps now; empty for nothing.
  says text not null default ''
);

alter table venues add column is_standby boolean not null default false;
