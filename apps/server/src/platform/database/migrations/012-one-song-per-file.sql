-- SHA-256 of an uploaded original, hex. Empty for a video, and for what was uploaded before this was kept.
alter table songs add column source_hash text not null default '';
create unique index songs_one_per_file on songs (source_hash) where source_hash <> '';
