-- Venues of this office: each has a box that fetches tonight and tells what happened. The token itself is kept nowhere.
create table venues (
  id text primary key,
  name text not null,
  token_hash text not null unique,
  added_by text references users (id) on delete set null,
  added_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- What is on there tonight.
  event_id text references events (id) on delete set null,
  -- What its box said of itself last, and which process that was.
  seen_at timestamptz,
  instance text not null default '',
  version text not null default '',
  migration text not null default '',
  holds jsonb,
  -- Lamps and outputs as they hang there, for a new box.
  rig jsonb,
  rig_at timestamptz
);
create unique index venues_name on venues (lower(name)) where revoked_at is null;
create index venues_event on venues (event_id) where event_id is not null;

create table venue_playlists (
  venue_id text not null references venues (id) on delete cascade,
  playlist_id text not null references playlists (id) on delete cascade,
  primary key (venue_id, playlist_id)
);
create index venue_playlists_playlist on venue_playlists (playlist_id);

-- What boxes have told: each item counts once, however often it is told.
create table settlements (
  venue_id text not null references venues (id) on delete cascade,
  item text not null,
  settled_at timestamptz not null default now(),
  primary key (venue_id, item)
);

-- A song that was played at a venue had no turn in the queue here.
alter table played_songs
  alter column turn drop not null,
  add column venue_id text references venues (id) on delete set null;
create index played_songs_venue on played_songs (venue_id) where venue_id is not null;

-- On a box: how it stands with its office. No row: this installation is no box.
create table box (
  singleton boolean primary key default true check (singleton),
  -- What the office and this venue call themselves; empty until the office has answered once.
  office text not null default '',
  venue text not null default '',
  -- Since when the office has not answered; null while it does.
  cut_since timestamptz,
  -- Why tonight cannot be fetched; empty where it can.
  says text not null default '',
  event_id text,
  -- The office's mark of the tonight that is here whole.
  mark text not null default '',
  whole_at timestamptz,
  songs integer not null default 0,
  -- Of those on the playlists of tonight.
  songs_of integer not null default 0,
  bytes bigint not null default 0,
  -- The rig as it was told to the office last; null: nothing was told or fetched yet.
  rig_told bigint
);

-- On a box: rows and files that are the office's, as they were when they came.
create table box_held (
  place text not null,
  key text not null,
  hash text not null,
  primary key (place, key)
);

-- On a box: what the office knows of the things that are made here.
create table box_told (
  place text not null,
  key text not null,
  version text not null,
  primary key (place, key)
);

-- On a box: codes that the office gave people for tonight. Its key stays there.
create table box_codes (
  event_id text not null references events (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  code text not null unique,
  primary key (event_id, user_id)
);
create index box_codes_user on box_codes (user_id);
