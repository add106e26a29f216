-- Songs that members ask for. At most one playlist takes requests.
alter table playlists
  add column requests text not null default 'closed' check (requests in ('closed', 'ask', 'open'));
create unique index playlists_one_takes_requests on playlists ((true)) where requests <> 'closed';

create table song_requests (
  id text primary key,
  playlist_id text not null references playlists (id) on delete cascade,
  state text not null check (state in ('waiting', 'taken', 'refused')),
  -- Null for a link that waits.
  song_id text references songs (id) on delete cascade,
  link text not null default '',
  note text not null default '',
  user_id text references users (id) on delete set null,
  asked_at timestamptz not null default now(),
  constraint song_requests_ask_for_something check (song_id is not null or link <> ''),
  constraint song_requests_taken_have_a_song check (state <> 'taken' or song_id is not null)
);
create index song_requests_by_person on song_requests (user_id, asked_at);
create index song_requests_by_time on song_requests (asked_at);
create index song_requests_by_song on song_requests (song_id);
create index song_requests_by_playlist on song_requests (playlist_id);
