import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { DatabaseFault } from "../database/database-fault.ts";
import type { DatabaseWatch } from "../database/database-watch.ts";
import { MIN_FREE_BYTES } from "../files/disk.ts";
import type { HttpServer } from "./http-server.ts";
import type { Metrics } from "../process/metrics.ts";

const DATABASE_REASONS: Readonly<Record<DatabaseFault, string>> = {
  away: "The database does not answer.",
  refused: "The database refuses our connections: check user, password, database and sslmode of DATABASE_URL.",
  "read-only": "The database takes no changes: it is a standby, or set to read-only.",
  full: "There is no space left on the database's disk: nothing is stored until some is free.",
};

/** Free bytes below which a warning is shown. */
const LOW_BYTES = 1_000_000_000;

/** Whether the broker responds, and whether it stores messages. */
export interface BrokerState {
  readonly isUp: boolean;
  readonly isStoring: boolean;
  /** Whether it rejected our user or password at the last attempt. */
  readonly isRefusing?: boolean;
  /** Why this server does not use it; undefined if it does. */
  readonly unusedBecause?: string | undefined;
}

/** Parts that /health and the metrics report faults of. */
export const FAULT_PARTS = ["database", "broker", "disk", "store", "stage", "certificate"] as const;
export type FaultPart = (typeof FAULT_PARTS)[number];

/** A current fault, with its reason as a sentence for users. */
export interface Fault {
  readonly part: FaultPart;
  readonly reason: string;
}

export const faultsOf = (part: FaultPart, reasons: readonly string[]): readonly Fault[] =>
  reasons.map((reason) => ({ part, reason }));

export interface HealthPorts {
  /** Whether this server is shutting down: it still answers calls but wants no new ones. */
  readonly isLeaving: () => boolean;
  readonly database: Pick<DatabaseWatch, "look" | "hostFaults" | "isUsable">;
  readonly broker: () => BrokerState;
  /** Returns the free bytes on the disk of the data folder; rejects if the folder is missing. */
  readonly freeBytes: () => Promise<number>;
  /** Returns faults of the other parts; none if absent. */
  readonly faults?: () => readonly Fault[];
  /** Returns other warnings, called only while the database responds. */
  readonly warnings?: () => Promise<readonly string[]>;
  readonly metrics: Metrics;
  /** Bearer token that opens /metrics and nothing else. */
  readonly metricsToken?: string | undefined;
  /** Returns additional fields of the response. */
  readonly more: () => Promise<object>;
}

/**
 * Registers endpoints for monitoring. For everyone: `/health`, the state of all parts; `/healthz`, whether a proxy may send
 * calls to this server; `/livez`, whether its process responds. The last two ask nothing. For admins and their tokens:
 * `/metrics`.
 */
export function registerHealth({ app, guard }: HttpServer, ports: HealthPorts): void {
  const { metrics, database, isLeaving } = ports;
  app.get("/health", async (_request, reply) => {
    const health = await readHealth(ports);
    const takesCalls = health.database && !isLeaving();
    return reply.code(takesCalls ? 200 : 503).send({ ...health, ...(await ports.more()) });
  });
  app.get("/healthz", async (_request, reply) => {
    const status = isLeaving() ? "leaving" : database.isUsable ? "ok" : "database unavailable";
    return reply.code(status === "ok" ? 200 : 503).send({ status });
  });
  app.get("/livez", async () => ({ status: "ok" }));
  const admins = guard("Admin");
  const onRequest = async (request: FastifyRequest) => {
    if (!isBearer(request.headers.authorization, ports.metricsToken)) await admins(request);
  };
  app.get("/metrics", { onRequest }, async (_request, reply) =>
    reply.header("content-type", metrics.contentType).send(await metrics.text()),
  );
}

function isBearer(authorization: string | undefined, token: string | undefined): boolean {
  if (authorization === undefined || token === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`));
}

type Conditions = Pick<HealthPorts, "database" | "broker" | "freeBytes" | "faults" | "warnings">;

/** Reads the state of this server: `reasons` are sentences about current faults, `warnings` about coming ones. */
export async function readHealth(conditions: Conditions) {
  const { current, ...health } = await readFaults(conditions);
  return { ...health, reasons: current.map(({ reason }) => reason) };
}

/** Registers the number of current faults of each part. */
export function countFaults(metrics: Metrics, conditions: Conditions): void {
  metrics.gaugePer("fault", "Reasons in /health, by the part that they are about", ["part"], async () => {
    const { current } = await readFaults(conditions);
    return FAULT_PARTS.map((part) => [{ part }, current.filter((fault) => fault.part === part).length] as const);
  });
}

async function readFaults({ database, broker, freeBytes, faults = () => [], warnings = async () => [] }: Conditions) {
  const [fault, free] = await Promise.all([database.look(), freeBytes().catch(() => 0)]);
  const { isUsable } = database;
  const more = !isUsable ? [] : await warnings().catch(() => []);
  const { isUp, isStoring, isRefusing, unusedBecause } = broker();
  const ofDatabase = [...(fault ? [DATABASE_REASONS[fault]] : []), ...database.hostFaults];
  const ofBroker = [
    ...(unusedBecause ? [unusedBecause] : []),
    ...(isUp || isRefusing || unusedBecause
      ? []
      : ["The message broker does not answer: songs wait, and news come late."]),
    ...(isRefusing
      ? ["The message broker refuses the user or password of NATS_URL: songs wait, and news come late."]
      : []),
    ...(isUp && !isStoring ? ["The message broker stores nothing: songs wait, and news come late."] : []),
  ];
  const ofDisk = free < MIN_FREE_BYTES ? [`${freeOn(free)} Free some before nothing can be stored.`] : [];
  const current = [
    ...faultsOf("database", ofDatabase),
    ...faultsOf("broker", ofBroker),
    ...faultsOf("disk", ofDisk),
    ...faults(),
  ];
  const isLow = free >= MIN_FREE_BYTES && free < LOW_BYTES;
  return {
    status: current.length === 0 ? "ok" : "degraded",
    database: isUsable,
    broker: isUp,
    current,
    warnings: [...(isLow ? [`${freeOn(free)} Free some soon.`] : []), ...more],
    free_bytes: free,
  };
}

const freeOn = (bytes: number) => `Only ${Math.floor(bytes / 1_000_000)} MB are free on the disk of the data folder.`;
