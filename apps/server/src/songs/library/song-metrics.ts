import type { Sql } from "../../platform/database/database.ts";
import type { Metrics } from "../../platform/process/metrics.ts";
import type { OldFiles } from "./old-files.ts";

type OfStep = { readonly step: string; readonly count: number };

/** Registers metrics of the song pipeline, read from its table, so they are equal on all API servers. */
export function countSongPipeline(metrics: Metrics, sql: Sql): void {
  metrics.gaugePer(
    "song_steps",
    "Steps of songs that are queued, wait for room or a site, or run",
    ["step", "state"],
    async () => {
      const rows = await sql<(OfStep & { readonly state: string })[]>`
        select step, case when not_before is not null then 'waiting' else state end as state, count(*)::int
        from song_jobs where state in ('queued', 'running') group by 1, 2`;
      return rows.map(({ step, state, count }) => [{ step, state }, count]);
    },
  );
  metrics.gauge(
    "song_oldest_step_seconds",
    "How long the step that is queued longest has waited for a worker",
    async () => {
      const [row] = await sql<{ seconds: number }[]>`
      select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
      from song_jobs where state = 'queued' and not_before is null`;
      return row?.seconds ?? 0;
    },
  );
  metrics.gaugePer(
    "song_steps_last_hour",
    "Steps of songs that ended in the last hour, by how",
    ["step", "outcome"],
    async () => {
      const rows = await sql<(OfStep & { readonly state: string })[]>`
        select step, state, count(*)::int from song_jobs
        where ended_at > now() - interval '1 hour' and state in ('done', 'failed') group by 1, 2`;
      return rows.map(({ step, state, count }) => [{ step, outcome: state }, count]);
    },
  );
  metrics.gaugePer(
    "song_step_seconds",
    "Median seconds a worker took for a step, of those done in the last hour",
    ["step"],
    async () => {
      const rows = await sql<{ step: string; seconds: number }[]>`
        select step, (percentile_cont(0.5) within group (order by extract(epoch from ended_at - started_at)))::float8 as seconds
        from song_jobs where ended_at > now() - interval '1 hour' and state = 'done' and started_at is not null group by 1`;
      return rows.map(({ step, seconds }) => [{ step }, seconds]);
    },
  );
}

/**
 * Registers metrics of the files this API server removed because their songs were unused.
 * @returns function that counts the files of one song
 */
export function countPurgedFiles(metrics: Metrics): (old: OldFiles) => void {
  const files = metrics.counterPer("purged_files_total", "Files of unused songs that were removed, by kind", ["kind"]);
  const bytes = metrics.counterPer("purged_bytes_total", "Bytes of files of unused songs that were removed, by kind", [
    "kind",
  ]);
  return ({ kind, names, bytes: size }) => {
    files({ kind }, names.length);
    bytes({ kind }, size);
  };
}
