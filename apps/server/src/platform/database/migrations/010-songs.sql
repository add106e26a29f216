create type step_status as enum ('pending', 'processing', 'ready', 'error');

create table songs (
  id text primary key,
  title text not null,
  artist text not null default '',
  -- The video; empty for an uploaded file.
  ytid text not null default '',
  url text not null default '',
  image_url text not null default '',
  -- Name of the stored original, empty until it is there.
  source_file text not null default '',
  duration integer not null default 0,
  downloaded_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  stems_generated boolean not null default false,
  analysis_status step_status not null default 'pending',
  lighting_status step_status not null default 'pending',
  palette jsonb not null default '[]',
  tempo double precision not null default 0,
  musical_key text not null default '',
  -- What the original showed when it was read, and what the analysis adds.
  source_warnings jsonb not null default '[]',
  warnings jsonb not null default '[]',
  error_message text not null default '',
  -- Rises with every re-roll; part of the plan's seed.
  plan_seed integer not null default 0
);
create unique index songs_one_per_video on songs (ytid) where ytid <> '';

create table song_jobs (
  id text primary key,
  song_id text not null references songs (id) on delete cascade,
  step text not null check (step in ('download', 'analysis', 'lighting', 'stems')),
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  -- Counts starts; a worker's death leaves it counted.
  attempt integer not null default 0,
  worker text not null default '',
  lease_token text not null default '',
  lease_until timestamptz,
  progress real not null default 0,
  note text not null default '',
  error text not null default '',
  -- When its doorbell was last rung.
  rung_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
-- Retry pressed twenty times is one job.
create unique index song_jobs_one_active on song_jobs (song_id, step) where state in ('queued', 'running');
create index song_jobs_active on song_jobs (state, lease_until) where state in ('queued', 'running');
create index song_jobs_by_song on song_jobs (song_id, created_at desc);
