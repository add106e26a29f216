/**
 * What lamps see when something fails in the middle of a show, through the whole product: the owner's connection, the API, the
 * stage, a node, the network, a USB adapter and another sender to the same universe. Draws one line for each, the
 * light that arrived over time, and prints how long nothing came.
 * `npm run bench:failures -- [--out docs/guide/failures.svg]`, about three minutes. Traffic goes to loopback only; the
 * route is taken away on a network of its own, which only Linux has.
 */
import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { monotonicMs } from "../../apps/server/src/stage/outputs/frame-ring.ts";
import { ArtDmxPacket } from "../../apps/server/src/stage/packets/artnet-packet.ts";
import { ConsoleSocket } from "../../apps/server/src/stage/testing/console-socket.ts";
import { listenForDmx } from "../../apps/server/src/stage/testing/dmx-node.ts";
import { plugInWidget } from "../../apps/server/src/stage/testing/enttec-widget.ts";
import { processesOn, removeData, startProduct, until } from "../../e2e/testing/product.ts";
import { isReady, lightPars, upload } from "../../e2e/testing/songs.ts";
import { drawFailures, type FailureRow } from "./draw-failures.ts";
import { LampsSeen, levelOf, PARS, type Frame } from "../../e2e/testing/lamps-seen.ts";
import { giveRoute, onOwnNetwork, takeRoute } from "./own-network.ts";

/** Where in the song each one happens, seconds. */
const START = 30;
/** Shown before the failure, seconds. */
const BEFORE = 2;

/** A node that a route can be taken from while everything else on loopback goes on. */
const AWAY = "127.0.0.9";

const { values } = parseArgs({ options: { out: { type: "string" } } });
const hasOwnNetwork = onOwnNetwork();
const product = await startProduct();
const lamps = await LampsSeen.listen();
const { port } = lamps;
let widget = plugInWidget();
const usb = { id: "usb", protocol: "enttec_pro", device: widget.path, universe: 1, enabled: true };
const rows: FailureRow[] = [];

try {
  await lightPars(product, PARS, port);
  await product.call("lights.v1.LightsService/CreateOutput", { output: usb });
  const { body } = await upload(product, "Bench - Failures.wav", synthesiseSong(120, 120));
  const song: string = body.song.id;
  await until(() => isReady(product, song), 120_000);
  await sleep(6000); // the spare stands by

  const connection = await take(song, START);
  await observe("The console's connection drops, no console returns", 20, () => connection.close());

  await take(song, START);
  await observe("The API is killed, no console returns", 20, () => kill("main-api."));
  await until(async () => (await fetch(`${product.url}/health`).catch(() => undefined))?.ok === true, 30_000);

  (await take(song, START)).close();
  await observe("The stage is killed, no console returns", 8, () => kill("main-stage."));

  await keepPlaying(song, START, async () => {
    await observe("The node is switched off for three seconds", 8, async () => {
      await lamps.switchOff();
      await sleep(3000);
      await lamps.switchOn();
    });
  });

  if (hasOwnNetwork) {
    const away = await listenForDmx(port, AWAY);
    const output = { id: "away", protocol: "artnet", host: AWAY, port, universe: 1, port_address: 0, enabled: true };
    await product.call("lights.v1.LightsService/CreateOutput", { output });
    await keepPlaying(song, START, async () => {
      const loseTheWay = async () => {
        takeRoute(AWAY);
        await sleep(3000);
        giveRoute(AWAY);
      };
      const seen = () => away.packets.map(({ ms, bytes }) => ({ ms, slots: bytes.subarray(18) }));
      await observe("No route leads to a node for three seconds", 8, loseTheWay, seen);
    });
    await product.call("lights.v1.LightsService/DeleteOutput", { id: "away" });
    await away.close();
  } else process.stdout.write("No route: left out, this machine gives no network of its own\n");

  await keepPlaying(song, START, async () => {
    const before = widget;
    before.frames.length = 0;
    const pullAndPutBack = async () => {
      before.close();
      await sleep(2000);
      widget = plugInWidget();
      await product.call("lights.v1.LightsService/UpdateOutput", { output: { ...usb, device: widget.path } });
    };
    const seen = () => [...before.frames, ...(widget === before ? [] : widget.frames)];
    await observe(
      "The USB adapter is pulled, and after two seconds put into another port and chosen there",
      8,
      pullAndPutBack,
      seen,
    );
  });

  await keepPlaying(song, START, async () => {
    const other = createSocket("udp4");
    const packet = new ArtDmxPacket(0);
    packet.slots.fill(255);
    const sendAlong = async () => {
      for (let k = 0; k < 30; k++, await sleep(100)) other.send(packet.next(), port, "127.0.0.1");
      other.close();
    };
    await observe("Another sender sends full light to the same node for three seconds", 8, sendAlong);
  });
} finally {
  widget.close();
  await lamps.close();
  await product.stop();
  await removeData(product.dataDir);
}

for (const { title, longestGap, firstFrame } of rows)
  process.stdout.write(`${title}: longest without a frame ${longestGap} ms, next frame after ${firstFrame} ms\n`);
if (values.out) writeFileSync(values.out, drawFailures(rows, BEFORE));

/** One failure: the light from two seconds before it to `seconds` after. @param fail what goes wrong */
async function observe(
  title: string,
  seconds: number,
  fail: () => unknown,
  seen: () => readonly Frame[] = () => lamps.frames,
): Promise<void> {
  await sleep(BEFORE * 1000);
  const at = monotonicMs();
  await fail();
  await sleep(Math.max(0, at + seconds * 1000 - monotonicMs()));
  lamps.collect();
  const shown = seen().filter(({ ms }) => ms > at - BEFORE * 1000 && ms < at + seconds * 1000);
  const after = shown.filter(({ ms }) => ms > at + 30).map(({ ms }) => ms);
  const times = [at, ...after, at + seconds * 1000];
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  rows.push({
    title,
    seconds,
    longestGap: Math.round(Math.max(...gaps)),
    firstFrame: Math.round((after[0] ?? Number.NaN) - at),
    light: shown.map(({ ms, slots }) => ({ t: (ms - at) / 1000, level: levelOf(slots) })),
  });
}

async function take(song: string, position: number): Promise<ConsoleSocket> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const url = `${product.url.replace("http", "ws")}/lights/playback/${song}`;
  const console = await new ConsoleSocket(url, { headers }).opened();
  await console.play(position, true);
  return console;
}

async function keepPlaying(song: string, position: number, work: () => Promise<void>): Promise<void> {
  const console = await take(song, position);
  await work();
  console.say({ type: "stop" });
  await sleep(200);
  console.close();
}

async function kill(part: string): Promise<void> {
  // The oldest runs; a spare came after it.
  const [pid] = (await processesOn(product.dataDir, part)).toSorted((a, b) => a - b);
  process.kill(pid!, "SIGKILL");
}
