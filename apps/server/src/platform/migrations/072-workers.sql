-- The next job of a step is found without looking at all that wait.
create index song_jobs_next on song_jobs (step, song_id) where state = 'queued' and not_before is null;
