import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Envelope } from "@followspot/contract";
import { processesOn, until } from "./product.ts";
import type { TwoApis } from "./two-apis.ts";

const TOPIC = "users";
const CALLERS = 16;

export interface StormOptions {
  readonly events: number;
  readonly clients: number;
  /** Number of connections cut per client. */
  readonly cuts: number;
  /** Number of kills, of an API and the broker alternately. */
  readonly kills: number;
  readonly say?: (line: string) => void;
}

/** Events received by the clients; all counts but the first four should be 0. */
export interface StormReport {
  readonly events: number;
  readonly cuts: number;
  readonly kills: number;
  /** Events created at one API and received by a client at the other. */
  readonly passedOn: number;
  readonly lost: number;
  readonly doubled: number;
  readonly outOfOrder: number;
  /** Number of times a client had to read everything again. */
  readonly resets: number;
}

/** Follows a topic like a console: reconnects to the other API after each cut, from the last received envelope. */
export class Follower {
  readonly heard: Envelope<{ user_id: string }>[] = [];
  /** Index of the API that sent each envelope. */
  readonly heardFrom: number[] = [];
  resets = 0;
  cuts = 0;
  readonly #apis: Pick<TwoApis, "urls" | "token">;
  #at: number;
  #socket: WebSocket | undefined;
  #isClosed = false;

  constructor(apis: Pick<TwoApis, "urls" | "token">, at: number) {
    this.#apis = apis;
    this.#at = at;
    this.#open();
  }

  /** Simulates an unplugged cable: no close frame, and messages in transit are lost. */
  cut(): void {
    this.cuts++;
    this.#socket?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #open(): void {
    const at = (this.#at = 1 - this.#at);
    const socket = new WebSocket(`${this.#apis.urls[at]!.replace("http", "ws")}/ws/events`);
    this.#socket = socket;
    const say = (type: string, payload: object) => socket.send(JSON.stringify({ type, payload }));
    socket.on("open", () => say("ClientHello", { token: this.#apis.token, subscriptions: [] }));
    socket.on("message", (data) => {
      const envelope = JSON.parse(String(data)) as Envelope<{ user_id: string }>;
      if (envelope.type === "ServerAck")
        say("Subscribe", { topic: TOPIC, ...(this.heard.length > 0 && { last_event_id: this.heard.at(-1)!.id }) });
      else if (envelope.type === "Reset") this.resets++;
      else if (envelope.topic === TOPIC) {
        this.heard.push(envelope);
        this.heardFrom.push(at);
      }
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (!this.#isClosed) setTimeout(() => this.#open(), 50 + Math.random() * 200);
    });
  }
}

/**
 * Creates users at both APIs alternately while connections are cut and processes are killed, and compares the received
 * events.
 */
export async function sufferStorm(apis: TwoApis, options: StormOptions): Promise<StormReport> {
  const { events, clients, cuts, kills, say = () => {} } = options;
  const doneAt = new Map<string, number>();
  const followers = Array.from({ length: clients }, (_, i) => new Follower(apis, i % 2));
  try {
    // A client has no position before its first envelope, and would miss events if it subscribed after others.
    for (let first = 0; followers.some(({ heard }) => heard.length === 0); first++) {
      await createPerson(first % 2, "Calm");
      await pause(300);
    }
    let next = 0;
    const caller = async () => {
      while (next < events) {
        const at = next++ % 2;
        doneAt.set(await createPerson(at, "Storm"), at);
      }
    };
    const calling = Promise.all(Array.from({ length: CALLERS }, caller));
    let isOver = false;
    const end = () => void (isOver = true);
    calling.then(end, end); // a failure is reported where it is awaited
    const share = () => doneAt.size / events;
    const atShare = async (part: number) => {
      while (share() < part && !isOver) await pause(20);
    };
    const cutting = Promise.all(
      followers.map(async (follower, f) => {
        for (let cut = 1; cut <= cuts; cut++) {
          await atShare((cut - f / clients) / (cuts + 1));
          follower.cut();
        }
      }),
    );
    const killing = (async () => {
      for (let kill = 1; kill <= kills; kill++) {
        await atShare(kill / (kills + 1));
        const part = kill % 2 === 1 ? "main-api." : "nats-server";
        const [pid] = await processesOn(apis.dataDir, part);
        if (pid !== undefined) process.kill(pid, "SIGKILL");
        say(`${part} killed after ${doneAt.size} events`);
      }
    })();
    await Promise.all([calling, cutting, killing]);

    // Calls without a response may have succeeded as well.
    const rows = await apis.sql<{ id: string }[]>`select id from users where name = 'Storm'`;
    const done = new Set(rows.map(({ id }) => id));
    say(`${done.size} events done; waiting until they are heard`);
    const isHeard = () => count(followers, done, doneAt).lost === 0;
    await until(isHeard, 60_000).catch(() => {}); // the counts show it
    await pause(1000); // a duplicate may arrive late
    return {
      events: done.size,
      cuts: followers.reduce((sum, follower) => sum + follower.cuts, 0),
      kills,
      ...count(followers, done, doneAt),
    };
  } finally {
    for (const follower of followers) follower.close();
  }

  /** Creates a user, retrying until it succeeds. @returns its ID */
  async function createPerson(at: number, name: "Calm" | "Storm"): Promise<string> {
    for (;;) {
      try {
        const answer = await fetch(`${apis.urls[at]}/followspot.user.v1.UserService/CreateUser`, {
          method: "POST",
          headers: { authorization: `Bearer ${apis.token}`, "content-type": "application/json" },
          body: JSON.stringify({ name }),
        });
        const { user } = (await answer.json()) as { user?: { id: string } };
        if (!user) throw new Error(`refused with ${answer.status}`);
        return user.id;
      } catch {
        await pause(200); // this API is unavailable; one event more does no harm
      }
    }
  }
}

function count(followers: readonly Follower[], done: ReadonlySet<string>, doneAt: ReadonlyMap<string, number>) {
  let [passedOn, lost, doubled, outOfOrder, resets] = [0, 0, 0, 0, 0];
  for (const { heard, heardFrom, resets: ofThis } of followers) {
    const ids = heard.map(({ payload }) => payload.user_id);
    const different = new Set(ids);
    lost += [...done].filter((id) => !different.has(id)).length;
    doubled += ids.length - different.size;
    outOfOrder += heard.filter(({ sequence = 0 }, i) => i > 0 && sequence <= (heard[i - 1]!.sequence ?? 0)).length;
    passedOn += ids.filter((id, i) => doneAt.has(id) && doneAt.get(id) !== heardFrom[i]).length;
    resets += ofThis;
  }
  return { passedOn, lost, doubled, outOfOrder, resets };
}
