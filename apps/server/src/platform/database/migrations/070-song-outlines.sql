-- A song at a glance: { levels: base64, parts: [{ label, until }] }; null until its show is planned.
alter table songs add column outline jsonb;
-- When the step was started last; null: never, or before this version.
alter table song_jobs add column started_at timestamptz;
