import { STREAMS } from "@followspot/contract";
import type { LastBackup } from "../backup/last-backup.ts";
import { queuePauses } from "../../songs/processing/queue-pauses.store.ts";
import type { Sql } from "../../platform/database/database.ts";
import type { Broker } from "../../platform/broker/nats.ts";
import type { HttpServer } from "../../platform/http/http-server.ts";
import { songPace } from "../../songs/processing/song-pace.ts";
import { workersHere } from "../../machines/workers/workers.store.ts";
import { askBroker, type BrokerPort } from "./broker-port.ts";
import { hideSecrets } from "./hide-secrets.ts";
import type { Presence } from "./presence.ts";
import { oldestWaiting, waitingOf, type QueueTrend } from "./queue-lag.ts";
import { ruleOf } from "./queue-rules.ts";
import { readMessage } from "./stream-messages.ts";

export interface QueuePorts {
  readonly sql: Sql;
  readonly broker: BrokerPort;
  readonly presence: Presence;
  readonly trend: QueueTrend;
  readonly lastBackup: () => Promise<LastBackup>;
}

const MAX_FAILURES = 50;

interface LastFailure {
  /** Sequence number in the stream, by which it is dismissed. */
  readonly sequence: number;
  readonly subject: string;
  readonly data: unknown;
}

/** Registers queue metrics from JetStream; consumer_count counts live processes, including those on other machines. */
export function registerQueues(
  { app, guard }: HttpServer,
  { sql, broker, presence, trend, lastBackup }: QueuePorts,
): void {
  const forAdmins = { onRequest: guard("Admin") };
  app.get("/api/queues/songs/stats", forAdmins, async () =>
    askBroker(broker, async ({ jsm }) => {
      const [songs, responses, elsewhere, day] = await Promise.all([
        jsm.streams.info(STREAMS.songs.name),
        jsm.streams.info(STREAMS.responses.name),
        workersHere(sql).catch(() => []),
        songPace(sql).catch(() => undefined),
      ]);
      trend.saw(STREAMS.songs.name, songs.state.messages);
      return {
        day,
        SONGS: {
          messages: songs.state.messages,
          consumer_count: presence.count("worker") + elsewhere.length,
          trend: trend.of(STREAMS.songs.name),
        },
        RESPONSE_QUEUE: { messages: responses.state.messages, consumer_count: presence.count("api") },
      };
    }),
  );

  app.get<{ Querystring: { limit?: unknown } }>("/api/queues/songs/failures", forAdmins, async (request) => {
    const limit = clampLimit(request.query.limit);
    return askBroker(broker, async (found) => ({ items: await lastFailures(found, limit) }));
  });

  app.get("/api/queues/all/stats", forAdmins, async () =>
    askBroker(broker, async (found) => {
      const { jsm } = found;
      // Without the database, the metrics are still returned.
      const pauses = await queuePauses(sql).catch(() => []);
      const streams = [];
      for await (const stream of jsm.streams.list()) {
        const consumers = await jsm.consumers.list(stream.config.name).next();
        streams.push({
          name: stream.config.name,
          messages: stream.state.messages,
          bytes: stream.state.bytes,
          consumers: stream.state.consumer_count,
          firstSeq: stream.state.first_seq,
          lastSeq: stream.state.last_seq,
          subjects: stream.config.subjects ?? [],
          consumerDetails: consumers.map((consumer) => ({
            name: consumer.name,
            delivered: consumer.delivered.consumer_seq,
            numPending: consumer.num_pending,
            ackPending: consumer.num_ack_pending,
            filterSubject: consumer.config.filter_subject ?? "",
          })),
          waiting: waitingOf(consumers),
          oldestWaitingAt: (await oldestWaiting(found, stream.config.name, consumers))?.toISOString() ?? "",
          trend: trend.of(stream.config.name),
          ...ruleOf(stream.config.name),
          pausedUntil: pauses.find(({ queue }) => queue === stream.config.name)?.until.toISOString() ?? "",
        });
      }
      streams.sort((a, b) => a.name.localeCompare(b.name));
      return { count: streams.length, streams, backup: await lastBackup() };
    }),
  );
}

/**
 * Returns the last failures, newest first, read one by one: a consumer per request would remain for minutes in the very
 * list it shows.
 */
async function lastFailures({ jsm }: Broker, limit: number): Promise<LastFailure[]> {
  const { state } = await jsm.streams.info(STREAMS.failures.name, { deleted_details: true });
  const dismissed = new Set(state.deleted);
  const newest: number[] = [];
  // A stream that never had a message reports sequence 0 as its first.
  for (let seq = state.last_seq; seq >= Math.max(1, state.first_seq) && newest.length < limit; seq--)
    if (!dismissed.has(seq)) newest.push(seq);
  const messages = await Promise.all(newest.map((seq) => jsm.streams.getMessage(STREAMS.failures.name, { seq })));
  // A message may have been deleted since the count.
  return messages.flatMap((message) => {
    if (!message) return [];
    const { sequence, subject, json, text } = readMessage(message);
    return [{ sequence, subject, data: hideSecrets(subject, json ?? text ?? "") }];
  });
}

function clampLimit(given: unknown): number {
  const limit = Number(given);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_FAILURES) : MAX_FAILURES;
}
