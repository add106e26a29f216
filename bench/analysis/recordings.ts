/**
 * Music without truth: whoever agrees most with independent trackers is most likely right, where they agree at all
 * (A. Holzapfel et al., "Selective sampling for beat tracking evaluation", IEEE TASLP 2012).
 */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { decodeAudio } from "../../apps/server/src/audio/decode-audio.ts";
import { FeatureExtractor } from "../../packages/analysis/src/index.ts";
import { ask, hashOf, OURS, type Answer, type Engine, type Pcm } from "./engines.ts";
import { encodeWav } from "./evaluation-set/wav.ts";
import { beatF, continuity, informationGain, mean } from "./metrics.ts";

/** Where Debian's games keep their music. */
export const DEBIAN_MUSIC = "/usr/share/games";

/** So that no one game speaks for all. */
const MOST_PER_GAME = 2;
/** Single players of a song whose others lie in other files. */
const PARTS = /(guitar|rhythm)\.\w+$/i;
const SHORTEST_SECONDS = 40;
/** Smaller files are sounds of the game. */
const LEAST_BYTES = 300_000;
/** Only the beginning is heard, so that no long track outweighs the patience of who waits. */
const HEARD_SECONDS = 120;
/**
 * Peers that gain less information from each other have no consensus: above it listeners accept the beats (J. Zapata et
 * al., "Assigning a confidence threshold on automatic beat annotation in large datasets", ISMIR 2012).
 */
const CONSENSUS_BITS = 1.5;
/** Ours and the peers are half a beat apart when moving ours by half a beat gains so much beat F. */
const HALF_BEAT_GAIN = 0.15;
/** Where bass drums and basses are. */
const BASS_HZ = 130;

export interface RecordingOptions {
  readonly engines: readonly Engine[];
  readonly cache: string;
  readonly ffmpeg: string | undefined;
  readonly isFresh: boolean;
  /** Where to write the beats of every engine, if anywhere. */
  readonly json: string | undefined;
}

interface Agreement {
  readonly f: number;
  readonly amlt: number;
}

/**
 * Print, track by track, the mean mutual agreement of each tracker with the peers, ours never part of the consensus:
 * beat F and, deaf to the metrical level and to beat or off-beat, AMLt. Tracks without a consensus are listed and not counted.
 */
export async function compareOnRecordings(folder: string, options: RecordingOptions): Promise<void> {
  const { engines } = options;
  const ours = engines.findIndex((e) => e.name === OURS);
  console.log(`Agreement with the other free trackers, beat F / AMLt, first ${HEARD_SECONDS} s of each recording`);
  console.log("".padEnd(34) + engines.map((e) => e.name.slice(0, 16).padStart(17)).join("") + "   ours - best   bits");
  const tracks: object[] = [];
  const counted: Agreement[][] = [];
  const perGame = new Map<string, number>();
  for (const path of findTracks(folder)) {
    const game = relative(folder, path).split(sep)[0]!;
    const heard = perGame.get(game) ?? 0;
    if (heard === MOST_PER_GAME) continue;
    const pcm = await decodeStart(path, options.ffmpeg);
    if (!pcm) continue;
    perGame.set(game, heard + 1);
    const beats = listen(path, pcm, options);
    const { [OURS]: own = [], ...peers } = Object.fromEntries(beats);
    const bits = mutualGain(Object.values(peers));
    const agreements = engines.map((engine) => agree(engine, beats));
    tracks.push({ path, bits, beats: Object.fromEntries(beats) });
    if (bits >= CONSENSUS_BITS) counted.push(agreements);
    const consensus = bits < CONSENSUS_BITS ? `${bits.toFixed(1)} no consensus` : bits.toFixed(1);
    printRow(`${game} ${basename(path)}`, agreements, ours, consensus);
    const quarrel = quarrelOverHalfBeat(own, Object.values(peers), pcm);
    if (quarrel) console.log(`  ${quarrel}`);
  }
  if (options.json) writeFileSync(options.json, JSON.stringify(tracks));
  if (counted.length === 0) {
    console.log(
      `No music of ${SHORTEST_SECONDS} s or more on which the trackers agree lies in ${folder}: see README.md`,
    );
    return;
  }
  const means = engines.map((_, n) => ({
    f: mean(counted.map((track) => track[n]!.f)),
    amlt: mean(counted.map((track) => track[n]!.amlt)),
  }));
  printRow(`mean of ${counted.length} with a consensus`, means, ours, "");
  const atLeast = (of: (agreement: Agreement) => number) =>
    counted.filter((track) => of(track[ours]!) >= Math.max(...track.filter((_, n) => n !== ours).map(of))).length;
  console.log(
    `Ours at least as good as the best peer of each: beat F ${atLeast((a) => a.f)}, AMLt ${atLeast((a) => a.amlt)} of ${counted.length}`,
  );
}

function findTracks(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ogg|mp3|flac|opus|m4a)$/i.test(name) && !PARTS.test(name))
    .map((name) => join(folder, name))
    .filter((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= LEAST_BYTES)
    .sort();
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

function listen(path: string, pcm: Pcm, options: RecordingOptions): Map<string, Answer["beats"]> {
  const { engines, cache, isFresh } = options;
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

/** Mean mutual information gain of some trackers, bits. */
function mutualGain(all: readonly Answer["beats"][]): number {
  return mean(all.flatMap((one, i) => all.slice(i + 1).map((other) => informationGain(one, other))));
}

/** Where ours and the peers take each other's off-beat for the beat: at whose beats the bass comes in. */
function quarrelOverHalfBeat(own: Answer["beats"], peers: readonly Answer["beats"][], pcm: Pcm): string | undefined {
  const halfWay = own.slice(1).map((t, i) => (t + own[i]!) / 2);
  const withPeers = (beats: Answer["beats"]) => mean(peers.map((times) => beatF(beats, times)));
  if (withPeers(halfWay) < withPeers(own) + HALF_BEAT_GAIN) return undefined;
  const [here, there] = bassRises(pcm, [own, halfWay]);
  return `half a beat from the peers: below ${BASS_HZ} Hz the sound rises by ${here!.toFixed(0)} dB at ours, ${there!.toFixed(0)} dB at theirs`;
}

/** Mean rise of the level below BASS_HZ around each list of times, dB. */
function bassRises({ left, right, sampleRate }: Pcm, lists: readonly Answer["beats"][]): number[] {
  const extractor = new FeatureExtractor(sampleRate);
  extractor.push(left, right);
  const { S, bandHz, hops, seconds } = extractor.finish();
  const basses = bandHz.filter((hz) => hz < BASS_HZ).length;
  const rate = hops / seconds;
  const level = (hop: number) => {
    const row = S.subarray(hop * bandHz.length, hop * bandHz.length + basses);
    return 10 * Math.log10(1e-6 + row.reduce((sum, v) => sum + v * v, 0));
  };
  const rise = (t: number) =>
    Math.max(
      ...[-3, -2, -1, 0, 1, 2, 3].map((d) => Math.round(t * rate) + d).map((hop) => level(hop) - level(hop - 2)),
    );
  const inside = (t: number) => t > 0.1 && t < seconds - 0.1;
  return lists.map((times) => mean(times.filter(inside).map(rise)));
}

function printRow(title: string, agreements: readonly Agreement[], ours: number, remark: string): void {
  const ahead = (of: (agreement: Agreement) => number) => {
    const margin = of(agreements[ours]!) - Math.max(...agreements.filter((_, n) => n !== ours).map(of));
    return `${margin >= 0 ? "+" : ""}${margin.toFixed(2)}`;
  };
  const pairs = agreements.map(({ f, amlt }) => `${f.toFixed(2)} / ${amlt.toFixed(2)}`.padStart(17));
  console.log(
    `${title.slice(-33).padEnd(34)}${pairs.join("")}   ${ahead((a) => a.f)} / ${ahead((a) => a.amlt)} ${remark}`,
  );
}
