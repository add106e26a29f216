/**
 * Songs played into the stage's microphone line in real time, and when their beats are seen in the DMX packets that leave it.
 * Light goes from lamp to lamp with each beat, so that the flash limiter has nothing to do with it.
 * `npm run bench:sound [-- --songs DIR] [-- --seconds N] [-- --only ID,ID]`, half a minute for each song.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { outputOfUrl, STAGE_HEADERS } from "@followspot/contract";
import { parsRig, type LivePlan } from "@followspot/lighting";
import { decodeAudio } from "../../apps/server/src/audio/decode-audio.ts";
import { startStage } from "../../apps/server/src/stage/stage-server.ts";
import { listenForDmx, until, type Packet } from "../../apps/server/src/stage/testing/dmx-node.ts";
import { liveOf } from "../../apps/server/src/stage/testing/plans.ts";
import { SoundLine } from "../../apps/server/src/stage/testing/sound-line.ts";
import { noiseBursts, TEST_RATE } from "../../apps/server/src/stage/testing/sounds.ts";
import { STAGE_SECRET, startStageApi } from "../../apps/server/src/stage/testing/stage-api-server.ts";
import { readSongs } from "../analysis/songs.ts";

const { values } = parseArgs({
  options: {
    songs: { type: "string", default: fileURLToPath(new URL("../../../shared/music-dev", import.meta.url)) },
    seconds: { type: "string", default: "30" },
    only: { type: "string" },
  },
});
const SECONDS = Number(values.seconds);
const FROM_SECONDS = 8;
const WINDOW_MS = 70;
const LAMPS = 4;
const headers = { [STAGE_HEADERS.secret]: STAGE_SECRET, [STAGE_HEADERS.user]: "bench" };

/** Plays sound into a stage of its own. @returns when sample 0 sounded, and every packet that left */
async function listen(y: Float32Array, livePlan: LivePlan): Promise<{ started: number; packets: readonly Packet[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), "followspot-bench-"));
  const [api, node] = [await startStageApi(), await listenForDmx()];
  api.setRig(parsRig(LAMPS), [{ ...outputOfUrl(`artnet://127.0.0.1:${node.port}/0`), id: "node" }]);
  const stage = await startStage({ port: 0, secret: STAGE_SECRET, dataDir, api: api.url, livePlan });
  try {
    const line = await new SoundLine(`ws://127.0.0.1:${stage.port}/lights/sound`, { headers }).opened();
    line.start(TEST_RATE);
    await until(() => line.state!.you_lead && node.packets.length > 0);
    return { started: await line.play(y, TEST_RATE), packets: node.packets };
  } finally {
    await stage.close();
    await node.close();
    await api.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const lightOf = ({ bytes }: Packet, lamp: number) =>
  bytes[18 + 3 * lamp]! + bytes[19 + 3 * lamp]! + bytes[20 + 3 * lamp]!;
const lamps = Array.from({ length: LAMPS }, (_, lamp) => lamp);

/** When another lamp became the brightest. */
function stepsOf(packets: readonly Packet[]): number[] {
  const brightest = packets.map((packet) =>
    lamps.reduce((best, lamp) => (lightOf(packet, lamp) > lightOf(packet, best) ? lamp : best)),
  );
  return packets.flatMap(({ ms }, i) => (i > 0 && brightest[i] !== brightest[i - 1] ? [ms] : []));
}

const medianOf = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const percentileOf = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? Number.NaN;

const all: number[] = [];
const shares: number[] = [];
console.log(
  "song  genre          beats   held  median   |median|  ms from the sound of a beat to the packet that shows it",
);
const only = values.only?.split(",");
for (const song of (readSongs(values.songs) ?? []).filter(({ id }) => !only || only.includes(id))) {
  const { left, right } = await decodeAudio(song.path, { ffmpeg: process.env["FFMPEG"] ?? "ffmpeg" });
  const y = left.subarray(0, SECONDS * TEST_RATE).map((value, n) => (value + right[n]!) / 2);
  const { started, packets } = await listen(y, liveOf("chase"));
  const steps = stepsOf(packets);
  const beats = song.beats.filter((t) => t >= FROM_SECONDS && t < SECONDS - 0.2).map((t) => started + 1000 * t);
  const errors = beats.map((beat) =>
    steps.reduce((best, step) => (Math.abs(step - beat) < Math.abs(best) ? step - beat : best), Infinity),
  );
  const held = errors.filter((error) => Math.abs(error) <= WINDOW_MS);
  all.push(...held);
  shares.push(held.length / beats.length);
  console.log(
    `${song.id.padEnd(5)} ${song.genre.padEnd(14)} ${String(beats.length).padStart(5)}  ${shares.at(-1)!.toFixed(2)}  ${medianOf(
      held,
    )
      .toFixed(1)
      .padStart(6)}  ${medianOf(held.map(Math.abs)).toFixed(1).padStart(6)}`,
  );
}
const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
console.log(
  `\nheld ${mean.toFixed(3)}; ${shares.filter((share) => share >= 0.8).length} of ${shares.length} songs hold 80 %;` +
    ` median ${medianOf(all).toFixed(1)} ms, of its size ${medianOf(all.map(Math.abs)).toFixed(1)} ms, p95 ${percentileOf(all.map(Math.abs), 0.95).toFixed(1)} ms`,
);

const strokes = 20;
const { started, packets } = await listen(noiseBursts(1.5, strokes / 1.5, 0.1), liveOf("snap"));
const rigLight = (packet: Packet) => lamps.reduce((sum, lamp) => sum + lightOf(packet, lamp), 0);
const delays = Array.from({ length: strokes - 2 }, (_, n) => {
  const struck = started + (1000 * (n + 1)) / 1.5;
  const before = rigLight(packets.findLast(({ ms }) => ms <= struck)!);
  return (packets.find((packet) => packet.ms > struck && rigLight(packet) > before + 150)?.ms ?? Infinity) - struck;
});
console.log(
  `a stroke after quiet: median ${medianOf(delays).toFixed(1)} ms, p95 ${percentileOf(delays, 0.95).toFixed(1)} ms from its sound to the packet that shows it (${delays.length})`,
);
process.exit(0);
