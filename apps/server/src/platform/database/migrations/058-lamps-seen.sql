-- Whether a person saw a lamp flash when it was identified before a night.
create table lamps_seen (
  light_id integer primary key references lights (id) on delete cascade,
  is_seen boolean not null,
  seen_at timestamptz not null default now()
);
