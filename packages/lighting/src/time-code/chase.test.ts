import { describe, expect, it } from "vitest";
import { randomStream } from "../random.ts";
import { quantile } from "../judge/statistics.ts";
import { clocks, linearSound, quarterFrames } from "../testing/leaders.ts";
import { Chase, type ChaseOrder } from "./chase.ts";
import { LinearTimeCode } from "./linear-time-code.ts";
import { MidiClock } from "./midi-clock.ts";
import { MidiTimeCode, type LeaderMove } from "./midi-time-code.ts";

/** A move of a deck, whose time may be some ms wrong. */
interface Heard {
  readonly move: LeaderMove;
  /** The correct time of the move. */
  readonly trueMs: number;
}

/** Feeds a chase as time passes and requests its orders every 20 ms. */
function follow(
  chase: Chase,
  heard: readonly Heard[],
  untilMs: number,
  onTurn: (ms: number, orders: readonly ChaseOrder[]) => void,
) {
  let next = 0;
  for (let ms = 0; ms <= untilMs; ms += 20) {
    for (; next < heard.length && Math.max(heard[next]!.trueMs, heard[next]!.move.atMs) <= ms; next++)
      chase.hear(heard[next]!.move);
    onTurn(ms, chase.turn(ms));
  }
}

/** Returns quarter frames of a deck that starts at `frame`, each up to `jitterMs` early or late. */
function deck(speed: number, seconds: number, jitterMs: number, startMs = 0, frame = 0, seed = 5): Heard[] {
  const random = randomStream(seed);
  const leader = new MidiTimeCode();
  return quarterFrames({ rate: "25", frame, seconds, speed, startMs }).flatMap(({ bytes, atMs }) => {
    const move = leader.hear(bytes, atMs + (random() * 2 - 1) * jitterMs);
    return move ? [{ move, trueMs: atMs }] : [];
  });
}

describe("a chase", () => {
  it.each([0.92, 1, 1.04, 1.08])(
    "stays within a few ms of a deck at %d, although each sighting is 5 ms wrong",
    (speed) => {
      const chase = new Chase(300);
      const off: number[] = [];
      follow(chase, deck(speed, 20, 5), 20_000, (ms) => {
        if (ms > 1000) off.push((chase.positionAt(ms) - (ms / 1000) * speed) * 1000);
      });
      const sorted = off.map(Math.abs).sort((a, b) => a - b);
      expect(chase.rate).toBeCloseTo(speed, 2);
      expect(quantile(sorted, 0.95)).toBeLessThan(3);
      expect(sorted.at(-1)).toBeLessThan(6);
    },
  );

  it("plays within 0.2 s of the start, and sends few orders after that", () => {
    const chase = new Chase(300);
    const told: [number, ChaseOrder][] = [];
    follow(chase, deck(1.04, 20, 5), 20_000, (ms, orders) =>
      told.push(...orders.map((order): [number, ChaseOrder] => [ms, order])),
    );
    expect(told[0]).toMatchObject([expect.any(Number), { kind: "play" }]);
    expect(told[0]![0]).toBeLessThan(200);
    expect(told.slice(1).every(([, { kind }]) => kind === "sync")).toBe(true);
    expect(told.length).toBeLessThan(25);
  });

  it("stays within 15 ms of a deck whose pitch rises slowly from -8 to +8 %", () => {
    const chase = new Chase(300);
    const random = randomStream(2);
    const placeAt = (t: number) => t * 0.92 + (0.16 * t * t) / 2 / 20;
    const heard = Array.from({ length: 2000 }, (_, i): Heard => {
      const trueMs = i * 10;
      const atMs = trueMs + (random() * 2 - 1) * 5;
      return { move: { kind: "runs", seconds: placeAt(trueMs / 1000), atMs, code: undefined }, trueMs };
    });
    let most = 0;
    follow(chase, heard, 19_900, (ms) => {
      if (ms > 1000) most = Math.max(most, Math.abs(chase.positionAt(ms) - placeAt(ms / 1000)) * 1000);
    });
    expect(most).toBeLessThan(15);
  });

  it("follows a deck that is nudged by 60 ms, without a seek", () => {
    const chase = new Chase(300);
    const heard = [...deck(1, 5, 5), ...deck(1, 5, 5, 4940, 125 + 1)].filter(
      ({ trueMs }, i, all) => i === 0 || trueMs >= all[i - 1]!.trueMs - 80,
    );
    const kinds = new Set<string>();
    follow(chase, heard, 9500, (ms, orders) => {
      for (const { kind } of orders) kinds.add(kind);
      if (ms > 5400 && ms < 9000) expect(Math.abs(chase.positionAt(ms) - (ms / 1000 + 0.1)) * 1000).toBeLessThan(15);
    });
    expect([...kinds]).toEqual(["play", "sync"]);
  });

  it("seeks once when the deck jumps, and arrives within 100 ms", () => {
    const chase = new Chase(300);
    // Frame 2500 is played from 5 s on; cycles restart.
    const heard = [...deck(1, 5, 5), ...deck(1, 5, 5, 5000, 2500)];
    const orders: [number, ChaseOrder][] = [];
    follow(chase, heard, 9900, (ms, said) => orders.push(...said.map((each): [number, ChaseOrder] => [ms, each])));
    const seeks = orders.filter(([, { kind }]) => kind === "seek");
    expect(seeks).toHaveLength(1);
    const [ms, { position }] = seeks[0]!;
    expect(ms).toBeLessThanOrEqual(5100);
    expect(Math.abs(position - (100 + (ms - 5000) / 1000)) * 1000).toBeLessThan(8);
  });

  it("ignores a single false sighting", () => {
    const chase = new Chase(300);
    const heard = deck(1, 5, 2);
    heard[200] = { ...heard[200]!, move: { ...(heard[200]!.move as LeaderMove & { kind: "runs" }), seconds: 77 } };
    const kinds: string[] = [];
    follow(chase, heard, 4900, (_, orders) => kinds.push(...orders.map(({ kind }) => kind)));
    expect(kinds).not.toContain("seek");
  });

  it("freewheels for two seconds when the leader is lost, then holds, and follows it again when it is back", () => {
    const chase = new Chase(300);
    const heard = [...deck(1.04, 5, 5), ...deck(1.04, 5, 5, 9000, 500)];
    const states = new Map<string, number>();
    const orders: [number, ChaseOrder][] = [];
    follow(chase, heard, 13_000, (ms, said) => {
      if (!states.has(chase.stateAt(ms)) || ms > 8900)
        states.set(`${chase.stateAt(ms)}${ms > 8900 ? " again" : ""}`, ms);
      orders.push(...said.map((each): [number, ChaseOrder] => [ms, each]));
    });
    expect([...states.keys()]).toEqual(["waiting", "locked", "freewheel", "held", "held again", "locked again"]);
    expect(states.get("freewheel")! - 5000).toBeLessThan(350);
    const [pausedAt, paused] = orders.find(([, { kind }]) => kind === "pause")!;
    expect(pausedAt).toBeGreaterThan(6980);
    expect(pausedAt).toBeLessThan(7040);
    expect(paused.position).toBeCloseTo(7 * 1.04, 1);
    const [backAt, back] = orders.findLast(([, { kind }]) => kind === "play")!;
    expect(backAt).toBeGreaterThan(9000);
    expect(backAt).toBeLessThan(9200);
    expect(back.position).toBeCloseTo(20 + ((backAt - 9000) / 1000) * 1.04, 1);
  });

  it("holds the song position and sends no orders until a leader is detected", () => {
    const chase = new Chase(300, 42);
    expect([chase.positionAt(0), chase.positionAt(9000), chase.turn(9000), chase.stateAt(9000)]).toEqual([
      42,
      42,
      [],
      "waiting",
    ]);
  });

  it("holds at once when a leader stops, and seeks when it jumps", () => {
    const chase = new Chase(300);
    const clock = new MidiClock(Array.from({ length: 600 }, (_, i) => i / 2));
    const hear = (byte: number[], ms: number) => {
      const move = clock.hear(Uint8Array.from(byte), ms);
      if (move) chase.hear(move);
    };
    hear([0xfa], 0);
    const kinds: string[] = [];
    for (const { bytes, atMs } of clocks(124, 200)) {
      hear([...bytes], atMs);
      kinds.push(...chase.turn(atMs).map(({ kind }) => kind));
    }
    const last = (199 * 60_000) / 124 / 24;
    expect(chase.positionAt(last)).toBeCloseTo((last / 1000) * (124 / 120), 2);
    hear([0xfc], last + 5);
    expect(chase.turn(last + 5)).toMatchObject([{ kind: "pause" }]);
    expect(chase.stateAt(last + 5)).toBe("held");
    hear([0xf2, 0x40, 0], last + 500);
    expect(chase.turn(last + 500)).toMatchObject([{ kind: "seek", position: 8 }]);
    expect(chase.turn(last + 520)).toEqual([]);
    expect([...new Set(kinds)].slice(0, 2)).toEqual(["seek", "play"]);
  });

  it("holds soon after an announced jump if the deck does not run", () => {
    const chase = new Chase(300);
    const heard = deck(1, 3, 5);
    heard.push({ move: { kind: "goes", seconds: 40, atMs: 3000, code: undefined }, trueMs: 3000 });
    const orders: [number, ChaseOrder][] = [];
    follow(chase, heard, 6000, (ms, said) => orders.push(...said.map((each): [number, ChaseOrder] => [ms, each])));
    expect(orders.at(-1)).toMatchObject([3220, { kind: "pause" }]);
    expect(chase.positionAt(6000)).toBeCloseTo(40.2, 3);
  });

  it("holds at the start before the song, plays in it, and holds at its end", () => {
    const chase = new Chase(3);
    // From two seconds before the song to two after it.
    const heard = deck(1, 7, 1).map(({ move, trueMs }) => ({
      trueMs,
      move: { ...move, seconds: (move as { seconds: number }).seconds - 2 } as LeaderMove,
    }));
    const orders: [number, ChaseOrder][] = [];
    follow(chase, heard, 6900, (ms, said) => orders.push(...said.map((each): [number, ChaseOrder] => [ms, each])));
    const steps = orders
      .filter(([, { kind }]) => kind !== "sync")
      .map(([ms, { kind, position }]) => [kind, Math.round(ms / 100), Math.round(position)]);
    expect(steps).toEqual([
      ["seek", 1, 0],
      ["play", 20, 0],
      ["pause", 50, 3],
    ]);
  });

  it("follows reversed audio, and a change of direction", () => {
    const chase = new Chase(300);
    const leader = new LinearTimeCode(48_000);
    const [back, forth] = [
      linearSound({ rate: "25", frame: 1000, seconds: 2, speed: -1 }),
      linearSound({ rate: "25", frame: 950, seconds: 2 }),
    ];
    for (const move of leader.hear(back.samples, 0)) chase.hear(move);
    expect(chase.rate).toBeCloseTo(-1, 2);
    expect(chase.positionAt(2000)).toBeCloseTo(38, 2);
    for (const move of leader.hear(forth.samples, 2000)) chase.hear(move);
    expect(chase.rate).toBeCloseTo(1, 2);
    expect(chase.positionAt(4000)).toBeCloseTo(40, 2);
  });
});
