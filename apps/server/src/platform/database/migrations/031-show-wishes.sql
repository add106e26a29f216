-- What people want of a song's show. No row: nothing.
create table song_wishes (
  song_id text primary key references songs (id) on delete cascade,
  -- Rises with every change: one made on an older revision is refused.
  revision integer not null,
  wishes jsonb not null,
  -- What was changed since the last plan, in words.
  said text[] not null default '{}',
  updated_at timestamptz not null default now()
);

alter table songs drop column plan_seed;
-- The plan that is played: lighting.<plan_number>.json. 0: lighting.json, as it was called once.
alter table songs add column plan_number integer not null default 0;
-- Counts grants of plans, so that no two of them write one file.
alter table songs add column plans_begun integer not null default 0;
-- The first thing the judge says of the plan that is played.
alter table songs add column show_remark text not null default '';

-- The number a plan at work will have, and who asked for it.
alter table song_jobs add column plan_number integer not null default 0;
alter table song_jobs add column asked_by text;

-- Plans that were made, the last twenty of each song, and what each was made from.
create table plan_revisions (
  song_id text not null references songs (id) on delete cascade,
  number integer not null,
  made_at timestamptz not null default now(),
  -- Null: nobody, it followed the analysis.
  made_by text,
  wishes jsonb not null,
  wishes_revision integer not null,
  -- The palette that was chosen, and what the plan is lit in.
  palette_choice text not null,
  palette text[] not null,
  scheme text not null,
  seed bigint not null,
  remark text not null,
  corrections_revision integer not null,
  -- What is different from the plan before, in words.
  changed text[] not null,
  primary key (song_id, number)
);
