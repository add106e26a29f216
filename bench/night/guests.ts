/**
 * A hall of guests on their phones beside a running show: each follows the night on /ws/events, reads it, votes for talks and
 * songs and says something now and then. How long their calls take, how many fail, and how late the show's packets come in the
 * same seconds as those of a process that does nothing but keep the time.
 *
 *   npm run bench:guests -- [--guests 500] [--seconds 30]
 *
 * About three minutes. Ends with 1 when a bar is missed. Traffic goes to loopback only. The clients share the machine with the server.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EventConnection } from "@followspot/contract/event-connection";
import { Evening, type Guest } from "../../e2e/testing/evening.ts";
import { until } from "../../e2e/testing/product.ts";
import { lateness } from "../dmx/lateness.ts";
import { PacketClock } from "./packet-clock.ts";

/** A guest does something so often, in the mean. */
const EVERY_MS = 5000;
const BARS = { p99Ms: 300, lateness: 1.2 };
const SONG_SECONDS = 40;
const TOPICS = ["events", "playlists", "queue", "requests"];

const { values } = parseArgs({
  options: { guests: { type: "string", default: "500" }, seconds: { type: "string", default: "30" } },
});
const seconds = Number(values.seconds);
const say = (line: string) => process.stdout.write(`${line}\n`);
const size = { guests: Number(values.guests), places: 0, songs: 3, songSeconds: SONG_SECONDS, patience: 1 };
const evening = await Evening.prepare(size);
const [show, noise] = await Promise.all([PacketClock.open(), PacketClock.open()]);
const timekeeper = spawn(process.execPath, [
  fileURLToPath(new URL("../dmx/sender.ts", import.meta.url)),
  "noise",
  String(noise.port),
]);
let isKept = false;
try {
  for (let made = 0; made < size.guests; made += 20) {
    const names = Array.from({ length: Math.min(20, size.guests - made) }, (_, i) => `Guest ${made + i + 1}`);
    evening.guests.push(...(await Promise.all(names.map((name) => evening.signUp(name)))));
  }
  const threads = await Promise.all(
    evening.guests.map(async ({ token }) => {
      const joined = await evening.as(token, "chat.v1.ChatService/JoinEventThread", { eventId: evening.eventId });
      return joined.thread.id as string;
    }),
  );
  const node = { id: "test", protocol: "artnet", host: "127.0.0.1", port: show.port, universe: 1, port_address: 0 };
  await evening.product.call("lights.v1.LightsService/SetOutputs", { outputs: [{ ...node, enabled: true }] });
  await evening.music("PlayPlaylist", { playlist_id: evening.playlistId, repeat: true });
  await until(async () => (await show.take()).length > 0, 20_000);

  await sleep(3000);
  const alone = await lateOver(seconds);
  let heard = 0;
  const url = `${evening.product.url.replace("http", "ws")}/ws/events`;
  const connections = evening.guests.map(({ token }, i) => {
    const onEnvelope = () => void heard++;
    const ports = { url, token, onEnvelope, onReset: () => {}, onState: () => {}, onUnauthenticated: () => {} };
    return new EventConnection({ ...ports, isOnline: () => true }, [...TOPICS, `chat.thread.${threads[i]}`]);
  });
  await sleep(5000);
  const calls: number[] = [];
  const faults: string[] = [];
  const end = performance.now() + seconds * 1000;
  const acting = evening.guests.map((guest, i) => act(guest, threads[i]!, end, calls, faults));
  const beside = await lateOver(seconds);
  await Promise.all(acting);
  for (const connection of connections) connection.close();

  const [p50, p99] = [0.5, 0.99].map((share) => quantile(calls, share));
  const ratio = beside.show / beside.noise;
  say(`${size.guests} guests, ${calls.length} calls in ${seconds} s, ${heard} envelopes heard`);
  say(
    `calls: p50 ${p50!.toFixed(0)} ms, p99 ${p99!.toFixed(0)} ms (${BARS.p99Ms}), ${faults.length} failed (0)${faults[0] ? `: ${faults[0]}` : ""}`,
  );
  say(
    `packets late, p99: ${beside.show} ms, of a process that only keeps the time ${beside.noise}: ${ratio.toFixed(2)} times (${BARS.lateness}); without guests ${alone.show} and ${alone.noise}`,
  );
  isKept = p99! <= BARS.p99Ms && faults.length === 0 && ratio <= BARS.lateness;
} finally {
  timekeeper.kill();
  await Promise.all([show.close(), noise.close(), evening.close()]);
}
process.exit(isKept ? 0 : 1);

/** One guest until the end: reads, votes, and says something now and then. */
async function act(guest: Guest, threadId: string, end: number, calls: number[], faults: string[]): Promise<void> {
  const talkId = evening.talkIds[1]!;
  const songId = evening.songs[0]!.id;
  const deeds: readonly (readonly [number, string, () => object])[] = [
    [0.3, "guest.v1.GuestService/GetMyNight", () => ({})],
    [0.2, "talk.v1.TalkService/Vote", () => ({ talkId })],
    [0.15, "talk.v1.TalkService/Unvote", () => ({ talkId })],
    [
      0.25,
      "music.v1.MusicService/VotePlaylistSong",
      () => ({ playlistId: evening.playlistId, songId, up: Math.random() < 0.5 }),
    ],
    [0.05, "chat.v1.ChatService/ListMessages", () => ({ threadId, pageSize: 50 })],
    [0.05, "chat.v1.ChatService/SendMessage", () => ({ threadId, text: "This drop, wait for it" })],
  ];
  for (;;) {
    await sleep(2 * EVERY_MS * Math.random());
    if (performance.now() > end) return;
    let dice = Math.random();
    const [, method, body] = deeds.find(([share]) => (dice -= share) < 0) ?? deeds[0]!;
    const from = performance.now();
    try {
      await evening.as(guest.token, method, body());
    } catch (error) {
      faults.push(`${method}: ${(error as Error).message}`);
    }
    calls.push(performance.now() - from);
  }
}

/** How late packets were in the next seconds, p99, ms: the show's, and those of the process beside it. */
async function lateOver(span: number): Promise<{ readonly show: number; readonly noise: number }> {
  await Promise.all([show.take(), noise.take()]);
  await sleep(span * 1000);
  const [ofShow, ofNoise] = await Promise.all([show.take(), noise.take()]);
  return { show: lateness(ofShow).p99, noise: lateness(ofNoise).p99 };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
