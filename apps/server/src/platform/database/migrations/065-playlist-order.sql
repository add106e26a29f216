-- Where somebody put a song, from 1; null: it comes behind those, by votes.
alter table playlist_songs add column rank integer;
