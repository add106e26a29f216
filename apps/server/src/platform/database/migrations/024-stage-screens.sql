-- What each stage screen shows: one row for each event that has shown anything, and 'default' for the screen of no event.
create table stage_screens (
  id text primary key,
  event_id text unique references events (id) on delete cascade,
  -- What is shown where no announcement covers it.
  view text not null default 'home' check (view in ('home', 'talk', 'leaderboard', 'player')),
  status text not null default '',
  announcement text not null default '',
  -- Empty for an announcement that stays until the next view is chosen.
  announcement_ends_at timestamptz,
  -- The current talk; it goes on behind other views.
  talk_id text references talks (id) on delete set null,
  player_id text references users (id) on delete set null,
  timer_ends_at timestamptz,
  timer_seconds integer not null default 0,
  revision integer not null default 0,
  updated_at timestamptz not null default now(),
  check (id = coalesce(event_id, 'default')),
  check (announcement_ends_at is null or announcement <> '')
);
create index stage_screens_announcements on stage_screens (announcement_ends_at) where announcement_ends_at is not null;
create index stage_screens_by_update on stage_screens (updated_at, id);
create index stage_screens_talk on stage_screens (talk_id) where talk_id is not null;
create index stage_screens_player on stage_screens (player_id) where player_id is not null;

-- The link to the page of a screen. Its key is made of the seed and the server's secret: this table opens nothing.
create table stage_links (
  screen_id text primary key,
  event_id text references events (id) on delete cascade,
  seed bytea not null,
  created_at timestamptz not null default now(),
  check (screen_id = coalesce(event_id, 'default'))
);
