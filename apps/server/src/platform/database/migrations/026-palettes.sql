-- The colours a person chose for a song's show. No row: the planner's own.
create table song_palettes (
  song_id text primary key references songs (id) on delete cascade,
  harmony text not null,
  -- A palette of the library, 'harmony' or 'automatic'.
  selected text not null,
  -- #rrggbb, what the planner is given; empty when it chooses itself.
  colors text[] not null default '{}',
  updated_at timestamptz not null default now()
);
