/** Music without truth: whoever agrees most with independent trackers is most likely right. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { decodeAudio } from "../../apps/server/src/audio/decode-audio.ts";
import { ask, hashOf, OURS, type Answer, type Engine, type Pcm } from "./engines.ts";
import { encodeWav } from "./evaluation-set/wav.ts";
import { beatF, continuity, mean } from "./metrics.ts";

/** Where Debian's games keep their music. */
export const DEBIAN_MUSIC = "/usr/share/games";
/** Small packages with recorded or produced music; `apt-get download` and `dpkg-deb -x` are enough. */
const PACKAGES = "frozen-bubble-data pingus-data neverball-data xmoto-data asc-music extremetuxracer-data";

const MOST_TRACKS = 20;
const MOST_PER_FOLDER = 5;
const SHORTEST_SECONDS = 40;
/** Smaller files are sounds of the game. */
const LEAST_BYTES = 300_000;
/** Only the beginning is heard, so that no long track outweighs the patience of who waits. */
const HEARD_SECONDS = 120;

export interface RecordingOptions {
  readonly engines: readonly Engine[];
  readonly cache: string;
  readonly ffmpeg: string | undefined;
  readonly isFresh: boolean;
}

interface Agreement {
  readonly f: number;
  readonly amlt: number;
}

/**
 * Print, track by track, the mean mutual agreement of each tracker with the peers (A. Holzapfel et al., "Selective
 * sampling for beat tracking evaluation", IEEE TASLP 2012): beat F and, deaf to the metrical level, AMLt.
 */
export async function compareOnRecordings(folder: string, options: RecordingOptions): Promise<void> {
  const paths = findTracks(folder);
  const { engines } = options;
  console.log(`Agreement with the other free trackers, beat F / AMLt, first ${HEARD_SECONDS} s of each recording`);
  console.log("".padEnd(34) + engines.map((e) => e.name.slice(0, 20).padStart(22)).join("") + "   ours − best");
  const all: Agreement[][] = [];
  for (const path of paths) {
    if (all.length === MOST_TRACKS) break;
    const pcm = await decodeStart(path, options.ffmpeg);
    if (!pcm) continue;
    const beats = listen(path, pcm, options);
    const agreements = engines.map((engine) => agree(engine, beats));
    all.push(agreements);
    printTrack(relative(folder, path).replace(/^.*\/(?=[^/]+\/[^/]+$)/, ""), engines, agreements);
  }
  if (all.length === 0) {
    console.log(`No music of ${SHORTEST_SECONDS} s or more lies in ${folder}. Try: apt-get install ${PACKAGES}`);
    return;
  }
  const means = engines.map((_, n) => ({
    f: mean(all.map((track) => track[n]!.f)),
    amlt: mean(all.map((track) => track[n]!.amlt)),
  }));
  printTrack(`mean of ${all.length}`, engines, means);
  const ours = engines.findIndex((e) => e.name === OURS);
  const atLeast = (of: (agreement: Agreement) => number) =>
    all.filter((track) => of(track[ours]!) >= Math.max(...track.filter((_, n) => n !== ours).map(of))).length;
  console.log(
    `Ours at least as good as the best peer: beat F ${atLeast((a) => a.f)}, AMLt ${atLeast((a) => a.amlt)} of ${all.length}`,
  );
}

/** At most a few tracks per folder, so that no one game speaks for all. */
function findTracks(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ogg|mp3|flac|opus|m4a)$/i.test(name) && !/sound|sfx|voice/i.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= LEAST_BYTES)
    .sort();
  const perFolder = new Map<string, number>();
  return files.filter((path) => {
    const count = (perFolder.get(dirname(path)) ?? 0) + 1;
    perFolder.set(dirname(path), count);
    return count <= MOST_PER_FOLDER;
  });
}

/** @returns undefined when it is too short or no music file */
async function decodeStart(path: string, ffmpeg: string | undefined): Promise<Pcm | undefined> {
  try {
    const { left, right, sampleRate, seconds } = await decodeAudio(path, { ffmpeg });
    if (seconds < SHORTEST_SECONDS) return undefined;
    const end = HEARD_SECONDS * sampleRate;
    return { left: left.slice(0, end), right: right.slice(0, end), sampleRate };
  } catch (error) {
    console.error(`${basename(path)} is passed over: ${String(error)}`);
    return undefined;
  }
}

function listen(path: string, pcm: Pcm, { engines, cache, isFresh }: RecordingOptions): Map<string, Answer["beats"]> {
  const wav = join(cache, `heard-${process.pid}.wav`);
  writeFileSync(wav, encodeWav(pcm));
  const hash = `${hashOf(path)}-${HEARD_SECONDS}s`;
  const beats = new Map(engines.map((e) => [e.name, ask(e, { pcm, wav }, hash, cache, isFresh).answer.beats]));
  rmSync(wav);
  return beats;
}

/** Mean agreement with every peer but itself; ours is never part of the consensus. */
function agree({ name }: Engine, beats: ReadonlyMap<string, Answer["beats"]>): Agreement {
  const own = beats.get(name)!;
  const others = [...beats].filter(([other]) => other !== name && other !== OURS).map(([, times]) => times);
  return {
    f: mean(others.map((times) => beatF(own, times))),
    amlt: mean(others.map((times) => (continuity(own, times).amlt + continuity(times, own).amlt) / 2)),
  };
}

function printTrack(title: string, engines: readonly Engine[], agreements: readonly Agreement[]): void {
  const ours = engines.findIndex((e) => e.name === OURS);
  const ahead = (of: (agreement: Agreement) => number) => {
    const margin = of(agreements[ours]!) - Math.max(...agreements.filter((_, n) => n !== ours).map(of));
    return `${margin >= 0 ? "+" : ""}${margin.toFixed(2)}`;
  };
  const pairs = agreements.map(({ f, amlt }) => `${f.toFixed(2)} / ${amlt.toFixed(2)}`.padStart(22));
  console.log(`${title.slice(-33).padEnd(34)}${pairs.join("")}   ${ahead((a) => a.f)} / ${ahead((a) => a.amlt)}`);
}
