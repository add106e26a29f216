import { findLampPart } from "../lights/standby-role.ts";
import type { Sql } from "../platform/database/database.ts";
import type { Metrics } from "../platform/process/metrics.ts";

/** Registers when venue servers and remote workers were last seen, and the role of a standby. */
export function countMachines(metrics: Metrics, sql: Sql): void {
  metrics.gaugePer("venue_seen_seconds", "Seconds since the venue server of an event was seen", ["venue"], async () => {
    const rows = await sql<{ name: string; seconds: number }[]>`
      select name, extract(epoch from now() - coalesce(seen_at, added_at))::float8 as seconds
      from venues where revoked_at is null and event_id is not null`;
    return rows.map(({ name, seconds }) => [{ venue: name }, seconds] as const);
  });
  metrics.gaugePer("worker_seen_seconds", "Seconds since a remote worker was seen", ["worker"], async () => {
    const rows = await sql<{ name: string; seconds: number }[]>`
      select name, extract(epoch from now() - coalesce(seen_at, added_at))::float8 as seconds
      from workers where revoked_at is null`;
    return rows.map(({ name, seconds }) => [{ worker: name }, seconds] as const);
  });
  metrics.gauge("standby_drives", "1 while the standby of this server drives the fixtures", async () => {
    const role = (await findLampPart(sql))?.part;
    return role === "yields" || role === "leads" ? 1 : 0;
  });
}
