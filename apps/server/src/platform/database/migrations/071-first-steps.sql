create table first_steps (
  singleton boolean primary key default true check (singleton),
  is_hidden boolean not null default false,
  demo_state text not null default 'none' check (demo_state in ('none', 'making', 'made', 'removing', 'broken')),
  -- What is being made, or why the demo night is broken.
  demo_says text not null default '',
  -- Who wants it made or removed: it is done in their name.
  demo_wanted_by text references users (id) on delete set null
);
insert into first_steps default values;

-- What the demo night was made of, in the order it was made.
create table demo_items (
  number integer primary key generated always as identity,
  kind text not null check (kind in ('song', 'playlist', 'light', 'group', 'person', 'event', 'talk', 'thread')),
  id text not null,
  unique (kind, id)
);
