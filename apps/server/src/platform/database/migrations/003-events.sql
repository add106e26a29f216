create table events (
  id text primary key,
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  location text not null default '',
  address text not null default '',
  lat double precision not null default 0,
  lng double precision not null default 0,
  image_id text references images (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (ends_at > starts_at)
);
create index events_by_start on events (starts_at, id);

create table talks (
  id text primary key,
  title text not null default '',
  body text not null default '',
  start_at timestamptz,
  user_id text references users (id) on delete set null,
  event_id text references events (id) on delete cascade,
  image_id text references images (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index talks_event on talks (event_id);
create index talks_user on talks (user_id);

create table talk_votes (
  talk_id text not null references talks (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (talk_id, user_id)
);

create table talk_feedback (
  talk_id text not null references talks (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  text text not null,
  -- 0 means no rating.
  rating integer not null check (rating between 0 and 5),
  created_at timestamptz not null default now(),
  primary key (talk_id, user_id)
);
