/**
 * What the parts of an installation need of a machine, for the model of docs/guide/sizing.md: processor time and memory at rest,
 * while a playlist is played to lamps, for a song from file to light, for a guest who reads the night, for an open page; and what
 * a song takes of a disk.
 *
 *   npm run bench:sizing                    about three minutes
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { listenForArtNet } from "../../e2e/testing/art-net-listener.ts";
import { processesOn, removeData, startProduct, until, type Product } from "../../e2e/testing/product.ts";
import { isReady, lightPars, songOf, upload } from "../../e2e/testing/songs.ts";
import { cpuSecondsOf, memoryOf } from "../api/cpu.ts";

const SONG_SECONDS = 210;
const SAMPLE_SECONDS = 20;
const READS = 400;
const PAGES = 200;
const PARTS = ["/main.", "main-api.", "main-worker.", "main-stage.", "bin/postgres", "nats-server"];

const say = (line: string) => process.stdout.write(`${line}\n`);
const pause = (seconds: number) => new Promise((next) => setTimeout(next, 1000 * seconds));
const node = await listenForArtNet();
const product = await startProduct({ env: { FOLLOWSPOT_STEMS: "on" } });
try {
  await lightPars(product, 8, node.port);
  await pause(SAMPLE_SECONDS);
  say("at rest");
  await sayParts(product);

  const before = cpuOf(product);
  const { body } = await upload(product, "House Band - Long Song.wav", synthesiseSong(SONG_SECONDS, 120));
  const id = body.song.id as string;
  await until(() => isReady(product, id), 300_000);
  const lit = cpuOf(product) - before;
  await until(async () => (await songOf(product, id)).stemsGenerated === true, 300_000);
  const whole = cpuOf(product) - before;
  say(
    `\na song of ${SONG_SECONDS} s: ${lit.toFixed(1)} s of a core until it is lit, ${whole.toFixed(1)} s with its stems`,
  );
  say(`on the disk: ${await weigh(join(product.dataDir, "songs", id))}`);

  const { playlist } = await music<{ playlist: { id: string } }>("CreatePlaylist", { name: "Tonight" });
  await music("AddSongToPlaylist", { playlist_id: playlist.id, song_id: id });
  await music("PlayPlaylist", { playlist_id: playlist.id });
  await until(() => node.packets.length > 100, 60_000);
  say("\nwhile it plays to eight pars");
  await sayParts(product);
  await music("StopMusic", {});

  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const night = { title: "Friday", starts_at: hours(-1), ends_at: hours(5) };
  await product.call("event.v1.EventService/CreateEvent", night);
  const read = () => product.call("guest.v1.GuestService/GetMyNight", {});
  await read();
  const reads = cpuOf(product);
  for (let n = 0; n < READS; n++) await read();
  say(`\na guest reads the night: ${((1000 * (cpuOf(product) - reads)) / READS).toFixed(1)} ms of a core`);

  const [api] = await processesOn(product.dataDir, "main-api.");
  const alone = memoryOf(api!).now; // it runs
  const sockets = await Promise.all(Array.from({ length: PAGES }, () => listen(product)));
  await pause(2);
  say(`an open page: ${(((memoryOf(api!).now - alone) * 1024) / PAGES).toFixed(0)} kB of the API's memory`);
  for (const socket of sockets) socket.close();
} finally {
  node.close();
  await product.stop();
  await removeData(product.dataDir);
}

async function music<Answer = unknown>(method: string, body: object): Promise<Answer> {
  return (await product.call(`music.v1.MusicService/${method}`, body)) as Answer;
}

/** Of all parts, the database and the broker too. */
function cpuOf({ process: { pid } }: Product): number {
  return cpuSecondsOf(pid!);
}

/** Share of a core over some seconds, and memory, of each part. */
async function sayParts({ dataDir }: Product): Promise<void> {
  const children = await childrenOfAll();
  const found = [];
  for (const part of PARTS) {
    const own = await processesOn(dataDir, part);
    // The database's own processes name no folder; other parts are counted by themselves.
    found.push(part === "bin/postgres" ? [...own, ...own.flatMap((pid) => children.get(pid) ?? [])] : own);
  }
  const seconds = (pids: readonly number[]) => Promise.all(pids.map(ownSeconds)).then(sum);
  const before = await Promise.all(found.map(seconds));
  await pause(SAMPLE_SECONDS);
  let [cores, megabytes] = [0, 0];
  for (const [i, part] of PARTS.entries()) {
    const share = ((await seconds(found[i]!)) - before[i]!) / SAMPLE_SECONDS;
    const memory = sum(await Promise.all(found[i]!.map(privateMegabytes)));
    cores += share;
    megabytes += memory;
    say(`  ${part.padEnd(15)} ${share.toFixed(3)} of a core, ${memory.toFixed(0)} MB`);
  }
  say(`  ${"together".padEnd(15)} ${cores.toFixed(3)} of a core, ${megabytes.toFixed(0)} MB`);
}

/** Processes by the one that started them. */
async function childrenOfAll(): Promise<Map<number, number[]>> {
  const children = new Map<number, number[]>();
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const parent = Number((await statOf(Number(name)))[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

/** Fields of /proc/PID/stat behind its name, after proc(5): state, parent, …; none of one that has ended. */
async function statOf(pid: number): Promise<readonly string[]> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return line.slice(line.lastIndexOf(")") + 2).split(" ");
}

async function ownSeconds(pid: number): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** What it has for itself, and its part of what it shares. */
async function privateMegabytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}

async function weigh(folder: string): Promise<string> {
  const kinds: Record<string, number> = { original: 0, sound: 0, stems: 0, "analysis and plan": 0 };
  for (const name of await readdir(folder)) {
    const kind = name.startsWith("source")
      ? "original"
      : name === "audio.mp3"
        ? "sound"
        : name.endsWith(".mp3")
          ? "stems"
          : "analysis and plan";
    kinds[kind]! += (await stat(join(folder, name))).size;
  }
  return Object.entries(kinds)
    .map(([kind, bytes]) => `${kind} ${(bytes / 1e6).toFixed(1)} MB`)
    .join(", ");
}

/** A page that hears of songs and events. */
async function listen(of: Product): Promise<WebSocket> {
  const socket = new WebSocket(`${of.url.replace("http", "ws")}/ws/events`);
  await new Promise((open) => socket.addEventListener("open", open, { once: true }));
  const payload = { token: await of.token(), platform: "web", subscriptions: ["songs", "events"] };
  socket.send(JSON.stringify({ type: "ClientHello", payload }));
  await new Promise((heard) => socket.addEventListener("message", heard, { once: true }));
  return socket;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
