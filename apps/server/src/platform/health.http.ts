import type { Sql } from "./database.ts";
import type { HttpServer } from "./http-server.ts";
import type { Metrics } from "./metrics.ts";

export interface HealthPorts {
  readonly sql: Sql;
  readonly isBrokerUp: () => boolean;
  readonly metrics: Metrics;
  /** What else is told beside database and broker. */
  readonly more: () => Promise<object>;
}

/** For whoever watches the process: `/health` (also `/healthz`) for everybody, `/metrics` for Admins and their tokens. */
export function registerHealth({ app, guard }: HttpServer, { sql, isBrokerUp, metrics, more }: HealthPorts): void {
  for (const path of ["/health", "/healthz"]) {
    app.get(path, async (_request, reply) => {
      const database = await sql`select 1`.then(
        () => true,
        () => false,
      );
      const broker = isBrokerUp();
      return reply
        .code(database ? 200 : 503)
        .send({ status: database && broker ? "ok" : "degraded", database, broker, ...(await more()) });
    });
  }
  app.get("/metrics", { onRequest: guard("Admin") }, async (_request, reply) =>
    reply.header("content-type", metrics.contentType).send(await metrics.text()),
  );
}
