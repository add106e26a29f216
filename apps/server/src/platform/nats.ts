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
import { every } from "./every.ts";

/** One connection to the broker with its JetStream parts. */
export interface Broker {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Whether JetStream answers; while the server does not, the connection is tried again for ever. */
  readonly isUp: () => boolean;
  /** On how many servers of its cluster a message is kept. */
  readonly replicas: number;
}

const DAY = 24 * 3600 * 1e9; // JetStream counts nanoseconds

/**
 * PostgreSQL holds the truth; these streams may be lost and are made again from it. None reserves bytes: a broker with
 * little room refuses a stream that does.
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
/** A worker says `working` far more often; a delivery is repeated after this silence. */
export const ACK_WAIT_SECONDS = 30;

/** Streams that are worked off, each by its one consumer. */
const WORK_QUEUES = [
  { stream: STREAMS.songs.name, consumer: WORKER_CONSUMER },
  { stream: STREAMS.stems.name, consumer: WORKER_CONSUMER },
  { stream: STREAMS.responses.name, consumer: RESPONSES_CONSUMER },
];

const TRY_AGAIN_MS = 500;
const PING_MS = 5000;
/** How often JetStream is asked whether it answers, and how long its answer may take. */
const ASK_MS = 2000;
const ANSWER_MS = 1500;
/** A connection is no sign of it: a broker that has no space left may switch JetStream off. */
const MOST_MISSED = 1;

/** How long a leaving process tries to send its last messages. */
const LEAVE_MS = 1000;

/** The log line of {@link BrokerListener.onRefusal}. */
export const BROKER_REFUSES = "the broker refuses the user or password of NATS_URL; trying again";

export interface BrokerListener {
  /** The broker answers again after it was away, however short; it may have lost everything. */
  readonly onReturn?: () => void;
  /** It has not answered for so long that people notice. */
  readonly onSilence?: () => void;
  /** The broker refused the user or password. Called for each attempt; the connection is attempted again. */
  readonly onRefusal?: () => void;
  /** That is over: what is told from now on may be hours younger than what was told last. */
  readonly onSilenceOver?: () => void;
}

export interface BrokerOptions extends BrokerListener {
  /** On how many servers of its cluster a message is kept; one unless said. */
  readonly replicas?: number;
  /** The broker is asked so often whether it is there; after two missing answers the connection is closed. Shorter in tests. */
  readonly pingMs?: number;
}

/**
 * Connects and reconnects indefinitely, also to a broker that refuses the password: it may be corrected. Resolves once
 * the broker has accepted the first connection.
 * @param url nats://…, or those of a cluster with commas between them, all with the user and password of the first
 */
export async function connectBroker(url: string, name: string, options: BrokerOptions = {}): Promise<Broker> {
  const { replicas = 1, pingMs = PING_MS, ...listener } = options;
  const servers = url.split(",").map((address) => new URL(address));
  const { username, password } = servers[0]!; // a text split has a part
  const connection = await connectOnce({
    servers: servers.map(({ host }) => host),
    user: decodeURIComponent(username) || undefined,
    pass: decodeURIComponent(password) || undefined,
    name,
    maxReconnectAttempts: -1,
    // Otherwise the library closes the connection permanently at the second refusal.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: pausesBetweenTries(),
    pingInterval: pingMs,
    // The stack of every request would be kept in case it fails.
    noAsyncTraces: true,
  });
  let isConnected = true;
  let missed = 0;
  void watch();
  const asked = await jetstreamManager(connection, { checkAPI: false, timeout: ANSWER_MS });
  const endAsking = every(ASK_MS, "asking the broker", ask, () => {});
  void connection.closed().then(endAsking);
  return {
    connection,
    js: jetstream(connection),
    jsm: await jetstreamManager(connection, { checkAPI: false }),
    isUp: () => isConnected && missed <= MOST_MISSED && !connection.isClosed(),
    replicas,
  };

  /** The library's own wait for a first connection reports no refusal. */
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
    const isAnswered = isConnected && (await asked.getAccountInfo().then(isTrue, isFalse));
    if (connection.isClosed()) return;
    const before = missed;
    missed = isAnswered ? 0 : missed + 1;
    if (missed === MOST_MISSED + 1) listener.onSilence?.();
    if (!isAnswered || before <= MOST_MISSED) return;
    listener.onReturn?.();
    listener.onSilenceOver?.();
  }
}

/**
 * Ends the connection to a broker that is silent. The library would wait until all it wrote has left: for a host that was
 * switched off the operating system tries that for a quarter of an hour.
 */
function endConnection(connection: NatsConnection): void {
  // A part of the library that its types do not show.
  const { protocol } = connection as unknown as { protocol?: { transport?: { socket?: Socket } } };
  protocol?.transport?.socket?.destroy();
}

/**
 * How long to wait between two tries to connect. The library waits by the time of day, and would not come back to the
 * broker before it is as late again once the clock was set back: then the next try is long due.
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

const isTrue = () => true;
const isFalse = () => false;

/** Sends what still waits and closes. A broker that has ended by then is not waited for. */
export async function leaveBroker({ connection }: Broker): Promise<void> {
  // Without its broker a drain would wait for the next connection, and its process with it, for ever.
  const drained = connection.drain().catch(() => undefined); // it is closed already
  await Promise.race([drained, new Promise((givenUp) => setTimeout(givenUp, LEAVE_MS))]);
  await connection.close();
}

/**
 * Makes the streams and consumers that are missing, and gives those of an older release today's limits; safe to
 * repeat and to run in several processes.
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

/** NAME_IN_USE: there is a stream of this name with another configuration. */
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
      // A cluster that has no leader now, or no place for so many replicas, keeps what it has.
      if (!(refusal instanceof JetStreamApiError) || UNABLE.has(refusal.code)) throw refusal;
      // What cannot be changed, such as how long messages are kept, is made anew: the database holds the truth.
      await jsm.streams.delete(config.name);
      await jsm.streams.add(config);
    }
  }
}

/** A consumer the broker has forgotten, as after its restart, is noticed within twice this. */
const HEARTBEAT_MS = 1000;

const TROUBLE: ReadonlySet<string> = new Set([
  "heartbeats_missed",
  "consumer_not_found",
  "stream_not_found",
  "consumer_deleted",
  "ordered_consumer_recreated",
]);

/**
 * Messages of a consumer, until it is closed or in trouble. The library would go on to wait for a deleted consumer,
 * or make one anew that waits on another stream for a sequence it may reach in a year; the reader looks at the stream
 * again instead.
 */
export async function consume(consumer: Consumer, maxMessages?: number): Promise<ConsumerMessages> {
  const messages = await consumer.consume({
    idle_heartbeat: HEARTBEAT_MS,
    expires: HEARTBEAT_MS * 5,
    ...(maxMessages !== undefined && { max_messages: maxMessages }),
  });
  void closeWhenInTrouble(messages);
  return messages;
}

async function closeWhenInTrouble(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status()) {
    if (TROUBLE.has(type)) await messages.close();
  }
}

/** Messages of a stream that its consumer has not acknowledged. */
export async function countWaiting({ jsm }: Broker, stream: string, consumer: string): Promise<number> {
  const { num_pending, num_ack_pending } = await jsm.consumers.info(stream, consumer);
  return num_pending + num_ack_pending;
}

/**
 * Throws away what was acknowledged and is there all the same: a broker that was killed may have kept the one and
 * forgotten the other. No consumer would get it again, and every figure would count it as waiting.
 */
export async function removeDone({ jsm }: Broker): Promise<void> {
  for (const { stream, consumer } of WORK_QUEUES) {
    const { ack_floor } = await jsm.consumers.info(stream, consumer);
    const { state } = await jsm.streams.info(stream);
    // One by one: a purge would make the consumer forget what is at work as well.
    for (let seq = state.first_seq; state.messages > 0 && seq <= ack_floor.stream_seq; seq++) {
      const from: SeqMsgRequest & NextMsgRequest = { seq, next_by_subj: ">" };
      const message = await jsm.streams.getMessage(stream, from);
      if (!message || message.seq > ack_floor.stream_seq) break;
      await jsm.streams.deleteMessage(stream, message.seq, false);
      seq = message.seq;
    }
  }
}
