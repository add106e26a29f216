import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parsRig } from "@followspot/lighting";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { SentTick } from "../outputs/sent-tap.ts";
import { until, type DmxNode, type Packet } from "../testing/dmx-node.ts";
import { headersOf, openConsole, openDeskOfRig, openHouse, openStage, outputTo } from "../testing/house.ts";
import { LampsConnection } from "../testing/lamps-connection.ts";
import { watchMachine } from "../testing/machine-lag.ts";
import { type StageApiServer } from "../testing/stage-api-server.ts";
import { SentSockets } from "./sent-sockets.ts";
import { openUntil } from "../../testing/open-until.ts";

const LAMPS = 4;

const first = (universe: Uint8Array | undefined, count = 3 * LAMPS) => universe && [...universe.subarray(0, count)];

describe("the sent slots", () => {
  let api: StageApiServer;
  let node: DmxNode;
  let port: number;

  beforeEach(async () => {
    const house = await openHouse(LAMPS);
    ({ api, node } = house);
    ({ port } = await openStage(house));
  });

  function listen(): LampsConnection {
    const connection = new LampsConnection(`ws://127.0.0.1:${port}/lights/lamps`, { headers: headersOf("Ana") });
    return openUntil(onTestFinished, connection);
  }

  async function play(song: string): Promise<void> {
    await (await openConsole(port, song)).play(1);
    await until(() => node.packets.length > 0);
  }

  it("are reported exactly as a node receives them at that time, at most 25 times a second", async () => {
    const connection = listen();
    await play("moving");
    const seen = new Map<number, number[]>();
    connection.ws.on("message", () => seen.set(connection.told.at(-1)!.ms, first(connection.universes.get(1))!));
    const from = monotonicMs();
    await sleep(2000);
    const seconds = (monotonicMs() - from) / 1000;
    // Each equals a packet of its time, in the order of the packets.
    const told = [...seen];
    expect(told.length).toBeGreaterThan(10 * seconds);
    expect(told.length).toBeLessThanOrEqual(25 * seconds);
    await until(() => node.packets.at(-1)!.ms > told.at(-1)![0] + 100);
    let at = 0;
    for (const [ms, slots] of told) {
      const isThat = ({ bytes }: Packet) => String([...bytes.subarray(18, 18 + 3 * LAMPS)]) === String(slots);
      at = node.packets.findIndex((packet, i) => i >= at && packet.ms >= ms && isThat(packet));
      expect(at).toBeGreaterThanOrEqual(0);
      expect(node.packets[at]!.ms - ms).toBeLessThan(100);
    }
    expect(new Set(told.map(([, slots]) => String(slots))).size).toBeGreaterThan(10);
  });

  it("are dark during the desk's blackout, and not reported while unchanged, except for a heartbeat", async () => {
    const connection = listen();
    await play("bright");
    await until(() => first(connection.universes.get(1))?.every((slot) => slot > 0) === true);
    const desk = await openDeskOfRig(port, "Ana");
    const machine = watchMachine();
    const pressedMs = monotonicMs();
    desk.press("blackout");
    await until(() => first(connection.universes.get(1))!.every((slot) => slot === 0));
    expect(monotonicMs() - pressedMs).toBeLessThan(300 + 2 * machine.worst());
    await sleep(200);
    connection.told.length = 0;
    await sleep(3100);
    // One heartbeat per second, every fourth with the complete state.
    expect(connection.told.length).toBeGreaterThanOrEqual(2);
    expect(connection.told.length).toBeLessThanOrEqual(4);
    expect(connection.told.filter(({ isWhole }) => !isWhole).every(({ stretches }) => stretches.length === 0)).toBe(
      true,
    );
  });

  it("are reported completely to a later client, without a universe that is no longer sent", async () => {
    const other = { ...outputTo(node), id: "second", universe: 2 };
    const rig = parsRig(LAMPS);
    api.setRig(rig, [outputTo(node), other]);
    listen();
    await play("bright");
    const late = listen();
    await until(() => late.universes.size === 2);
    expect(late.told[0]).toMatchObject({ isWhole: true, isSending: true });
    expect(first(late.universes.get(1))?.every((slot) => slot > 0)).toBe(true);
    api.setRig(rig, [outputTo(node)]);
    await until(() => !late.universes.has(2));
    expect(late.universes.has(1)).toBe(true);
  });

  // kept: Stage and lamps | The demo night was dark on Tonight: the preview was empty without an output | failed on the
  // old code
  it("are reported as a preview while there is no output, but not if all outputs are disabled", async () => {
    const rig = parsRig(LAMPS);
    api.setRig(rig, []);
    const connection = listen();
    await (await openConsole(port, "bright")).play(1);
    const isLit = () => first(connection.universes.get(1))?.every((slot) => slot > 0) === true;
    await until(isLit);
    expect(connection.told.at(-1)).toMatchObject({ isSending: true, isPreview: true });
    expect(node.packets).toEqual([]);
    api.setRig(rig, [{ ...outputTo(node), enabled: false }]);
    await until(() => !connection.universes.has(1));
    expect(connection.told.at(-1)!.isPreview).toBe(false);
    api.setRig(rig, [outputTo(node)]);
    await until(() => node.packets.length > 0 && isLit());
    expect(connection.told.at(-1)!.isPreview).toBe(false);
  });

  it("are reported as not sent while the stage is silent", async () => {
    const connection = listen();
    await until(() => connection.told.length > 0);
    expect(connection.told[0]).toMatchObject({ isWhole: true, isSending: false, ms: 0 });
    // The stage may not have read its rig yet; later it lists the universes, without slots.
    await until(() => connection.told.some(({ stretches }) => stretches.some(({ universe }) => universe === 1)));
    expect(connection.universes.size).toBe(0);
  });
});

describe("connections that receive the sent slots", () => {
  let server: Server;
  let sockets: SentSockets;
  let taps: ((sent: SentTick) => void)[];
  const UNIVERSES = Array.from({ length: 60 }, (_, i) => i + 1);

  beforeEach(async () => {
    taps = [];
    sockets = new SentSockets({
      tap: (onSent) => {
        taps.push(onSent);
        return () => void taps.splice(taps.indexOf(onSent), 1);
      },
      isSending: () => true,
      isPreview: () => false,
      universes: () => UNIVERSES,
      tellMs: 0,
    });
    server = openUntil(onTestFinished, createServer());
    const upgrades = openUntil(onTestFinished, new WebSocketServer({ server }));
    openUntil(onTestFinished, sockets);
    upgrades.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  });

  function open(): LampsConnection {
    return openUntil(onTestFinished, new LampsConnection(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`));
  }

  it("cost nothing while there are none", async () => {
    expect(taps).toHaveLength(0);
    const [one, two] = [open(), open()];
    await until(() => one.told.length + two.told.length === 2);
    expect(taps).toHaveLength(1);
    one.close();
    two.close();
    await until(() => taps.length === 0);
  });

  it("miss messages if they are slow, delay no others, and get the complete state once they read again", async () => {
    const [slow, quick] = [open(), open()];
    await until(() => slow.told.length + quick.told.length === 2);
    const before = slow.told.length;
    slow.ws.pause();
    // Different values in every slot: 30 KB per message, more than sockets buffer.
    const ticks = 600;
    for (let tick = 1; tick <= ticks; tick++) {
      const slots = new Uint8Array(512).fill(tick % 256);
      taps[0]!({ ms: tick, isPreview: false, universes: UNIVERSES.map((universe) => [universe, slots] as const) });
      const hears = () => quick.told.at(-1)!.ms === tick;
      while (!hears()) await new Promise(setImmediate);
    }
    expect(quick.told.length).toBeGreaterThan(ticks);
    slow.ws.resume();
    await until(() => slow.told.at(-1)!.ms === ticks);
    expect(slow.told.length - before).toBeLessThan(ticks);
    await until(() => UNIVERSES.every((universe) => slow.universes.get(universe)?.[511] === ticks % 256));
  });
});
