-- Walk-in music: at most one playlist is it, and is played by so many dB softer then. The queue remembers that it plays as that.
alter table playlists add column walk_in_db double precision check (walk_in_db between -24 and 0);
create unique index playlists_one_is_walk_in on playlists ((true)) where walk_in_db is not null;
alter table show_queue add column walk_in_db double precision check (walk_in_db between -24 and 0);
