import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parsRig } from "@followspot/lighting";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { monotonicMs } from "../outputs/frame-ring.ts";
import type { StageServer } from "../stage-server.ts";
import type { ConsoleSocket } from "../testing/console-socket.ts";
import type { DeskSocket } from "../testing/desk-socket.ts";
import { listenForDmx, until, type DmxNode } from "../testing/dmx-node.ts";
import { watchMachine } from "../testing/machine-lag.ts";
import { framesOf, mostFlashes } from "../testing/flash-watcher.ts";
import { headersOf, openConsole, openDesk, openDeskOfRig, openHouse, openStage, outputTo } from "../testing/house.ts";
import { startStageApi, type StageApiServer } from "../testing/stage-api-server.ts";
import { openUntil } from "../../testing/open-until.ts";

const LAMPS = 4;
let api: StageApiServer;
let node: DmxNode;
let dataDir: string;
let stage: StageServer;

beforeEach(async () => {
  ({ api, node, dataDir } = await openHouse(LAMPS));
  await raise();
});

async function raise(): Promise<void> {
  stage = await openStage({ api, dataDir });
}

const desk = (name: string) => openDeskOfRig(stage.port, name);

async function play(song: string, position = 1): Promise<ConsoleSocket> {
  const player = await openConsole(stage.port, song);
  await player.play(position);
  await until(() => node.packets.length > 0);
  return player;
}

const slots = (of: DmxNode = node) => [...(of.packets.at(-1)?.bytes.subarray(18, 18 + 3 * LAMPS) ?? [])];
const isDark = () => node.packets.length > 0 && slots().every((slot) => slot === 0);
const isWhite = () => slots().length > 0 && slots().every((slot) => slot === 255);
const isRed = () => slots()[0]! > 200 && slots()[1] === 0 && slots()[2] === 0;
/** Whether some fixtures are lit, dim and warm. */
const isHouseLook = () => {
  const lamps = Array.from({ length: slots().length / 3 }, (_, i) => slots().slice(3 * i, 3 * i + 3));
  const lit = lamps.filter((lamp) => Math.max(...lamp) > 0);
  return lit.length > 0 && lit.every(([r, g, b]) => r! < 120 && r! > g! && g! > b!);
};

describe("the desk on the stage", () => {
  it("acknowledges every press and shows it on all desks at once, with its owner", async () => {
    const [ana, bo, phone] = [await desk("Ana"), await desk("Bo Ødegård"), await desk("Phone")];
    const machine = watchMachine();
    for (const [by, control, value] of [
      [ana, "master", 0.5],
      [bo, "mute/pars", true],
      [phone, "idle", "color"],
      [bo, "blackout", true],
    ] as const) {
      const pressedMs = monotonicMs();
      const id = by.press(control, value);
      const sees = (connection: DeskSocket) => connection.state!.hands[control]?.value === value;
      await until(() => [ana, bo, phone].every(sees));
      expect(monotonicMs() - pressedMs).toBeLessThan(200 + 2 * machine.worst());
      // A switch is acknowledged once it is stored, which may take the disk a moment.
      await until(() => by.answer(id) !== undefined);
      expect(by.answer(id)).toMatchObject({ type: "taken" });
    }
    expect(ana.state!.hands["mute/pars"]).toMatchObject({ owner: "bo ødegård", owner_name: "Bo Ødegård" });
    expect(phone.state).toMatchObject({ you: "phone", mode: "idle", outputs: 1, groups: [{ id: "pars" }] });
  });

  it("goes dark at once whatever else is pressed, and returns to the show's current position", async () => {
    const ana = await desk("Ana");
    const player = await play("moving");
    await until(() => !isDark());
    const ahead = player.clockOffset;
    ana.press("blinder");
    await until(isWhite);
    const machine = watchMachine();
    const pressedMs = monotonicMs();
    ana.press("blackout");
    await until(isDark);
    expect(monotonicMs() - pressedMs).toBeLessThan(200 + 2 * machine.worst());
    ana.press("all", null);
    await until(() => ana.state!.hands["blinder"] === undefined);
    await sleep(150);
    expect(isDark()).toBe(true);
    ana.press("blackout", null);
    await until(() => !isDark());
    player.told.length = 0;
    await until(() => player.state !== undefined);
    expect(Math.abs(player.clockOffset - ahead)).toBeLessThan(0.05 + machine.worst() / 1000);
  });

  it("shares one blackout between HTTP and the desk, and reports it to playing consoles", async () => {
    const ana = await desk("Ana");
    const player = await play("bright");
    const ask = (on: boolean) =>
      fetch(`http://127.0.0.1:${stage.port}/blackout`, {
        method: "POST",
        headers: headersOf("Cem"),
        body: JSON.stringify({ on }),
      });
    await ask(true);
    await until(() => ana.state!.hands["blackout"]?.owner_name === "Cem");
    await until(() => player.state!.blackout);
    ana.press("blackout", null);
    await until(() => !isDark());
    await until(() => !player.state!.blackout);
  });

  it("lights a blinder while it is pressed, also while nothing plays, and releases it when the connection is lost", async () => {
    const [ana, bo] = [await desk("Ana"), await desk("Bo")];
    ana.press("blinder");
    await until(isWhite);
    ana.press("blinder", null);
    await until(isDark);
    bo.press("blinder");
    await until(isWhite);
    bo.close();
    await until(isDark);
    await until(() => Object.keys(ana.state!.hands).length === 0);
  });

  it("holds the current look while the song continues", async () => {
    const ana = await desk("Ana");
    await play("moving");
    await until(() => node.packets.length > 30);
    ana.press("hold");
    await until(() => "hold" in ana.state!.hands);
    await sleep(200);
    const held = slots();
    await sleep(400);
    expect(slots()).toEqual(held);
    ana.press("hold", null);
    await until(() => slots().some((slot, i) => slot !== held[i]));
  });

  it("tints, mutes and solos groups, and dims them with the master", async () => {
    const lights = parsRig(LAMPS);
    const group = (id: string, lightIds: number[]) => ({ ...lights.groups[0]!, id, name: id, lightIds });
    api.setRig({ ...lights, groups: [group("left", [1, 2]), group("right", [3, 4])] }, [outputTo(node)]);
    const ana = await desk("Ana");
    await until(() => ana.state!.groups?.length === 2);
    await play("bright");
    await until(isWhite);
    ana.press("color", "#ff0000");
    await until(isRed);
    ana.press("mute/left");
    await until(() => slots()[0] === 0 && slots()[6]! > 200);
    ana.press("mute/left", null);
    ana.press("solo/left");
    await until(() => slots()[0]! > 200 && slots()[6] === 0);
    ana.press("master", 0.5);
    await until(() => slots()[0] === 128);
    ana.press("all", null);
    await until(isWhite);
  });

  it("blinks an identified fixture in white, in the dark and in a show, and shows its owner on all desks", async () => {
    const [ana, bo] = [await desk("Ana"), await desk("Bo")];
    const lampIs = (lamp: number, value: number) =>
      node.packets.length > 0 && slots().slice(3 * lamp, 3 * lamp + 3).every((slot) => slot === value); // prettier-ignore
    const others = () => slots().filter((_, i) => Math.floor(i / 3) !== 1);
    const { id, label } = parsRig(LAMPS).lights[1]!;
    ana.press(`identify/${id}`);
    await until(() => lampIs(1, 255));
    expect(others().every((slot) => slot === 0)).toBe(true);
    await until(() => bo.state!.hands[`identify/${id}`]?.owner_name === "Ana");
    expect(bo.state!.hands[`identify/${id}`]!.label).toBe(label);
    await until(() => lampIs(1, 0));
    await until(() => lampIs(1, 255));
    bo.press(`identify/${id}`, null);
    await until(() => Object.keys(ana.state!.hands).length === 0);
    await until(isDark);

    await play("bright");
    await until(isWhite);
    node.packets.length = 0;
    ana.press(`identify/${id}`);
    await until(() => lampIs(1, 0));
    await until(() => lampIs(1, 255));
    await until(() => lampIs(1, 0));
    // The other fixtures continue unchanged.
    for (const { bytes } of node.packets) expect([bytes[18], bytes[24], bytes[27]]).toEqual([255, 255, 255]);
    expect(mostFlashes(framesOf(node.packets, LAMPS)).lamp).toBeLessThanOrEqual(2);
    const refused = ana.press("identify/999");
    await until(() => ana.answer(refused)?.type === "refused");
  });

  it("shows the idle look while nothing plays, stores it across a clean restart, and releases it", async () => {
    const ana = await desk("Ana");
    ana.press("idle", "house");
    await until(isHouseLook);
    ana.press("idle", "dark");
    await until(isDark);
    ana.press("idle", "color");
    await until(() => node.packets.length > 60 && !isDark());
    await stage.close();
    expect(isDark()).toBe(true);
    node.packets.length = 0;
    await raise();
    await until(() => node.packets.length > 0 && !isDark());
    const bo = await desk("Bo");
    expect(bo.state!.hands["idle"]).toMatchObject({ value: "color", owner_name: "Ana" });
    bo.press("idle", null);
    await until(isDark);
    await stage.close();
    await expect(readFile(join(dataDir, "stage-state.json"))).rejects.toThrow();
  });

  // kept: Stage and lamps | A mute pressed during a restart of the stage was refused, as if its group were deleted |
  // failed on the old code
  it("accepts presses while a restarted stage has not read its rig yet", async () => {
    await stage.close();
    await api.close();
    await raise();
    const ana = await openDesk(stage.port, "Ana");
    const pressed = ["mute/pars", `identify/${parsRig(LAMPS).lights[0]!.id}`, "mute/cellar"];
    const ids = pressed.map((control) => ana.press(control));
    await until(() => ids.every((id) => ana.answer(id)?.type === "taken"));
    const late = await startStageApi(api.port);
    onTestFinished(() => late.close());
    late.setRig(parsRig(LAMPS), [outputTo(node)]);
    await until(() => ana.state!.groups !== undefined);
    expect(Object.keys(ana.state!.hands)).toEqual(pressed.slice(0, 2));
  });

  it("refuses a malformed press with a sentence and keeps the connection open", async () => {
    const ana = await desk("Ana");
    for (const text of ["", "[", "null", '{"type":"press"}', `{"type":"press","id":"x","control":"master","value":[]}`])
      ana.ws.send(text);
    const refusals = () => ana.told.filter(({ message }) => message.type === "refused");
    await until(() => refusals().length === 5);
    const id = ana.press("strobe", 25);
    await until(() => ana.answer(id) !== undefined);
    expect(ana.answer(id)).toMatchObject({ type: "refused", message: expect.stringContaining("flashes a second") });
    ana.ws.send("x".repeat(20_000));
    await until(() => ana.closed === 1009);
    expect((await desk("Bo")).state!.hands).toEqual({});
  });
});

describe("the desk under rapid presses", () => {
  /** Presses 100 times per second on each of four consoles for 6 s. */
  async function hail(connections: readonly DeskSocket[], press: (connection: DeskSocket, i: number) => void) {
    const begun = monotonicMs();
    for (let i = 0; i < 600; i++) {
      for (const connection of connections) press(connection, i);
      await sleep(Math.max(0, begun + i * 10 - monotonicMs()));
    }
  }
  const four = () => Promise.all(["A", "B", "C", "D"].map((name) => desk(name)));

  // kept: Stage and lamps | Counted where pairs of changes are complete, fixtures flashed four times a second under
  // rapid presses, seeks and live sound | also
  it("never flashes more than three times a second: blackouts, masters, colors, mutes, holds and seeks", async () => {
    const connections = await four();
    const player = await play("dark");
    await hail(connections, (connection, i) => {
      const at = connections.indexOf(connection);
      // Each changes at a different rate, so that light gets through between them.
      if (at === 0) connection.press("blackout", i % 17 < 5 ? true : null);
      if (at === 1) connection.press("master", i % 13 < 4 ? 0 : 1);
      if (at === 2) connection.press("color", ["#ff0000", "#ffffff", "#0000ff"][Math.floor(i / 7) % 3]!);
      if (at === 3) connection.press(i < 300 ? "mute/pars" : "hold", i % 23 < 6 ? true : null);
      if (at === 0) player.say({ type: "seek", position: i % 19 < 12 ? 20 : 5 });
    });
    const flashes = mostFlashes(framesOf(node.packets, LAMPS));
    expect(flashes.lamp).toBeLessThanOrEqual(3);
    expect(flashes.rig).toBeLessThanOrEqual(3);
    // It did flash: the watcher saw what the limiter let through.
    expect(flashes.lamp).toBeGreaterThan(0);
  });

  it("never flashes more than three times a second: blinders and strobes while nothing plays, at two offsets", async () => {
    const other = openUntil(onTestFinished, await listenForDmx());
    api.setRig(parsRig(LAMPS), [outputTo(node), outputTo(other, 250)]);
    const connections = await four();
    await until(() => connections[0]!.state!.outputs === 2);
    await hail(connections, (connection, i) => {
      const at = connections.indexOf(connection);
      if (at < 2) connection.press("blinder", (i + at) % 7 < 3 ? true : null);
      else connection.press("strobe", i % 9 < 4 ? 2.75 : null);
    });
    for (const { packets } of [node, other]) {
      const flashes = mostFlashes(framesOf(packets, LAMPS));
      expect(packets.length).toBeGreaterThan(10);
      expect(Math.max(flashes.lamp, flashes.rig)).toBeLessThanOrEqual(3);
    }
  });

  it("loses no press, ends with the last press of each control, and answers each press once", async () => {
    const connections = await four();
    const ids = new Map(connections.map((connection) => [connection, [] as string[]]));
    await hail(connections, (connection, i) => ids.get(connection)!.push(connection.press("master", (i % 101) / 100)));
    const last = connections[3]!.press("master", 0.42);
    await until(() => connections[3]!.answer(last) !== undefined);
    await until(() => connections.every((connection) => connection.state!.hands["master"]?.value === 0.42));
    for (const [connection, sent] of ids) {
      const answered = connection.told.flatMap(({ message }) => (message.type === "taken" ? [message.id] : []));
      expect(sent.filter((id) => !answered.includes(id))).toEqual([]);
      expect(new Set(answered).size).toBe(answered.length);
    }
    expect(new Set(connections.map((connection) => connection.state!.revision)).size).toBe(1);
  });
});
