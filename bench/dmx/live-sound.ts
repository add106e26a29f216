/**
 * Songs played to the stage in real time as a microphone would, and when their beats are seen in the DMX packets of the stage.
 * Light goes from lamp to lamp with each beat, so that the flash limiter has nothing to do with it. Beside it what the ear
 * alone makes of the same sound, without a stage.
 *
 *   npm run bench:sound [-- options]   whole songs of a folder, several stages at once
 *     --songs DIR    index.json, audio/, truth/; shared/music-dev
 *     --only ID,ID   only these songs
 *     --seconds N    no more of each song
 *     --together N   so many stages at once; 3
 *   npm run bench:sound -- --universes N [--lamps N]
 *     what the stage takes of a core while its own planned show follows a song, so many lamps in each universe; 32
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { noiseBursts, TEST_RATE } from "../../apps/server/src/stage/testing/sounds.ts";
import { followLive } from "../analysis/follow-live.ts";
import { songsOf, type Song } from "../analysis/songs.ts";
import { lightOf, play, STEP_LAMPS, stepsOf, type Played } from "./play-sound.ts";

const { values } = parseArgs({
  options: {
    songs: { type: "string", default: fileURLToPath(new URL("../../../shared/music-dev", import.meta.url)) },
    only: { type: "string" },
    seconds: { type: "string" },
    together: { type: "string", default: "3" },
    universes: { type: "string" },
    lamps: { type: "string", default: "32" },
  },
});
const FROM_SECONDS = 8;
const WINDOW_MS = 70;
/** The first strokes wake the ear; what they take is its start, not its work. */
const WAKING_STROKES = 5;
/** A beat this short before the end may be shown after the measurement has ended. */
const TAIL_SECONDS = 0.2;

interface Heard {
  readonly song: Song;
  readonly y: Float32Array;
}

const seconds = values.seconds === undefined ? Infinity : Number(values.seconds);
// Songs that play together are of like length, so that none plays alone for long.
const songs = songsOf(values.songs, values.only).toSorted((a, b) => (b.beats.at(-1) ?? 0) - (a.beats.at(-1) ?? 0));
if (values.universes === undefined) {
  await followSongs(Number(values.together));
  await strike();
} else await weigh(Number(values.universes), Number(values.lamps));
process.exit(0);

async function followSongs(together: number): Promise<void> {
  const all: number[] = [];
  const shares: number[] = [];
  const heads = ["song  genre          beats   held  median  |median|  p95   ear", "blocks late p99", "stage", "load"];
  console.log(`${together} at once; ms from the sound of a beat to the packet that shows it\n\n${heads.join("  ")}`);
  for (let i = 0; i < songs.length; i += together) {
    const batch = await Promise.all(songs.slice(i, i + together).map(hear));
    const played = await Promise.all(batch.map(({ y }) => play(y, { plan: "chase", universes: 1, lamps: STEP_LAMPS })));
    const load = loadavg()[0]!;
    for (const [n, { song, y }] of batch.entries()) {
      const { started, packets, lateMs, cores } = played[n]!;
      const beats = beatsOf(song, y);
      const errors = errorsOf(
        beats,
        stepsOf(packets).map((ms) => (ms - started) / 1000),
      );
      const ear = errorsOf(beats, followLive(y, TEST_RATE).beats);
      all.push(...errors);
      shares.push(errors.length / beats.length);
      console.log(
        [
          song.id.padEnd(5),
          song.genre.padEnd(14),
          String(beats.length).padStart(5),
          shares.at(-1)!.toFixed(2).padStart(6),
          medianOf(errors).toFixed(1).padStart(7),
          medianOf(errors.map(Math.abs)).toFixed(1).padStart(8),
          percentileOf(errors.map(Math.abs), 0.95).toFixed(0).padStart(5),
          (ear.length / beats.length).toFixed(2).padStart(6),
          percentileOf(lateMs, 0.99).toFixed(1).padStart(15),
          `${(100 * cores).toFixed(0)} %`.padStart(7),
          load.toFixed(1).padStart(5),
        ].join(" "),
      );
    }
  }
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const sizes = all.map(Math.abs);
  console.log(
    `\nheld ${mean.toFixed(3)}; ${shares.filter((share) => share >= 0.8).length} of ${shares.length} songs hold 80 %;` +
      ` median ${medianOf(all).toFixed(1)} ms, of its size ${medianOf(sizes).toFixed(1)} ms, p95 ${percentileOf(sizes, 0.95).toFixed(1)} ms`,
  );
}

/** Bursts of noise: how soon a rise of loudness is light, without any beat. */
async function strike(universes = 1, lamps = STEP_LAMPS): Promise<void> {
  const [strokes, perSecond] = [25, 1.5];
  const y = noiseBursts(perSecond, strokes / perSecond, 0.1);
  const { started, packets } = await play(y, { plan: "snap", universes, lamps });
  const rigLight = (packet: Played["packets"][number]) =>
    Array.from({ length: STEP_LAMPS }, (_, lamp) => lightOf(packet, lamp)).reduce((sum, light) => sum + light, 0);
  const delays = Array.from({ length: strokes - WAKING_STROKES - 1 }, (_, n) => {
    const struck = started + (1000 * (n + WAKING_STROKES)) / perSecond;
    const before = rigLight(packets.findLast(({ ms }) => ms <= struck)!);
    return (packets.find((packet) => packet.ms > struck && rigLight(packet) > before + 150)?.ms ?? Infinity) - struck;
  });
  console.log(
    `a stroke after quiet: median ${medianOf(delays).toFixed(1)} ms, p95 ${percentileOf(delays, 0.95).toFixed(1)} ms from its sound to the packet that shows it (${delays.length})`,
  );
}

async function weigh(universes: number, lamps: number): Promise<void> {
  const { y } = await hear(songs[0]!);
  const { cores, packets } = await play(y, { plan: "planned", universes, lamps });
  const took = packets.at(-1)!.ms - packets[0]!.ms;
  console.log(
    `${universes} universes, ${universes * lamps} lamps, ${(took / 1000).toFixed(0)} s of ${songs[0]!.id}:` +
      ` the stage took ${(100 * cores).toFixed(1)} % of a core; ${((1000 * packets.length) / took).toFixed(1)} packets a second in universe 1; load ${loadavg()[0]!.toFixed(1)}`,
  );
  await strike(universes, lamps);
}

async function hear(song: Song): Promise<Heard> {
  const { left, right } = await decodeAudio(song.path, { ffmpeg: process.env["FFMPEG"] ?? "ffmpeg" });
  const end = Math.min(left.length, seconds * TEST_RATE);
  return { song, y: left.subarray(0, end).map((value, n) => (value + right[n]!) / 2) };
}

function beatsOf({ beats }: Song, y: Float32Array): number[] {
  return beats.filter((t) => t >= FROM_SECONDS && t < y.length / TEST_RATE - TAIL_SECONDS);
}

/** How far off the nearest of what was shown is, ms, of the beats that are held. */
function errorsOf(beats: readonly number[], shown: readonly number[]): number[] {
  const nearest = (beat: number) =>
    shown.reduce((best, time) => (Math.abs(time - beat) < Math.abs(best) ? time - beat : best), Infinity);
  return beats.map((beat) => 1000 * nearest(beat)).filter((error) => Math.abs(error) <= WINDOW_MS);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

function percentileOf(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? Number.NaN;
}
