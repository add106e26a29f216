-- What people corrected in the analysis of a song. hybrid.json stays what was heard.
create table song_corrections (
  song_id text primary key references songs (id) on delete cascade,
  -- Rises with every save: a save made on an older one is refused.
  revision integer not null,
  corrections jsonb not null,
  updated_at timestamptz not null default now()
);

-- The revision a plan is made on; a plan overtaken by a save is made again.
alter table song_jobs add column corrections_revision integer not null default 0;
