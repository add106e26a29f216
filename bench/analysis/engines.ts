/** Ours and the free trackers it is compared with. Each hears the same samples, on one core, in a process of its own. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import beatTrack from "@audio/beat-track";
import MusicTempo from "music-tempo";
import { analyseSong } from "../../packages/analysis/src/index.ts";

export interface Pcm {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly sampleRate: number;
}

/** What one engine concludes; fields it does not offer are missing. Times are seconds. */
export interface Answer {
  readonly beats: readonly number[];
  /** BPM; 0 when it found none. */
  readonly tempo: number;
  readonly downbeats?: readonly number[];
  readonly key?: string;
  /** Starts of sections. */
  readonly sections?: readonly number[];
  /** What the sections are. */
  readonly labels?: readonly { readonly start: number; readonly end: number; readonly label: string }[];
  readonly drops?: readonly number[];
  /** How much singing there seems to be, 0..1, at `rate` per second. */
  readonly vocals?: { readonly rate: number; readonly presence: readonly number[] };
  /** CPU seconds of the analysis alone, decoding left out: wall time would measure who else uses the machine. */
  readonly seconds: number;
}

/** A song as engines get it. */
export interface Heard {
  readonly pcm: Pcm;
  /** The same samples, 16-bit stereo WAV. */
  readonly wav: string;
}

export interface Engine {
  readonly name: string;
  /** Engines that find the beat by one method are no independent witnesses of each other. */
  readonly method: string;
  /** Ours, and who is put in its place: no voice in what the peers agree on. */
  readonly isContender?: boolean;
  /** Part of the key under which answers are kept. */
  readonly version: string;
  /** What to install when it cannot run here. */
  readonly missing?: string;
  readonly analyse: (heard: Heard) => Answer;
}

export const OURS = "followspot";
const HERE = fileURLToPath(new URL(".", import.meta.url));

export const followspot: Engine = {
  name: OURS,
  method: "ours",
  isContender: true,
  version: "",
  analyse: ({ pcm }) => {
    const start = process.cpuUsage();
    const song = analyseSong(pcm, { songId: "bench" });
    const seconds = cpuSeconds(start);
    return {
      beats: song.beats,
      tempo: song.tempo,
      downbeats: song.downbeats,
      key: song.key,
      sections: song.structure.sections.map((s) => s.start),
      labels: song.structure.sections,
      drops: song.drop_predictions.filter((d) => d.type === "drop").map((d) => d.time),
      vocals: { rate: 1 / song.vocals.presence.hop_seconds, presence: song.vocals.presence.values },
      seconds,
    };
  },
};

const musicTempo: Engine = {
  name: "music-tempo",
  method: "agents (S. Dixon, 2001)",
  version: "1.0.3",
  analyse: ({ pcm }) => {
    const mono = mixDown(pcm);
    const start = process.cpuUsage();
    // Its agents die after 10 s without a beat and it throws when none is left: a quiet intro or break is enough.
    const { beats, tempo } = new MusicTempo(mono, { expiryTime: Infinity });
    return { beats, tempo: Number(tempo), seconds: cpuSeconds(start) };
  },
};

const audioBeatTrack: Engine = {
  name: "audio beat-track",
  method: "dynamic programming (D. Ellis, 2007)",
  version: "1.0.3",
  analyse: ({ pcm }) => {
    const mono = mixDown(pcm);
    const start = process.cpuUsage();
    const { beats, bpm } = beatTrack(mono, { fs: pcm.sampleRate });
    return { beats: [...beats], tempo: bpm, seconds: cpuSeconds(start) };
  },
};

function mixDown({ left, right }: Pcm): Float32Array {
  return left.map((v, n) => (v + right[n]!) / 2);
}

function cpuSeconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Ours first, then every peer, installed or not. */
export function findEngines(cache: string): Engine[] {
  const essentias = ["degara", "multifeature"].map(essentia);
  return [followspot, musicTempo, audioBeatTrack, beatPrinter(aubio), ...essentias, qmDsp(join(cache, "build"))];
}

/** Of a tracker that is given a WAV file and prints the times of its beats, s, one at the start of each line. */
export interface BeatPrinter {
  readonly name: string;
  /** Program and arguments; the file comes last. */
  readonly command: readonly string[];
  readonly method?: string;
  readonly version?: string;
  /** What to install when the program cannot be started. */
  readonly from?: string;
}

export function beatPrinter({ name, command, method = name, version, from }: BeatPrinter): Engine {
  const isHere = spawnSync(command[0]!, ["--help"], { stdio: "ignore" }).error === undefined;
  return {
    name,
    method,
    version: version ?? createHash("sha1").update(command.join(" ")).digest("hex").slice(0, 8),
    ...(isHere ? {} : { missing: from ?? `${command[0]} cannot be started` }),
    analyse: ({ wav }) => {
      // `times` prints the CPU time of the shell, then of its children: user, system.
      const run = spawnSync("sh", ["-c", '"$@" && times >&2', "sh", ...command, wav], { encoding: "utf8" });
      if (run.status !== 0) throw new Error(`it ended with ${run.status ?? run.signal}: ${run.stderr.slice(-300)}`);
      const beats = run.stdout.split("\n").filter(Boolean).map(parseFloat);
      if (!beats.every(Number.isFinite)) throw new Error("it printed lines that do not begin with a time");
      const [user, system] = [
        ...run.stderr
          .trim()
          .split("\n")
          .at(-1)!
          .matchAll(/(\d+)m([\d.]+)s/g),
      ].map(([, minutes, seconds]) => 60 * Number(minutes) + Number(seconds));
      return { beats, tempo: tempoOf(beats), seconds: user! + system! };
    },
  };
}

const aubio: BeatPrinter = {
  name: "aubio",
  command: ["aubiotrack", "-i"],
  method: "causal tracking (M. Davies and M. Plumbley, 2004)",
  version: "0.4.9",
  from: "apt-get install aubio-tools",
};

function essentia(variant: string): Engine {
  const folder = join(HERE, "peers");
  const isHere = () => existsSync(join(folder, "node_modules/essentia.js"));
  if (!isHere()) spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: folder, stdio: "ignore" });
  const keyToo = variant === "degara";
  return {
    name: `essentia ${variant}`,
    // The second runs the first on five kinds of onsets and answers with one of them, often the first's own.
    method: "reliability-informed tracking (N. Degara et al., 2012)",
    version: "0.1.3",
    ...(isHere() ? {} : { missing: "npm ci --prefix bench/analysis/peers (it could not reach the registry)" }),
    analyse: ({ wav }) => {
      const { key, ...answer } = askProgram(process.execPath, [join(folder, "essentia.ts"), wav, variant]);
      // Both variants come with the same key; it is counted once.
      return keyToo && key ? { ...answer, key } : answer;
    },
  };
}

const COMPILER = "g++";

function qmDsp(build: string): Engine {
  const source = join(HERE, "peers/qm.cpp");
  const program = join(build, "qm");
  if (!existsSync(program) || statSync(program).mtimeMs < statSync(source).mtimeMs) {
    mkdirSync(build, { recursive: true });
    spawnSync(COMPILER, ["-O2", "-I/usr/include/qm-dsp", source, "-lqm-dsp", "-o", program], { stdio: "ignore" });
  }
  return {
    name: "qm-dsp",
    method: "context-dependent tracking (M. Davies and M. Plumbley, 2007)",
    version: "1.7.1",
    ...(existsSync(program) ? {} : { missing: "apt-get install g++ libqm-dsp-dev" }),
    analyse: ({ wav }) => {
      const answer = askProgram(program, [wav]);
      return { ...answer, tempo: tempoOf(answer.beats) };
    },
  };
}

function askProgram(program: string, args: readonly string[]): Answer {
  const run = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 26 });
  if (run.status !== 0) throw new Error(`it ended with ${run.status ?? run.signal}: ${run.stderr.slice(0, 300)}`);
  return JSON.parse(run.stdout) as Answer;
}

/** Tempo of an engine that gives beats only: 60 over the median interval. */
export function tempoOf(beats: readonly number[]): number {
  const intervals = beats.slice(1).map((t, i) => t - beats[i]!);
  intervals.sort((a, b) => a - b);
  return intervals.length === 0 ? 0 : 60 / intervals[Math.floor(intervals.length / 2)]!;
}

export interface Heeded {
  readonly answer: Answer;
  /** It was read from an earlier run, its time with it. */
  readonly isCached: boolean;
}

/**
 * Ask a peer, or recall what it said about these very samples; ours is asked every time.
 * A peer that fails has found nothing: that is its answer, and the run goes on.
 */
export function ask(engine: Engine, heard: Heard, songHash: string, cache: string, isFresh: boolean): Heeded {
  const folder = join(cache, "peers");
  const kept = join(folder, `${songHash}-${engine.name.replace(" ", "-")}-${engine.version}.json`);
  if (engine.name !== OURS && !isFresh && existsSync(kept))
    return { answer: JSON.parse(readFileSync(kept, "utf8")) as Answer, isCached: true };
  let answer: Answer;
  try {
    answer = engine.analyse(heard);
  } catch (error) {
    console.error(`${engine.name} failed: ${String(error)}`);
    answer = { beats: [], tempo: 0, seconds: 0 };
  }
  if (engine.name !== OURS) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(kept, JSON.stringify(answer));
  }
  return { answer, isCached: false };
}

export function hashOf(path: string): string {
  return createHash("sha1").update(readFileSync(path)).digest("hex").slice(0, 16);
}
