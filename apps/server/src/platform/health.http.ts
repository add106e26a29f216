import type { DatabaseWatch } from "./database-watch.ts";
import { MIN_FREE_BYTES } from "./disk.ts";
import type { HttpServer } from "./http-server.ts";
import type { Metrics } from "./metrics.ts";

/** With less than this it is time to make some. */
const LOW_BYTES = 1_000_000_000;

/** Whether the broker answers, and whether it takes what it is given. */
export interface BrokerState {
  readonly isUp: boolean;
  readonly isStoring: boolean;
  /** Whether it refused our user or password at the last attempt. */
  readonly isRefusing?: boolean;
}

export interface HealthPorts {
  /** Whether this server stops: it answers calls still, and wants no more. */
  readonly isLeaving: () => boolean;
  readonly database: Pick<DatabaseWatch, "look">;
  readonly broker: () => BrokerState;
  /** Free bytes of the disk the data folder is on; rejects when it is not there. */
  readonly freeBytes: () => Promise<number>;
  /** What else does not work, in sentences; none unless said. */
  readonly faults?: () => readonly string[];
  /** What else will soon not work, or waits; asked while the database answers. */
  readonly warnings?: () => Promise<readonly string[]>;
  readonly metrics: Metrics;
  /** What else is told beside these. */
  readonly more: () => Promise<object>;
}

/** For programs that watch the process: `/health` (also `/healthz`) for everybody, `/metrics` for Admins and their tokens. */
export function registerHealth({ app, guard }: HttpServer, ports: HealthPorts): void {
  const { metrics } = ports;
  for (const path of ["/health", "/healthz"]) {
    app.get(path, async (_request, reply) => {
      const health = await readHealth(ports);
      const takesCalls = health.database && !ports.isLeaving();
      return reply.code(takesCalls ? 200 : 503).send({ ...health, ...(await ports.more()) });
    });
  }
  app.get("/metrics", { onRequest: guard("Admin") }, async (_request, reply) =>
    reply.header("content-type", metrics.contentType).send(await metrics.text()),
  );
}

/** `reasons` say in sentences why something does not work, `warnings` what soon will not. */
export async function readHealth({
  database,
  broker,
  freeBytes,
  faults = () => [],
  warnings = async () => [],
}: Pick<HealthPorts, "database" | "broker" | "freeBytes" | "faults" | "warnings">) {
  const [fault, free] = await Promise.all([database.look(), freeBytes().catch(() => 0)]);
  const more = fault === "away" ? [] : await warnings().catch(() => []);
  const { isUp, isStoring, isRefusing } = broker();
  const reasons = [
    ...(fault === "away" ? ["The database does not answer."] : []),
    ...(fault === "read-only" ? ["The database takes no changes: it is a standby, or set to read-only."] : []),
    ...(fault === "full"
      ? ["There is no space left on the database's disk: nothing is stored until some is free."]
      : []),
    ...(isUp || isRefusing ? [] : ["The message broker does not answer: songs wait, and news come late."]),
    ...(isRefusing
      ? ["The message broker refuses the user or password of NATS_URL: songs wait, and news come late."]
      : []),
    ...(isUp && !isStoring ? ["The message broker stores nothing: songs wait, and news come late."] : []),
    ...(free < MIN_FREE_BYTES ? [`${freeOn(free)} Free some before nothing can be stored.`] : []),
    ...faults(),
  ];
  const isLow = free >= MIN_FREE_BYTES && free < LOW_BYTES;
  return {
    status: reasons.length === 0 ? "ok" : "degraded",
    database: fault !== "away",
    broker: isUp,
    reasons,
    warnings: [...(isLow ? [`${freeOn(free)} Free some soon.`] : []), ...more],
    free_bytes: free,
  };
}

const freeOn = (bytes: number) => `Only ${Math.floor(bytes / 1_000_000)} MB are free on the disk of the data folder.`;
