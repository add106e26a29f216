-- When the whole product was last seen to run: written each second by who starts its parts. How long an outage was, and how far
-- a song had been heard, are read from it at the next start.
create table heartbeat (
  singleton boolean primary key default true check (singleton),
  beat_at timestamptz
);
insert into heartbeat default values;

-- Not null while the queue is held after an outage: when that began, and the revision of the queue then. The revision stays until
-- the queue is moved by something else: a player that played on alone through the outage says by which one it did.
alter table show_queue
  add column outage_since timestamptz,
  add column outage_revision bigint;

-- What was played. Nothing in it hangs on songs and playlists: it is kept when they are deleted.
create table played_songs (
  id text primary key,
  -- Of the show queue.
  turn bigint not null unique,
  song_id text not null,
  title text not null,
  artist text not null,
  -- How long it was then.
  seconds double precision not null,
  started_at timestamptz not null,
  -- When it was heard last.
  ended_at timestamptz not null,
  -- Without pauses and what was jumped over.
  heard_seconds double precision not null default 0,
  -- The song second since which it has been heard without a break; null while it stands, and once it is over.
  heard_from double precision,
  -- Name of the playlist; empty for a song alone.
  playlist text not null,
  event_id text references events (id) on delete set null,
  asked_by text references users (id) on delete set null
);
create index played_songs_of_event on played_songs (event_id, started_at) where event_id is not null;
create index played_songs_asked_by on played_songs (asked_by) where asked_by is not null;

-- What went wrong while the product ran, as sentences: parts that were started again, outputs that were down, outages.
create table night_faults (
  id text primary key,
  kind text not null check (kind in ('part', 'output', 'outage')),
  -- The output; empty for others.
  thing text not null default '',
  says text not null,
  began_at timestamptz not null default clock_timestamp(),
  -- Null for a moment, and while it lasts.
  ended_at timestamptz
);
create index night_faults_by_time on night_faults (began_at);
create unique index night_faults_output_once on night_faults (thing) where kind = 'output' and ended_at is null;
