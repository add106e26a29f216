-- Figures ask for the steps of the last hour, among those of all songs there ever were.
create index song_jobs_ended on song_jobs (ended_at) where ended_at is not null;
