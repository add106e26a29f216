-- How a playlist goes from song to song: seconds between two, below 0 seconds in which they are heard together; and seconds in
-- which light fades.
alter table playlists
  add column gap_seconds double precision not null default 2 check (gap_seconds between -12 and 600),
  add column fade_seconds double precision not null default 1.5 check (fade_seconds between 0 and 20);

-- A song that is paused keeps its place. The turn counts songs that were begun, the same song again included. What the player
-- at the PA has laid out as next comes next, whatever is voted after that.
alter table show_queue
  drop constraint show_queue_mode_check,
  add constraint show_queue_mode_check check (mode in ('stopped', 'playing', 'paused')),
  add column paused_at double precision,
  add column turn bigint not null default 0,
  add column laid_out text references songs (id) on delete set null,
  add constraint show_queue_pause_has_a_place check ((mode = 'paused') = (paused_at is not null));

-- The player at the PA: its link, how loud it is, and which page is the one that is heard.
create table pa_player (
  singleton boolean primary key default true check (singleton),
  -- Null while there is no link.
  seed bytea,
  volume double precision not null default 1 check (volume between 0 and 1),
  is_muted boolean not null default false,
  -- Songs are made as loud as this, LUFS; null leaves each as it is.
  level double precision default -16 check (level between -30 and -8),
  heard_page text not null default '',
  heard_name text not null default ''
);
insert into pa_player default values;
