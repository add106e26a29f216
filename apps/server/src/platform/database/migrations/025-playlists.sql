create table playlists (
  id text primary key,
  name text not null,
  created_by text not null,
  created_at timestamptz not null default now()
);
create index playlists_name on playlists (lower(name), id);

create table playlist_songs (
  playlist_id text not null references playlists (id) on delete cascade,
  song_id text not null references songs (id) on delete cascade,
  -- Kept by the trigger of playlist_votes and by nothing else.
  votes integer not null default 0 check (votes >= 0),
  -- The run of the show queue in which it was played last.
  played_in bigint not null default 0,
  added_at timestamptz not null default now(),
  primary key (playlist_id, song_id)
);
create index playlist_songs_order on playlist_songs (playlist_id, votes desc, added_at, song_id);

-- One vote per person, song and playlist.
create table playlist_votes (
  playlist_id text not null,
  song_id text not null,
  user_id text not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (playlist_id, song_id, user_id),
  foreign key (playlist_id, song_id) references playlist_songs on delete cascade
);

create function count_playlist_vote() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update playlist_songs set votes = votes + 1 where playlist_id = new.playlist_id and song_id = new.song_id;
  else
    update playlist_songs set votes = votes - 1 where playlist_id = old.playlist_id and song_id = old.song_id;
  end if;
  return null;
end $$;
create trigger playlist_votes_are_counted after insert or delete on playlist_votes
  for each row execute function count_playlist_vote();

-- What plays to everybody: one row. The stage follows it, whoever asked for it may go.
create table show_queue (
  singleton boolean primary key default true check (singleton),
  mode text not null default 'stopped' check (mode in ('stopped', 'playing')),
  playlist_id text references playlists (id) on delete set null,
  song_id text references songs (id) on delete set null,
  -- Song time 0; in the future during the gap between two songs.
  started_at timestamptz,
  ends_at timestamptz,
  repeats boolean not null default false,
  gap_seconds double precision not null default 2,
  fade_seconds double precision not null default 1.5,
  -- Counts starts of playlists: what was played in an earlier run is played again.
  run bigint not null default 0,
  revision bigint not null default 0,
  note text not null default ''
);
insert into show_queue default values;
