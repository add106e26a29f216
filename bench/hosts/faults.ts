import { setTimeout as pause } from "node:timers/promises";
import { BROKERS, type WORKERS, type Box, type Parts, type Venue } from "./parts.ts";

/** The operator of a database needs so long until a standby is promoted, ms. */
const PROMOTED_AFTER_MS = 5000;

/** The night that a fault happens in. */
export interface FaultyNight {
  readonly parts: Parts;
  /** People of a venue go to another machine of it, and its lamps are asked about there. */
  moveTo(venue: Venue, box: Box): Promise<void>;
  /** The standby of a venue becomes the box of the venue at its office. */
  makeBox(standby: Box, venue: Venue): Promise<void>;
  /** A worker that has a song. @throws Error when none had one for half a minute */
  busyWorker(): Promise<(typeof WORKERS)[number]>;
}

/** What is broken, and how it is mended. */
export interface Fault {
  readonly name: string;
  readonly happen: (night: FaultyNight) => Promise<unknown>;
  /** So long it stays broken, seconds. */
  readonly seconds: number;
  /** What was killed is started again by itself, and what is lost is never mended. */
  readonly mend?: (night: FaultyNight) => Promise<unknown>;
  /** What people do once the lamps were looked at, before what is there is compared with what was answered. */
  readonly afterwards?: (night: FaultyNight) => Promise<unknown>;
}

/** For how long a connection is cut, seconds: shorter than anything that gives up by itself. */
const CUT_SECONDS = 10;
const KILLED_SECONDS = 8;

const killed = (host: string, part: string, name = `${part} of ${host} killed`): Fault => ({
  name,
  happen: ({ parts }) => parts.kill(host, part),
  seconds: KILLED_SECONDS,
});

const cut = (one: string, ...others: readonly string[]): Fault => ({
  name: `connection ${one} – ${others.join(", ")} cut`,
  happen: ({ parts }) => Promise.all(others.map((other) => parts.hosts.cutConnection(one, other))),
  seconds: CUT_SECONDS,
  mend: ({ parts }) => Promise.all(others.map((other) => parts.hosts.mendConnection(one, other))),
});

const away = (host: string, name = `${host} is cut off from all`): Fault => ({
  name,
  happen: ({ parts }) => parts.hosts.cut(host),
  seconds: CUT_SECONDS,
  mend: ({ parts }) => parts.hosts.mend(host),
});

/** Every part killed in turn, every connection cut in turn; then hosts that never come back, each on what is left of the others. */
export const FAULTS: readonly Fault[] = [
  { name: "nothing: a quiet night", happen: async () => {}, seconds: 15 },
  killed("api1", "main-api", "API 1 killed"),
  killed("api2", "main-api", "API 2 killed"),
  killed("proxy", "proxy.ts", "proxy killed"),
  killed("db1", "", "database killed"),
  killed("db2", "", "standby of the database killed"),
  killed("nats1", "", "broker 1 killed"),
  killed("nats2", "", "broker 2 killed"),
  killed("nats3", "", "broker 3 killed"),
  killed("s3", "", "store of songs killed"),
  {
    name: "worker killed in the middle of a song",
    happen: async (night) => night.parts.kill(await night.busyWorker()),
    seconds: KILLED_SECONDS,
  },
  ...(["main-api", "main-stage", "main-worker", "main-venue", "bin/postgres", "nats-server"] as const).map((part) =>
    killed("venue-a", part),
  ),
  killed("venue-a2", "", "standby of venue A killed"),
  killed("venue-b", "", "box of venue B killed"),
  cut("api1", "db1"),
  cut("api2", "db1", "db2"),
  cut("api1", ...BROKERS),
  cut("api1", "s3"),
  cut("db1", "db2"),
  cut("nats1", "nats2", "nats3"),
  cut("worker1", "proxy"),
  cut("proxy", "api1"),
  cut("venue-a", "proxy"),
  cut("venue-b", "proxy"),
  cut("venue-a", "venue-a2"),
  away("crowd", "connection of the crowd cut"),
  away("db1", "database is cut off from all"),
  away("s3", "store of songs is cut off from all"),
  {
    name: "host of a worker lost for good",
    happen: async (night) => night.parts.lose(await night.busyWorker()),
    seconds: KILLED_SECONDS,
  },
  {
    name: "host of the leading broker lost for good",
    happen: async ({ parts }) => parts.lose(await parts.leadingBroker()),
    seconds: KILLED_SECONDS,
  },
  { name: "host of API 1 lost for good", happen: ({ parts }) => parts.lose("api1"), seconds: KILLED_SECONDS },
  {
    name: "host of the database lost for good",
    happen: async ({ parts }) => {
      await parts.lose("db1");
      await pause(PROMOTED_AFTER_MS);
      await parts.promote();
    },
    seconds: KILLED_SECONDS,
  },
  {
    name: "box of venue A lost for good",
    happen: async (night) => {
      await night.parts.lose("venue-a");
      await night.moveTo("venue-a", "venue-a2");
    },
    seconds: 20,
    afterwards: (night) => night.makeBox("venue-a2", "venue-a"),
  },
];
