-- Time in which a song played and no player confirmed sound, for the night's report.
alter table night_faults drop constraint night_faults_kind_check;
alter table night_faults add constraint night_faults_kind_check check (kind in ('part', 'output', 'outage', 'sound'));
create unique index night_faults_sound_once on night_faults (community_id) where kind = 'sound' and ended_at is null;
