/**
 * How Followspot grows past one machine, both sides in one run: songs with three workers against one, claims with 10,000 songs
 * that wait against 10, calls behind a plain proxy with two APIs against one, and 5,000 clients of /ws/events over two APIs and
 * on one.
 *
 *   npm run bench:scale                            all of it, about nine minutes
 *   npm run bench:scale -- --only claims,sockets   parts of it
 *
 * All hosts are this machine. So that they share no cores, each worker and each API is held to a pace of its own by a control
 * group, and what is not measured has the rest: three hosts of 0.3 of a core here stand for three hosts of a core. Ends with 1
 * when a bar is missed, and with 2 where it cannot run: it needs Linux and root.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { addPeople } from "../api/calls.ts";
import { addCommunity } from "../api/community.ts";
import { addMessages } from "../api/messages.ts";
import { addSongs } from "../api/songs.ts";
import { addListeners, EVERY_MS } from "../sockets/crowd.ts";
import { measureCalls, type CallCost } from "./calls.ts";
import { measureClaims } from "./claims.ts";
import { Office, SECRET, type Part } from "./office.ts";
import { lackOfPace } from "./paced-host.ts";
import { measureSockets } from "./sockets.ts";
import { measureSongs } from "./songs.ts";

/** Pace of a host, in cores. The parts beside it must find room: two cores are 3 × 0.3 and an office. */
const PACE = { worker: 0.3, api: 0.3 } as const;
const BARS = { songs: 2.6, claims: 1.2, calls: 1.8, socketsMs: 300 } as const;
const ROWS = 100_000;
const ROUNDS = 2;
const WARM_SECONDS = 15;
const PARTS: readonly Part[] = ["API", "database", "broker", "store", "proxy"];

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", default: "songs,claims,sockets,calls" },
    songs: { type: "string", default: "9" },
    seconds: { type: "string", default: "30" },
    clients: { type: "string", default: "5000" },
    events: { type: "string", default: "60" },
    /** For which callers ask, each time. */
    asking: { type: "string", default: "15" },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const sayRow = (...cells: readonly (string | number)[]) => say(`| ${cells.join(" | ")} |`);
const sayHead = (...cells: readonly string[]) => {
  say("");
  sayRow(...cells);
  say(`|${"---|".repeat(cells.length)}`);
};

const lack = lackOfPace();
if (lack !== undefined) {
  process.stderr.write(`${lack}\n`);
  process.exit(2);
}
say(`${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), load ${loadavg()[0]!.toFixed(1)} before`);
const office = await Office.open();
const only = flags.only.split(",");
try {
  if (only.includes("songs")) await compareSongs();
  if (only.includes("claims")) await compareClaims();
  if (only.includes("sockets")) await compareSockets();
  if (only.includes("calls")) await compareCalls();
} finally {
  await office.close();
}

function judge(what: string, value: number, isHeld: boolean, bar: string): void {
  say(`\n${what}: ${value.toFixed(2)}, bar ${bar}: ${isHeld ? "held" : "missed"}`);
  if (!isHeld) process.exitCode = 1;
}

async function compareSongs(): Promise<void> {
  const api = await office.startApi();
  const proxy = await office.startProxy([api]);
  const { token, sql } = office;
  const reached = { url: proxy.url, token, sql };
  sayHead("workers", "songs an hour", "worker, s a song", ...PARTS.map((part) => `${part}, s`), "office, s");
  const costs = [];
  for (const workers of [1, 3]) {
    const of = { workers, cores: PACE.worker, songs: Number(flags.songs), seconds: Number(flags.seconds) };
    const cost = await measureSongs(office, reached, of);
    const spent = PARTS.map((part) => cost.office[part]);
    const together = sum(spent);
    costs.push({ ...cost, together });
    const digits = [cost.worker, ...spent, together].map((seconds) => seconds.toFixed(2));
    sayRow(workers, cost.songsAnHour.toFixed(0), ...digits);
  }
  const [one, three] = costs as [(typeof costs)[0], (typeof costs)[0]]; // of one and of three
  const times = three.songsAnHour / one.songsAnHour;
  judge("songs an hour, three workers to one", times, times >= BARS.songs, `≥ ${BARS.songs}`);
  say(`by processor time of the worker alone: ${((3 * one.worker) / three.worker).toFixed(2)}`);
  say(`office seconds a song, three to one: ${(three.together / one.together).toFixed(2)}`);
  const { API: calls } = three.office;
  say(`workers of a core that one core of the office holds: ${(three.worker / three.together).toFixed(0)}`);
  say(`workers of a core that one process of the API holds: ${(three.worker / calls).toFixed(0)}`);
  await proxy.stop();
  await api.stop();
}

async function compareClaims(): Promise<void> {
  const api = await office.startApi();
  const { token, sql, databaseUrl } = office;
  const reached = { url: api.url, token, sql };
  sayHead(
    "queued songs",
    "found, median ms",
    "found, p99 ms",
    "pages looked at, after the claims",
    "claimed, median ms",
    "claimed, p99 ms",
  );
  await measureClaims(reached, databaseUrl, 10); // warm
  const costs = [];
  for (const queued of [10, 1000, 10_000]) {
    const cost = await measureClaims(reached, databaseUrl, queued);
    costs.push(cost);
    const [find, claim] = [cost.find, cost.claim].map(({ p50, p99 }) => [p50.toFixed(2), p99.toFixed(2)]);
    sayRow(queued, ...find!, `${cost.buffers.toFixed(1)}, ${cost.buffersAfter.toFixed(1)}`, ...claim!);
  }
  const [few, many] = [costs[0]!, costs.at(-1)!]; // three were measured
  const times = many.claim.p50 / few.claim.p50;
  judge("a claim, 10,000 to 10, median", times, times <= BARS.claims, `≤ ${BARS.claims}`);
  say(`… p99: ${(many.claim.p99 / few.claim.p99).toFixed(2)}`);
  say(`found, 10,000 to 10, median: ${(many.find.p50 / few.find.p50).toFixed(2)}`);
  await office.sql`delete from songs`;
  await api.stop();
}

async function compareSockets(): Promise<void> {
  const [clients, events] = [Number(flags.clients), Number(flags.events)];
  const hellos = await addListeners(office.sql, SECRET, clients);
  say(`\n${clients} clients, ${events} changes, one every ${EVERY_MS} ms`);
  sayHead("APIs", "p50, ms", "p99, ms", "most, ms", "lost", "doubled", "closed");
  const apis = [await office.startApi()];
  const heard = [];
  for (const count of [1, 2]) {
    while (apis.length < count) apis.push(await office.startApi());
    const figures = await measureSockets(office, apis, { hellos, events });
    heard.push(figures);
    const { p50, p99, slowest, lost, doubled, closed } = figures;
    sayRow(count, p50.toFixed(0), p99.toFixed(0), slowest.toFixed(0), lost, doubled, closed);
  }
  const [one, two] = heard as [(typeof heard)[0], (typeof heard)[0]]; // of one and of two
  const isHeld = two.p99 <= BARS.socketsMs && two.lost + two.doubled + two.closed === 0;
  judge("p99 over two APIs, ms", two.p99, isHeld, `≤ ${BARS.socketsMs}, and nothing lost`);
  say(`p99, two APIs to one: ${(two.p99 / one.p99).toFixed(2)}`);
  for (const api of apis) await api.stop();
}

async function compareCalls(): Promise<void> {
  const { sql } = office;
  await addPeople(sql, 1, ROWS);
  await addCommunity(sql);
  await addSongs(sql, ROWS);
  await addMessages(sql, office.adminId, ROWS);
  const both = [await office.startApi(PACE.api), await office.startApi(PACE.api)];
  const proxies = { 1: await office.startProxy(both.slice(0, 1)), 2: await office.startProxy(both) };
  // So that each API has compiled what it runs, and its connections to the database have their plans.
  await measureCalls(office, proxies[2], both, WARM_SECONDS);
  const costs: Record<1 | 2, CallCost[]> = { 1: [], 2: [] };
  const columns = ["APIs", "calls a second", ...PARTS.map((part) => `${part}, ms a call`), "callers, ms", "cores busy"];
  say(`\n${ROWS} people, songs and messages`);
  sayHead(...columns);
  // By turns, so that a busy machine is busy for both.
  for (let round = 0; round < ROUNDS; round++)
    for (const count of [1, 2] as const) {
      const cost = await measureCalls(office, proxies[count], both.slice(0, count), Number(flags.asking));
      costs[count].push(cost);
      const spent = [...PARTS.map((part) => cost.parts[part]), cost.callers];
      const busy = (sum(spent) * cost.perSecond) / 1000;
      sayRow(count, cost.perSecond.toFixed(0), ...spent.map((ms) => ms.toFixed(2)), busy.toFixed(2));
    }
  const mean = (of: readonly CallCost[], read: (cost: CallCost) => number) => sum(of.map(read)) / of.length;
  const times = mean(costs[2], ({ perSecond }) => perSecond) / mean(costs[1], ({ perSecond }) => perSecond);
  judge("calls a second, two APIs to one", times, times >= BARS.calls, `≥ ${BARS.calls}`);
  const [api1, api2] = [costs[1], costs[2]].map((of) => mean(of, ({ parts }) => parts.API)) as [number, number];
  const [db1, db2] = [costs[1], costs[2]].map((of) => mean(of, ({ parts }) => parts.database)) as [number, number];
  say(`by processor time of the API alone: ${((2 * api1) / api2).toFixed(2)}`);
  say(`database, ms a call, two APIs to one: ${(db2 / db1).toFixed(2)}`);
  say(`APIs of a core that one core of the database holds: ${(api2 / db2).toFixed(1)}`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
