/**
 * Songs that people wrote down: MIDI files of Debian's games, whose tempo map says where their beats are, played by the
 * sound font of the evaluation set; and recordings of bands whose authors laid a tempo map under them for Frets on Fire.
 * No listener's ear and no tracker's habit is in this truth, and no composer of ours.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { parseMidi } from "midi-file";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { tempoOf } from "./engines.ts";
import { canPlayBands, master, playMidi, PLAYING_DELAY_SECONDS } from "./evaluation-set/perform.ts";
import { RATE, type Stereo } from "./evaluation-set/synth.ts";
import { encodeWav } from "./evaluation-set/wav.ts";
import type { Song } from "./songs.ts";

/** Where a piece's beats and bars are, seconds. */
export interface Grid {
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  /** Start of the first and of the last note. */
  readonly first: number;
  readonly last: number;
  /** Share of the notes on a sixteenth or a triplet, 0..1. */
  readonly kept: number;
}

/** Pieces played into the computer without its metronome: their grid says nothing about where beats are. */
const LEAST_KEPT = 0.85;
/** How far a note may be from its place on the grid, in quarters. */
const GRID_REACH = 1 / 40;
const SHORTEST_SECONDS = 45;
/** As much as is heard of a recording. */
const HEARD_SECONDS = 120;
/** A recording whose tempo map is `notes.mid`, and its lead guitar. */
const RECORDING = ["song.ogg", "guitar.ogg"] as const;
/** The first note begins a bar when it is so near, seconds. */
const ON_BAR_SECONDS = 0.03;

export interface WrittenSongs {
  readonly songs: readonly Song[];
  readonly complaints: readonly string[];
}

/**
 * Find the pieces of a folder and play them, or find them played.
 *
 * @param source a folder per package, anything in it
 * @param cache  folder that may be deleted any time
 */
export async function makeWrittenSongs(
  source: string,
  cache: string,
  ffmpeg: string | undefined,
): Promise<WrittenSongs> {
  mkdirSync(cache, { recursive: true });
  const hasBand = canPlayBands();
  const complaints: string[] = [];
  const songs: Song[] = [];
  for (const midi of findPieces(source)) {
    const recording = RECORDING.map((name) => join(dirname(midi), name)).filter((path) => existsSync(path));
    if (recording.length === 0 && !hasBand) continue;
    const genre = relative(source, midi).split(sep)[0]!;
    const id = basename(recording.length > 0 ? dirname(midi) : midi, ".mid");
    const leaveOut = (why: string) => complaints.push(`${genre} ${id} is left out: ${why}`);
    let grid: Grid | undefined;
    try {
      grid = readGrid(readFileSync(midi));
    } catch (error) {
      leaveOut(`it is no MIDI file (${String(error)})`);
    }
    if (!grid || grid.kept < LEAST_KEPT || grid.last < SHORTEST_SECONDS) continue;
    const path = join(cache, `${genre}-${id}.${ffmpeg ? "flac" : "wav"}`.replaceAll(" ", "-"));
    if (!existsSync(path)) {
      const sound = recording.length > 0 ? await mixed(recording, ffmpeg) : master(playMidi(midi, cache));
      if (sound.left.length < SHORTEST_SECONDS * RATE) {
        leaveOut("FluidSynth does not play it");
        continue;
      }
      save(sound, path, ffmpeg);
      console.error(`made ${path}`);
    }
    songs.push(songOf(grid, { id, genre, path, delay: recording.length > 0 ? 0 : PLAYING_DELAY_SECONDS }));
  }
  if (!hasBand) complaints.push("MIDI files are left out: apt-get install fluidsynth musescore-general-soundfont");
  return { songs, complaints };
}

function songOf(
  grid: Grid,
  { id, genre, path, delay }: Record<"id" | "genre" | "path", string> & { delay: number },
): Song {
  const heard = (times: readonly number[]) =>
    times
      .filter((t) => t > grid.first - ON_BAR_SECONDS && t < Math.min(grid.last, HEARD_SECONDS))
      .map((t) => t + delay);
  const beats = heard(grid.beats);
  // Who leaves a beat of silence before the music seldom counts it into the bars.
  const beginsBar = grid.downbeats.some((t) => Math.abs(t - grid.first) < ON_BAR_SECONDS);
  return {
    id,
    genre,
    path,
    tempo: tempoOf(beats),
    beats,
    ...(beginsBar ? { downbeats: heard(grid.downbeats) } : {}),
  };
}

function findPieces(source: string): string[] {
  if (!existsSync(source)) return [];
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.mid$/i.test(name))
    .map((name) => join(source, name))
    .sort();
}

/**
 * The grid of a Standard MIDI File: its tempo map and time signatures, compound time counted in dotted beats.
 *
 * @returns undefined for a file without notes, or whose clock does not count its beats
 */
export function readGrid(file: Uint8Array): Grid | undefined {
  const { header, tracks } = parseMidi(file);
  const quarter = header.ticksPerBeat;
  if (quarter === undefined) return undefined;
  const events = tracks
    .flatMap((track) => {
      let tick = 0;
      return track.map((event) => ({ tick: (tick += event.deltaTime), event }));
    })
    .sort((a, b) => a.tick - b.tick);

  const tempos = [{ tick: 0, seconds: 0, quarterSeconds: 0.5 }];
  const metres = [{ tick: 0, count: 4, unit: 4 }];
  const notes: number[] = [];
  for (const { tick, event } of events) {
    const { tick: since, seconds, quarterSeconds } = tempos.at(-1)!;
    if (event.type === "setTempo")
      tempos.push({
        tick,
        seconds: seconds + ((tick - since) / quarter) * quarterSeconds,
        quarterSeconds: event.microsecondsPerBeat / 1e6,
      });
    else if (event.type === "timeSignature") metres.push({ tick, count: event.numerator, unit: event.denominator });
    else if (event.type === "noteOn") notes.push(tick);
  }
  if (notes.length === 0) return undefined;

  const secondsAt = (tick: number) => {
    const { tick: since, seconds, quarterSeconds } = tempos.findLast((tempo) => tempo.tick <= tick)!;
    return seconds + ((tick - since) / quarter) * quarterSeconds;
  };
  const end = notes.at(-1)! + 1;
  const beats: number[] = [];
  const downbeats: number[] = [];
  for (const [n, { tick, count, unit }] of metres.entries()) {
    const isCompound = unit === 8 && count % 3 === 0;
    const step = (quarter * 4 * (isCompound ? 3 : 1)) / unit;
    const perBar = isCompound ? count / 3 : count;
    for (let beat = 0; tick + beat * step < Math.min(end, metres[n + 1]?.tick ?? end); beat++) {
      const at = secondsAt(tick + beat * step);
      beats.push(at);
      if (beat % perBar === 0) downbeats.push(at);
    }
  }
  const places = [0, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1];
  const isKept = (tick: number) => places.some((place) => Math.abs((tick % quarter) / quarter - place) <= GRID_REACH);
  return {
    beats,
    downbeats,
    first: secondsAt(notes[0]!),
    last: secondsAt(notes.at(-1)!),
    kept: notes.filter(isKept).length / notes.length,
  };
}

/** Files that sound together. */
async function mixed(paths: readonly string[], ffmpeg: string | undefined): Promise<Stereo> {
  const parts = await Promise.all(paths.map((path) => decodeAudio(path, { ffmpeg })));
  const longest = Math.max(...parts.map((part) => part.left.length));
  const side = (name: "left" | "right") =>
    Float32Array.from({ length: longest }, (_, i) => parts.reduce((sum, part) => sum + (part[name][i] ?? 0), 0));
  return master({ left: side("left"), right: side("right") });
}

/** Written beside its place and then moved there, so that what was interrupted is made again. */
function save({ left, right }: Stereo, path: string, ffmpeg: string | undefined): void {
  const end = HEARD_SECONDS * RATE;
  const wav = encodeWav({ left: left.slice(0, end), right: right.slice(0, end) });
  const part = `${path}.part`;
  if (ffmpeg) {
    const options = ["-nostdin", "-v", "error", "-y", "-f", "wav", "-i", "pipe:0", "-bitexact", "-f", "flac", part];
    const run = spawnSync(ffmpeg, options, { input: wav, stdio: ["pipe", "ignore", "pipe"] });
    if (run.status !== 0) throw new Error(`ffmpeg could not write ${part}: ${String(run.stderr)}`);
  } else writeFileSync(part, wav);
  renameSync(part, path);
}
