import { playedOf } from "../songs/queue/played-songs.store.ts";
import type { Sql } from "../platform/database/database.ts";
import { invalid } from "../platform/errors.ts";
import type { HttpServer } from "../platform/http/http-server.ts";
import { requireEvent } from "./night-report.ts";
import { isZone, OWN_ZONE, reportCsv } from "./report-csv.ts";
import { MOST_SONGS } from "./report.store.ts";

/**
 * Registers `/api/night/{event}/report.csv?zone=Europe/Vienna`, the played songs. The zone defaults to the event's,
 * then to the server's.
 */
export function registerNightHttp({ app, guard }: HttpServer, { sql }: { readonly sql: Sql }): void {
  type Asked = { Params: { event: string }; Querystring: { zone?: string | string[] } };
  const path = "/api/night/:event/report.csv";
  app.get<Asked>(path, { onRequest: guard("Director") }, async ({ params, query: { zone } }, reply) => {
    if (zone !== undefined && (typeof zone !== "string" || !isZone(zone)))
      throw invalid("zone: name a time zone such as Europe/Vienna");
    const event = await requireEvent(sql, params.event);
    const csv = reportCsv(await playedOf(sql, event.id, MOST_SONGS), zone ?? (event.time_zone || OWN_ZONE));
    return reply
      .header("content-type", "text/csv; charset=utf-8")
      .header("content-disposition", `attachment; filename="played-${event.starts_at.toISOString().slice(0, 10)}.csv"`)
      .send(csv);
  });
}
