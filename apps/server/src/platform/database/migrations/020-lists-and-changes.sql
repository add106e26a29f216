-- The relay is woken after the commit, by the process that made it: transactions that notify commit one by one.
drop trigger outbox_rings on outbox;
drop function ring_outbox();
-- Ids are made unique; nobody looks a message up by its id.
alter table outbox drop constraint outbox_id_key;
-- Written once and sent as it is: nobody looks into it on the way.
alter table outbox alter column body type text using body::text;

-- Lists are read by keyset in every order they offer, and searched by trigrams of one text per row.
alter table users add column searched text
  generated always as (lower(name || ' ' || username || ' ' || email || ' ' || phone || ' ' || id)) stored;
create index users_searched on users using gin (searched gin_trgm_ops);
create index users_by_name on users (lower(name), id);
create index users_active on users (id) where deleted_at is null;
create index users_pending on users (id) where deleted_at is null and verified_at is null;
create index users_deleted on users (id) where deleted_at is not null;
create index users_roles on users using gin (roles) where roles <> '{}';
-- The partial index on lower(email) cannot serve a look-up that does not say email <> ''.
drop index users_email;
create unique index users_email on users (lower(nullif(email, '')));

alter table events add column searched text
  generated always as (lower(title || ' ' || location || ' ' || address)) stored;
create index events_searched on events using gin (searched gin_trgm_ops);
create index events_by_title on events (lower(title), id);
create index events_deleted on events (starts_at, id) where deleted_at is not null;

alter table talks add column deleted_at timestamptz;
alter table talks add column searched text generated always as (lower(title || ' ' || left(body, 2000))) stored;
create index talks_searched on talks using gin (searched gin_trgm_ops);
create index talks_by_start on talks (coalesce(start_at, 'infinity'), id);
create index talks_of_event_by_start on talks (event_id, coalesce(start_at, 'infinity'), id);
create index talks_by_title on talks (lower(title), id);
drop index talks_event;

alter table songs add column deleted_at timestamptz;
-- Whether cover.webp lies beside the sound. The picture at the video site was never shown: pages of ours load only ours.
alter table songs add column has_cover boolean not null default false;
alter table songs drop column image_url;
-- Title and artist that a person gave are kept; others give way to what the file or the video site says.
alter table songs add column named_by_person boolean not null default false;
update songs set named_by_person = true;
alter table songs add column searched text generated always as (lower(title || ' ' || artist || ' ' || url)) stored;
create index songs_searched on songs using gin (searched gin_trgm_ops);
create index songs_by_title on songs (lower(title), id);
create index songs_by_artist on songs (lower(artist), id);
create index songs_by_duration on songs (duration, id);
create index songs_by_tempo on songs (tempo, id);
create index songs_by_key on songs (musical_key, id);
create index songs_at_work on songs (id) where analysis_status = 'processing' or lighting_status = 'processing';
create index songs_failed on songs (id) where analysis_status = 'error' or lighting_status = 'error';
-- A deleted song does not stand in the way of the same video or file.
drop index songs_one_per_video;
create unique index songs_one_per_video on songs (ytid) where ytid <> '' and deleted_at is null;
drop index songs_one_per_file;
create unique index songs_one_per_file on songs (source_hash) where source_hash <> '' and deleted_at is null;

-- Rises with every change of lights, groups and outputs: the stage asks for this number and reads the rest only when it
-- rose. A row, not a sequence: the number must not be seen before the change is.
create table rig_revision (singleton boolean primary key default true check (singleton), revision bigint not null);
insert into rig_revision (revision) values (1);
create function raise_rig_revision() returns trigger language plpgsql as $$
begin
  update rig_revision set revision = revision + 1;
  return null;
end $$;
create trigger lights_raise_revision after insert or update or delete on lights
  for each statement execute function raise_rig_revision();
create trigger light_groups_raise_revision after insert or update or delete on light_groups
  for each statement execute function raise_rig_revision();
create trigger light_group_members_raise_revision after insert or update or delete on light_group_members
  for each statement execute function raise_rig_revision();
create trigger outputs_raise_revision after insert or update or delete on outputs
  for each statement execute function raise_rig_revision();

-- Names of audit entries follow one scheme: noun.verb_past and "noun id".
update audit_log set target = replace(target, 'song:', 'song ') where target like 'song:%';
update audit_log set action = case action
    when 'song.create' then 'song.created' when 'song.upload' then 'song.created' when 'song.update' then 'song.updated'
    when 'song.delete' then 'song.deleted' when 'song.retry' then 'song.retried' when 'song.cancel' then 'song.cancelled'
    when 'song.correct' then 'song.corrected' when 'song.replan' then 'song.replanned' end
  where action in ('song.create', 'song.upload', 'song.update', 'song.delete', 'song.retry', 'song.cancel',
                   'song.correct', 'song.replan');

-- Lamps a light may be. Ids are kept for good: screens and shows name them.
create table fixture_definitions (
  id integer generated always as identity primary key,
  key text not null unique,
  definition jsonb not null
);
