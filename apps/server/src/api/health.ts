import { countBackups, describeBackup, type LastBackup } from "../operations/backup/last-backup.ts";
import { countStage } from "../lights/stage-metrics.ts";
import { queuePauses } from "../songs/processing/queue-pauses.store.ts";
import { countSongPipeline } from "../songs/library/song-metrics.ts";
import { describeDownloaders } from "../songs/library/video.routes.ts";
import { countMachines } from "../machines/machine-metrics.ts";
import { countFaults, faultsOf, registerHealth } from "../platform/http/health.http.ts";
import type { HttpServer } from "../platform/http/http-server.ts";
import { describePauses } from "../operations/queues/describe-pauses.ts";
import { readOutputProblem } from "../night/players/seen-players.ts";
import type { ApiPorts } from "./api-ports.ts";
import type { LiveSide } from "./live-side.ts";
import type { Workers } from "./workers.ts";

export interface HealthParts {
  readonly live: LiveSide;
  readonly workers: Workers;
  readonly isLeaving: () => boolean;
  readonly freeBytes: () => Promise<number>;
  readonly lastBackup: () => Promise<LastBackup>;
}

/** Registers /health and /metrics with the state of all parts of the API. */
export function registerApiHealth(http: HttpServer, ports: ApiPorts, parts: HealthParts): void {
  const { sql, database, metrics, acme } = ports;
  const { live, workers, isLeaving, freeBytes, lastBackup } = parts;
  const pauses = async () => describePauses(await queuePauses(sql));
  const soundOutput = async () => {
    const problem = await readOutputProblem(sql);
    return problem && { sound_output: problem };
  };
  const conditions = {
    ...{ database, freeBytes },
    broker: ports.brokerState,
    faults: () => [
      ...faultsOf("store", ports.storeFaults()),
      ...faultsOf("stage", live.stageWatch.reasons),
      ...faultsOf("certificate", acme?.reasons ?? []),
    ],
  };
  registerHealth(http, {
    ...conditions,
    ...{ isLeaving, metrics, metricsToken: ports.settings.FOLLOWSPOT_METRICS_TOKEN },
    warnings: async () => [
      ...(live.stageWatch.withheldBecause ? [live.stageWatch.withheldBecause] : []),
      ...ports.warnings(),
      ...(acme?.warnings ?? []),
      ...(await pauses()).map(({ warning }) => warning),
    ],
    more: async () => ({
      pauses: await pauses().catch(() => []),
      ...describeDownloaders(await workers.all()),
      backup: describeBackup(await lastBackup(), Date.now()),
      ...(await soundOutput().catch(() => ({}))),
    }),
  });

  metrics.gauge("event_sockets", "Open sockets of /ws/events", () => live.events.connectionCount());
  metrics.gauge("event_topics", "Topics all sockets of /ws/events listen to", () => live.events.listeningCount());
  metrics.gauge("stage_pages", "Open pages that show a stage screen", () => live.pages.count);
  metrics.gauge("players", "Open players of sound", () => live.players.count);
  metrics.gauge("database_refused_hosts", "Hosts that take changes beside the one in use", () => database.refusedHosts);
  metrics.gauge("outbox_messages", "Messages that wait for the broker", async () => {
    const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from outbox`;
    return row?.waiting ?? 0;
  });
  metrics.gaugePer("stream_messages", "Messages in the broker's streams", ["stream"], async () => {
    const streams: [{ stream: string }, number][] = [];
    const broker = ports.broker();
    if (broker)
      for await (const { config, state } of broker.jsm.streams.list())
        streams.push([{ stream: config.name }, state.messages]);
    return streams;
  });
  metrics.gauge("workers", "Workers that are alive, on other machines too", async () => (await workers.all()).length);
  metrics.gauge("free_bytes", "Free bytes on the disk of the data folder", freeBytes);
  countFaults(metrics, conditions);
  metrics.gauge("unsent_codes", "Sign-in codes that wait for the mail or SMS server", async () => {
    const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from outgoing_codes`;
    return row?.waiting ?? 0;
  });
  metrics.gaugePer("certificate_seconds", "Seconds until the certificate of FOLLOWSPOT_ACME ends", ["name"], async () =>
    acme?.endsAtMs === undefined ? [] : [[{ name: acme.name }, (acme.endsAtMs - Date.now()) / 1000] as const],
  );
  countBackups(metrics, lastBackup);
  countMachines(metrics, sql);
  countSongPipeline(metrics, sql);
  countStage(metrics, { sql, askStage: (path) => live.stage.askStage(path) });
}
