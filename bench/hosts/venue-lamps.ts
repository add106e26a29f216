import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Server } from "../../e2e/testing/product.ts";
import type { SeenPacket } from "./asks.ts";

/** How often a box is asked what plays. */
const ASK_MS = 250;
/** Light and packet may be so far apart, seconds. */
const SLACK = 0.5;

/** What the lamps of a venue saw in some seconds. */
export interface SeenLight {
  readonly packets: number;
  /** The longest time without a packet, ms. */
  readonly longestGapMs: number;
  /** Packets that were dark where the plan has light. */
  readonly dark: number;
}

/** The lamps of one venue: what they are sent, and what plays there. */
export class VenueLamps {
  readonly #node: ChildProcess;
  /** What each song's plan has light in, by hundredths of a second. */
  readonly #lit: ReadonlyMap<string, readonly boolean[]>;
  readonly #plays: { readonly songId: string; readonly startedAt: number }[] = [];
  /** Machines of the venue: the first that answers says what plays. */
  machines: readonly Server[];
  #lastAt = Number.NaN;
  #isOver = false;

  constructor(node: ChildProcess, machines: readonly Server[], lit: ReadonlyMap<string, readonly boolean[]>) {
    this.#node = node;
    this.machines = machines;
    this.#lit = lit;
    void this.#follow();
  }

  /** What was seen since it was asked last; the time until the first packet counts. */
  async take(): Promise<SeenLight> {
    const answered = once(this.#node, "message") as Promise<[readonly SeenPacket[]]>;
    this.#node.send("take");
    const [packets] = await answered;
    let longestGapMs = 0;
    let dark = 0;
    for (const [at, isDark] of packets) {
      if (at - this.#lastAt > longestGapMs) longestGapMs = at - this.#lastAt;
      this.#lastAt = at;
      if (isDark && this.#isPlannedLit(at)) dark++;
    }
    const now = performance.timeOrigin + performance.now();
    longestGapMs = Math.max(longestGapMs, now - (packets.at(-1)?.[0] ?? this.#lastAt));
    return { packets: packets.length, longestGapMs: Math.round(longestGapMs), dark };
  }

  close(): void {
    this.#isOver = true;
  }

  #isPlannedLit(at: number): boolean {
    const play = this.#plays.findLast(({ startedAt }) => startedAt <= at);
    const lit = play && this.#lit.get(play.songId);
    if (!lit) return false;
    const second = (at - play.startedAt) / 1000;
    const around = lit.slice(Math.max(0, Math.floor((second - SLACK) * 100)), Math.floor((second + SLACK) * 100));
    return second > SLACK && around.length >= 2 * SLACK * 100 && around.every(Boolean);
  }

  async #follow(): Promise<void> {
    for (; !this.#isOver; await pause(ASK_MS)) {
      for (const machine of this.machines) {
        const queue = await asked(machine);
        if (!queue) continue;
        const startedAt = Date.parse(queue.startedAt ?? "");
        const last = this.#plays.at(-1);
        if (queue.mode === "playing" && queue.song && last?.startedAt !== startedAt)
          this.#plays.push({ songId: queue.song.id, startedAt });
        break;
      }
    }
  }
}

interface Queue {
  readonly mode: string;
  readonly song?: { readonly id: string };
  readonly startedAt?: string;
}

/** Undefined where the machine does not answer soon. */
async function asked({ call }: Server): Promise<Queue | undefined> {
  const answer = call("music.v1.MusicService/GetShowQueue", {}).then(
    ({ queue }) => queue as Queue,
    () => undefined,
  );
  return Promise.race([answer, pause(2 * ASK_MS, undefined)]);
}
