import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket as HeaderSocket } from "ws";
import { StageLink } from "../../apps/console/src/visualizer/player/stage-link.ts";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { monotonicMs } from "../../apps/server/src/stage/outputs/frame-ring.ts";
import { BreakableNetwork } from "../../apps/server/src/stage/testing/breakable-network.ts";
import { LampsSeen, levelOf, PARS } from "./lamps-seen.ts";
import { processesOn, removeData, scriptTokenOf, startProduct, until, type Product } from "./product.ts";
import { isReady, lightPars, upload } from "./songs.ts";

/** Song position of each fault, seconds. */
const AT = 30;
/** Seconds of sound before the fault, so that the show follows it by then. */
const LEAD = 8;
/** Seconds recorded before the fault. */
export const BEFORE = 2;
/** Levels: below the first is dark; a moment is lit if the song around it never falls below the second. */
const DARK = 0.02;
const LIT = 0.05;
/** Maximum time that a frame may differ from the run without a fault. */
const SLACK_SECONDS = 0.25;
/** A static look is sent every 0.8 s, so fixtures without frames for longer count as dark. */
const UNHEARD_SECONDS = 1;

const PROGRAMS = {
  api: "main-api.",
  worker: "main-worker.",
  stage: "main-stage.",
  broker: "nats-server",
  database: "bin/postgres",
};
export type Part = keyof typeof PROGRAMS;

/** A fault during a night, and its limits. */
export interface Fault {
  readonly title: string;
  /** Seconds to record after it. */
  readonly seconds: number;
  /** Maximum time the fixtures may be dark, ms. */
  readonly darkMs: number;
  readonly happen: () => unknown;
  /** Process that has to recover, and the maximum time from the fault, ms. */
  readonly back?: readonly [part: Part, withinMs: number];
}

/** Light around a fault; times are in seconds since it. */
export interface Seen {
  readonly light: readonly { readonly t: number; readonly level: number }[];
  readonly seconds: number;
  /** Time from the fault to the next frame, and the longest gap after it, ms. */
  readonly firstFrame: number;
  readonly longestGap: number;
  /** Time until the process has recovered, ms; undefined if it has not, or if none is expected to. */
  readonly backMs: number | undefined;
}

/** A whole product that plays a song on fixtures. The console is the player, over a network that can be interrupted. */
export class Night {
  readonly product: Product;
  readonly network: BreakableNetwork;
  readonly #lamps: LampsSeen;
  #song = "";

  private constructor(product: Product, network: BreakableNetwork, lamps: LampsSeen) {
    this.product = product;
    this.network = network;
    this.#lamps = lamps;
  }

  /** @param beats of the song per minute */
  static async open(beats = 120): Promise<Night> {
    const product = await startProduct();
    const network = await BreakableNetwork.open(Number(new URL(product.url).port));
    const lamps = await LampsSeen.listen();
    const night = new Night(product, network, lamps);
    await lightPars(product, PARS, lamps.port);
    const { body } = await upload(product, "Night - Faults.wav", synthesiseSong(120, beats));
    night.#song = body.song.id;
    await until(() => isReady(product, night.#song), 120_000);
    return night;
  }

  async close(): Promise<void> {
    this.network.close();
    await this.#lamps.close();
    await this.product.stop();
    await removeData(this.product.dataDir);
  }

  /** Plays the song and causes the fault; without one it records the control run. */
  async watch({ seconds, happen, back }: Pick<Fault, "seconds"> & Partial<Fault>): Promise<Seen> {
    await until(() => this.isUp("api"), 60_000);
    await sleep(6000); // a spare stage is running by then
    const page = this.openPage(await this.product.token(), this.network.host);
    page.play();
    const startMs = monotonicMs();
    await until(() => page.state.kind === "following" && page.state.driftMs !== undefined, LEAD * 1000);
    await sleep(startMs + LEAD * 1000 - monotonicMs());
    const known = back ? await this.#pids(back[0]) : [];
    const at = monotonicMs();
    const isBack = back && this.#untilBack(back[0], known, at, seconds * 1000);
    await happen?.();
    const backMs = await isBack;
    await sleep(Math.max(0, at + seconds * 1000 - monotonicMs()));
    this.#lamps.collect();
    page.close();
    const frames = this.#lamps.frames.splice(0).filter(({ ms }) => ms > at - BEFORE * 1000 && ms < at + seconds * 1000);
    const times = [at, ...frames.map(({ ms }) => ms).filter((ms) => ms > at), at + seconds * 1000];
    return {
      light: frames.map(({ ms, slots }) => ({ t: (ms - at) / 1000, level: levelOf(slots) })),
      seconds,
      firstFrame: Math.round(times[1]! - at),
      longestGap: Math.round(Math.max(...times.slice(1).map((ms, i) => ms - times[i]!))),
      backMs,
    };
  }

  /** Opens a user's console page. Its sound plays on, whatever happens to its connections. */
  openPage(token: string, host: string, song = this.#song): StageLink {
    const startMs = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const page = new StageLink({
      url: `ws://${host}/lights/playback/${song}`,
      position: () => AT - LEAD + (performance.now() - startMs) / 1000,
      onChange: () => {},
      // It has all of WebSocket that the console uses.
      connect: (url) => new HeaderSocket(url, { headers }).on("error", () => {}) as unknown as WebSocket,
    });
    page.open();
    return page;
  }

  /** Opens a page of another user, which bypasses the interrupted network. */
  async openPageOfAnother(song?: string): Promise<StageLink> {
    const token = await scriptTokenOf(this.product.dataDir, "Director");
    return this.openPage(token, new URL(this.product.url).host, song);
  }

  /**
   * Signals the oldest process of a kind, which is the active one beside a spare; SIGSTOP goes to all processes of the
   * database.
   */
  async signal(part: Part, name: "SIGKILL" | "SIGSTOP"): Promise<void> {
    const [oldest] = (await this.#pids(part)).toSorted((a, b) => a - b);
    const pids = part === "database" && name === "SIGSTOP" ? [oldest!, ...childrenOf(oldest!)] : [oldest!];
    for (const pid of pids) process.kill(pid, name);
  }

  async isUp(part: Part): Promise<boolean> {
    try {
      if (part === "stage") return "mode" in (await this.#ask("/api/stage/health"));
      const health = await this.#ask("/health");
      if (part === "worker") return Number(health["workers"] ?? 0) > 0;
      return part === "broker" ? health["broker"] === true : health["database"] === true;
    } catch {
      return false;
    }
  }

  async #ask(path: string): Promise<Record<string, unknown>> {
    const headers = { authorization: `Bearer ${await this.product.token()}` };
    const answer = await fetch(`${this.product.url}${path}`, { headers, signal: AbortSignal.timeout(1000) });
    return (await answer.json()) as Record<string, unknown>;
  }

  #pids(part: Part): Promise<number[]> {
    return processesOn(this.product.dataDir, PROGRAMS[part]);
  }

  async #untilBack(part: Part, known: readonly number[], at: number, mostMs: number): Promise<number | undefined> {
    for (await sleep(200); monotonicMs() - at < mostMs; await sleep(100)) {
      const isNew = (await this.#pids(part)).some((pid) => !known.includes(pid));
      // A spare stage is not a new process.
      if ((isNew || part === "stage") && (await this.isUp(part))) return Math.round(monotonicMs() - at);
    }
    return undefined;
  }
}

/** Returns the longest time in which the fixtures were dark or without frames while the control run is lit, ms. */
export function longestDark({ light, seconds }: Seen, control: Seen): number {
  let longest = 0;
  let since: number | undefined;
  let last = -BEFORE;
  for (const { t, level } of [...light, { t: seconds, level: 1 }]) {
    if (t > 0 && t - last > UNHEARD_SECONDS) longest = Math.max(longest, t - Math.max(0, last));
    const isDark = t > 0 && level < DARK && isLitAt(control, t);
    if (isDark) since ??= t;
    else if (since !== undefined) {
      longest = Math.max(longest, t - since);
      since = undefined;
    }
    last = t;
  }
  return Math.round(longest * 1000);
}

function isLitAt({ light }: Seen, t: number): boolean {
  return light.every((each) => Math.abs(each.t - t) > SLACK_SECONDS || each.level > LIT);
}

/** Whether a fault stayed within its limits. */
export function isKept({ darkMs, back }: Fault, seen: Seen, control: Seen): boolean {
  const isBack = back === undefined || (seen.backMs !== undefined && seen.backMs <= back[1]);
  return longestDark(seen, control) <= darkMs && isBack;
}

export const nameOf = (part: Part): string => (part === "api" ? "The API" : `The ${part}`);

/** Returns all faults of a night: 0 ms dark for processes that do not drive the fixtures. */
export function faultsOf(night: Night): readonly Fault[] {
  const { network } = night;
  const cut = () => {
    network.isDown = true;
    network.cut();
  };
  const silences = { api: 10_000, worker: 30_000, broker: 5000, database: 20_000 } as const;
  const parts = Object.keys(silences) as (keyof typeof silences)[];
  return [
    {
      title: "The console's connection is cut for a second",
      seconds: 6,
      darkMs: 0,
      happen: async () => {
        cut();
        await sleep(1000);
        network.isDown = false;
      },
    },
    {
      title: "The console's connection falls silent without an end",
      seconds: 10,
      darkMs: 0,
      happen: () => network.fallSilent(),
    },
    {
      title: "The connection is lost while another person opens a page",
      seconds: 8,
      darkMs: 0,
      happen: async () => {
        cut();
        const page = await night.openPageOfAnother();
        await sleep(1500);
        network.isDown = false;
        await sleep(4000);
        page.close();
      },
    },
    {
      title: "Another person takes over with a song that has no show",
      seconds: 6,
      darkMs: 0,
      happen: async () => {
        const page = await night.openPageOfAnother("01KAAAAAAAAAAAAAAAAAAAAAAA");
        await sleep(500);
        page.takeOver();
        await sleep(2000);
        page.close();
      },
    },
    ...parts.map((part): Fault => ({
      title: `${nameOf(part)} is killed`,
      seconds: 12,
      darkMs: 0,
      happen: () => night.signal(part, "SIGKILL"),
      back: [part, 10_000],
    })),
    ...parts.map((part): Fault => ({
      title: `${nameOf(part)} hangs`,
      seconds: silences[part] / 1000 + 14,
      darkMs: 0,
      happen: () => night.signal(part, "SIGSTOP"),
      back: [part, silences[part] + 10_000],
    })),
    {
      title: "The API and the database hang at once",
      seconds: 36,
      darkMs: 0,
      happen: async () => {
        await night.signal("api", "SIGSTOP");
        await night.signal("database", "SIGSTOP");
      },
      back: ["api", 32_000],
    },
    {
      title: "The stage is killed",
      seconds: 8,
      darkMs: 500,
      happen: () => night.signal("stage", "SIGKILL"),
      back: ["stage", 10_000],
    },
    {
      title: "The stage hangs",
      seconds: 12,
      darkMs: 3500,
      happen: () => night.signal("stage", "SIGSTOP"),
      back: ["stage", 10_000],
    },
    {
      title: "The stage and the API hang at once",
      seconds: 26,
      darkMs: 3500,
      happen: async () => {
        await night.signal("stage", "SIGSTOP");
        await night.signal("api", "SIGSTOP");
      },
      back: ["api", 20_000],
    },
  ];
}

function childrenOf(parent: number): number[] {
  const parentOf = (pid: string) => {
    try {
      // The name in parentheses may contain spaces.
      return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")[1]);
    } catch {
      return 0; // it has ended
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}
