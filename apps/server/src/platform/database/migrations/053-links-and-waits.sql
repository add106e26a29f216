-- A page of another site or an audio file is one song, as a video is.
create unique index songs_one_per_link on songs (url) where url <> '' and ytid = '' and deleted_at is null;

-- A step that waits: until when at least, for how much room on the disk, and how often it has waited. It is queued, and
-- not taken while not_before stands.
alter table song_jobs
  add column not_before timestamptz,
  add column room_needed bigint not null default 0,
  add column waits integer not null default 0;
