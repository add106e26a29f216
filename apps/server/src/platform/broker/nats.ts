import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { AuthorizationError, connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  type Consumer,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  type NextMsgRequest,
  type SeqMsgRequest,
  type StreamConfig,
} from "@nats-io/jetstream";
import { STREAMS } from "@followspot/contract";
import { every } from "../every.ts";

/** A connection to the broker with its JetStream clients. */
export interface Broker {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Whether JetStream responds; the connection is retried indefinitely while the server does not. */
  readonly isUp: () => boolean;
  /** Whether the broker has all streams that it once had; they may be deleted while it runs. */
  readonly hasStreams: () => boolean;
  /** Number of servers of the cluster that store a message. */
  readonly replicas: number;
}

const DAY = 24 * 3600 * 1e9; // JetStream counts nanoseconds

/**
 * Stream configurations. The streams may be lost, because they are rebuilt from PostgreSQL. None reserves bytes: a
 * broker with little space rejects such a stream.
 */
const STREAM_CONFIGS: readonly (Partial<StreamConfig> & { name: string; subjects: string[] })[] = [
  { name: STREAMS.songs.name, subjects: [...STREAMS.songs.subjects], retention: RetentionPolicy.Workqueue },
  { name: STREAMS.stems.name, subjects: [...STREAMS.stems.subjects], retention: RetentionPolicy.Workqueue },
  { name: STREAMS.responses.name, subjects: [...STREAMS.responses.subjects], retention: RetentionPolicy.Workqueue },
  { name: STREAMS.failures.name, subjects: [...STREAMS.failures.subjects], max_age: 30 * DAY, max_msgs: 10_000 },
  { name: STREAMS.events.name, subjects: [...STREAMS.events.subjects], max_age: DAY, max_bytes: -1, max_msgs: 200_000 },
];

export const WORKER_CONSUMER = "worker";
export const RESPONSES_CONSUMER = "api";
/** Time without acknowledgment after which a message is redelivered, s. A worker sends `working` far more often. */
export const ACK_WAIT_SECONDS = 30;

/** Work-queue streams, each with its one consumer. */
const WORK_QUEUES = [
  { stream: STREAMS.songs.name, consumer: WORKER_CONSUMER },
  { stream: STREAMS.stems.name, consumer: WORKER_CONSUMER },
  { stream: STREAMS.responses.name, consumer: RESPONSES_CONSUMER },
];

const TRY_AGAIN_MS = 500;
/** Timeout of a connection attempt, ms; another program may listen at the port and send nothing. */
const CONNECT_MS = 5000;
const PING_MS = 5000;
/** Interval of JetStream probes, and timeout of a probe, ms. */
const ASK_MS = 2000;
const ANSWER_MS = 1500;
/**
 * Missed probes that are tolerated. An open connection proves nothing: a broker without disk space may disable
 * JetStream.
 */
const MOST_MISSED = 1;

/** Time for a process to send its last messages at shutdown, ms. */
const LEAVE_MS = 1000;

/** Log line for {@link BrokerListener.onRefusal}. */
export const BROKER_REFUSES = "the broker refuses the user or password of NATS_URL; trying again";

export interface BrokerListener {
  /** The broker responds again after any outage; it may have lost everything. */
  readonly onReturn?: () => void;
  /** The broker has been unavailable long enough for users to notice. */
  readonly onSilence?: () => void;
  /** The broker rejected the user or password. Called for each attempt; the connection is retried. */
  readonly onRefusal?: () => void;
  /** Streams were deleted while the broker was running. Called at each probe until they exist again. */
  readonly onStreamsLost?: () => void;
  /** The outage is over; events from now on may be hours newer than the last ones. */
  readonly onSilenceOver?: () => void;
}

export interface BrokerOptions extends BrokerListener {
  /** Number of servers of the cluster that store a message; 1 if absent. */
  readonly replicas?: number;
  /** Ping interval, ms; after two missed replies the connection is closed. Shorter in tests. */
  readonly pingMs?: number;
}

/** Returns the servers of NATS_URL, with user and password of the first one. */
export function brokerLogin(url: string) {
  const servers = url.split(",").map((address) => new URL(address));
  const { username, password } = servers[0]!; // split returns at least one part
  return {
    servers: servers.map(({ host }) => host),
    user: decodeURIComponent(username) || undefined,
    pass: decodeURIComponent(password) || undefined,
  };
}

/**
 * Connects and reconnects indefinitely, also to a broker that rejects the password, because it may be corrected.
 * Resolves once the broker has accepted the first connection.
 * @param url nats://…, or comma-separated addresses of a cluster, all with the user and password of the first
 */
export async function connectBroker(url: string, name: string, options: BrokerOptions = {}): Promise<Broker> {
  const { replicas = 1, pingMs = PING_MS, ...listener } = options;
  const connection = await connectOnce({
    ...brokerLogin(url),
    name,
    timeout: CONNECT_MS,
    maxReconnectAttempts: -1,
    // Otherwise the library closes the connection permanently at the second rejection.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: pausesBetweenTries(),
    pingInterval: pingMs,
    // Otherwise the library captures a stack for every request.
    noAsyncTraces: true,
  });
  let isConnected = true;
  let missed = 0;
  /** Number of streams at the last probe; undefined before they have existed. */
  let streams: number | undefined;
  let areLost = false;
  watch().catch(() => {}); // ends with the connection
  const asked = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
  const endAsking = every(ASK_MS, "asking the broker", ask, () => {});
  void connection.closed().then(endAsking, endAsking);
  return {
    connection,
    js: jetstream(connection),
    jsm: await jetstreamManager(connection, { checkAPI: false }),
    isUp: () => isConnected && missed <= MOST_MISSED && !connection.isClosed(),
    hasStreams: () => !areLost,
    replicas,
  };

  /** Connects for the first time; the library's own retry reports no rejection. */
  async function connectOnce(given: ConnectionOptions): Promise<NatsConnection> {
    for (;;) {
      try {
        return await connect(given);
      } catch (error) {
        if (error instanceof AuthorizationError) listener.onRefusal?.();
        await pause(TRY_AGAIN_MS);
      }
    }
  }

  async function watch(): Promise<void> {
    for await (const status of connection.status()) {
      const { type } = status;
      if (type === "error" && status.error instanceof AuthorizationError) listener.onRefusal?.();
      if (type === "staleConnection") endConnection(connection);
      if (type === "disconnect") isConnected = false;
      if (type !== "reconnect") continue;
      isConnected = true;
      listener.onReturn?.();
    }
  }

  async function ask(): Promise<void> {
    const account = isConnected ? await asked.getAccountInfo().catch(() => undefined) : undefined;
    if (connection.isClosed()) return;
    const isAnswered = account !== undefined;
    if (account) await findStreams(account.streams).catch(() => {}); // the next probe asks again
    const before = missed;
    missed = isAnswered ? 0 : missed + 1;
    if (missed === MOST_MISSED + 1) listener.onSilence?.();
    if (!isAnswered || before <= MOST_MISSED) return;
    listener.onReturn?.();
    listener.onSilenceOver?.();
  }

  /** Compares the names of the streams whenever their number has changed. Other programs may have streams of their own. */
  async function findStreams(count: number): Promise<void> {
    if (count === streams && !areLost) return;
    const found: string[] = [];
    for await (const name of await asked.streams.names()) found.push(name);
    const isComplete = STREAM_CONFIGS.every(({ name }) => found.includes(name));
    areLost = !isComplete && streams !== undefined;
    if (isComplete || streams !== undefined) streams = count;
    if (areLost) listener.onStreamsLost?.();
  }
}

/**
 * Destroys the connection to a silent broker. The library would wait until all data has been sent; for a host without
 * power, the operating system tries that for a quarter of an hour.
 */
function endConnection(connection: NatsConnection): void {
  // A part of the library that its types omit.
  const { protocol } = connection as unknown as { protocol?: { transport?: { socket?: Socket } } };
  protocol?.transport?.socket?.destroy();
}

/**
 * Returns the delay between two connection attempts, ms. The library schedules by wall-clock time: after the clock is
 * set back it would wait for the lost time, so the delay is made negative.
 */
function pausesBetweenTries(): () => number {
  const timeOfDay = () => Date.now() - performance.now();
  let before = timeOfDay();
  return () => {
    const setBackMs = Math.max(0, before - timeOfDay());
    before = timeOfDay();
    return setBackMs > TRY_AGAIN_MS ? -2 * setBackMs : TRY_AGAIN_MS;
  };
}

/** Sends pending messages and closes the connection, without waiting for an unavailable broker. */
export async function leaveBroker({ connection }: Broker): Promise<void> {
  // Without a broker, a drain would wait for the next connection forever, and keep the process alive.
  const drained = connection.drain().catch(() => undefined); // the connection is already closed
  await Promise.race([drained, new Promise((givenUp) => setTimeout(givenUp, LEAVE_MS))]);
  await connection.close();
}

/**
 * Creates missing streams and consumers, and updates the limits of existing ones. Idempotent, and safe in several
 * processes.
 */
export async function ensureStreams({ jsm, replicas }: Broker): Promise<void> {
  for (const config of STREAM_CONFIGS)
    await ensureStream(jsm, { ...config, duplicate_window: 120 * 1e9, num_replicas: replicas });
  const consumer = {
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_SECONDS * 1e9,
  };
  for (const { name } of [STREAMS.songs, STREAMS.stems]) {
    await jsm.consumers.add(name, {
      ...consumer,
      durable_name: WORKER_CONSUMER,
      max_deliver: -1,
      max_ack_pending: 1000,
    });
  }
  await jsm.consumers.add(STREAMS.responses.name, { ...consumer, durable_name: RESPONSES_CONSUMER, max_deliver: -1 });
}

/** NAME_IN_USE: a stream of this name exists with another configuration. */
const OTHER_CONFIG = 10058;

/** NO_PEERS, CLUSTER_NOT_LEADER, CLUSTER_INCOMPLETE, CLUSTER_NOT_AVAIL, INSUFFICIENT_RESOURCES, REPLICAS_NOT_SUPPORTED */
const UNABLE: ReadonlySet<number> = new Set([10005, 10009, 10004, 10008, 10023, 10074]);

async function ensureStream(jsm: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<void> {
  try {
    await jsm.streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== OTHER_CONFIG) throw error;
    try {
      await jsm.streams.update(config.name, config);
    } catch (refusal) {
      // A cluster without a leader, or with too few servers for the replicas, keeps its configuration.
      if (!(refusal instanceof JetStreamApiError) || UNABLE.has(refusal.code)) throw refusal;
      // A stream with a property that cannot be changed is recreated, because PostgreSQL holds the durable state.
      await jsm.streams.delete(config.name);
      await jsm.streams.add(config);
    }
  }
}

/** Heartbeat interval of consumers, ms. A consumer that the broker lost is detected within twice this. */
const HEARTBEAT_MS = 1000;

const TROUBLE: ReadonlySet<string> = new Set([
  "heartbeats_missed",
  "consumer_not_found",
  "stream_not_found",
  "consumer_deleted",
  "ordered_consumer_recreated",
]);

/**
 * Consumes messages until the consumer is closed or fails. The library would keep waiting for a deleted consumer, or
 * recreate one that waits for a sequence number of another stream. The caller opens a new consumer instead.
 */
export async function consume(consumer: Consumer, maxMessages?: number): Promise<ConsumerMessages> {
  const messages = await consumer.consume({
    idle_heartbeat: HEARTBEAT_MS,
    expires: HEARTBEAT_MS * 5,
    ...(maxMessages !== undefined && { max_messages: maxMessages }),
  });
  closeWhenInTrouble(messages).catch(() => {}); // the connection is closed, and the consumer with it
  return messages;
}

async function closeWhenInTrouble(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) {
    if (TROUBLE.has(type)) await messages.close();
  }
}

/** Counts the messages of a stream that its consumer has not acknowledged. */
export async function countWaiting({ jsm }: Broker, stream: string, consumer: string): Promise<number> {
  const { num_pending, num_ack_pending } = await jsm.consumers.info(stream, consumer);
  return num_pending + num_ack_pending;
}

/**
 * Deletes acknowledged messages that a killed broker has kept. No consumer would receive them again, and every metric
 * would count them as waiting.
 */
export async function removeDone({ jsm }: Broker): Promise<void> {
  for (const { stream, consumer } of WORK_QUEUES) {
    const { ack_floor } = await jsm.consumers.info(stream, consumer);
    const { state } = await jsm.streams.info(stream);
    // One by one: a purge would reset the consumer's pending messages as well.
    for (let seq = state.first_seq; state.messages > 0 && seq <= ack_floor.stream_seq; seq++) {
      const from: SeqMsgRequest & NextMsgRequest = { seq, next_by_subj: ">" };
      const message = await jsm.streams.getMessage(stream, from);
      if (!message || message.seq > ack_floor.stream_seq) break;
      await jsm.streams.deleteMessage(stream, message.seq, false);
      seq = message.seq;
    }
  }
}
