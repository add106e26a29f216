-- How many people fit, who may come, and when codes are let in: two hours before the start until the end, unless said otherwise.
alter table events
  add column places integer not null default 0 check (places between 0 and 100000),
  add column registration text not null default 'none' check (registration in ('none', 'open', 'invitation')),
  add column doors_open_at timestamptz,
  add column doors_close_at timestamptz,
  add constraint doors_open_before_they_close
    check (coalesce(doors_open_at, starts_at - interval '2 hours') < coalesce(doors_close_at, ends_at));

-- Who has a place at an event and who waits for one. `line` is given while the event's row is held: it is the order of arrival,
-- whatever clocks say.
create table registrations (
  id text primary key,
  line integer generated always as identity unique,
  event_id text not null references events (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  state text not null check (state in ('registered', 'waiting')),
  registered_at timestamptz not null default clock_timestamp(),
  unique (event_id, user_id)
);
create index registrations_of_event on registrations (event_id, state, line);
create index registrations_of_person on registrations (user_id);

-- The link of an event by invitation; its key is made of the seed and the server's secret.
create table event_invitations (
  event_id text primary key references events (id) on delete cascade,
  seed bytea not null,
  created_at timestamptz not null default now()
);

-- `admitted`: why the person was let in all the same; `door`: what the door that scanned calls itself. A scan that is told later
-- keeps its own time, so that an id is no order of time any more.
alter table check_ins
  add column admitted text not null default ''
    check (admitted in ('', 'not_registered', 'waiting', 'full', 'early', 'late')),
  add column door text not null default '';
drop index check_ins_of_event;
create index check_ins_of_event on check_ins (event_id, checked_in_at, id);
