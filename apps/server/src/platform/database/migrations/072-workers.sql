-- The next job of a step is found without looking at all that wait.
create index song_jobs_next on song_jobs (step, song_id) where state = 'queued' and not_before is null;
-- What a worker has done lately.
create index song_jobs_done on song_jobs (ended_at) where state = 'done';

-- Workers on other machines, which call by HTTP. The token itself is kept nowhere.
create table workers (
  id text primary key,
  name text not null,
  token_hash text not null unique,
  added_by text references users (id) on delete set null,
  added_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- What it said of itself last, and which process that was.
  seen_at timestamptz,
  instance text not null default '',
  version text not null default '',
  protocol integer not null default 0,
  cores integer not null default 0,
  steps text[] not null default '{}',
  downloader jsonb,
  -- Results in a row that could not be used, and why the last one could not.
  unusable_results integer not null default 0,
  fault text not null default '',
  set_aside_at timestamptz
);
create unique index workers_name on workers (lower(name)) where revoked_at is null;
