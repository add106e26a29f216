-- When the files of a song were opened last, and when old ones were looked for: a song that was worked on since is looked at again.
create table song_uses (
  song_id text primary key references songs (id) on delete cascade,
  used_at timestamptz,
  stems_looked_at timestamptz,
  original_looked_at timestamptz
);
-- When a song was played last.
create index played_songs_of_song on played_songs (song_id, ended_at);
