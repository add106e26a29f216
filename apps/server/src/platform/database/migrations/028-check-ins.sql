-- Who came to an event: once per person. Its id is younger than those before it, so that it is its order as well.
create table check_ins (
  id text primary key,
  event_id text not null references events (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  checked_in_at timestamptz not null default now(),
  checked_in_by text references users (id) on delete set null,
  unique (event_id, user_id)
);
create index check_ins_of_event on check_ins (event_id, id);
create index check_ins_of_person on check_ins (user_id);
create index check_ins_by_scanner on check_ins (checked_in_by) where checked_in_by is not null;
