/** Music without truth: the tracker that agrees most with independent trackers is most likely right, where they agree at all. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { decodeAudio } from "../../apps/server/src/songs/audio/decode-audio.ts";
import { FeatureExtractor } from "../../packages/analysis/src/index.ts";
import { agree, cell, compare, FIGURES, meanOf, meet, printDuels, type Agreement, type Met } from "./agreement.ts";
import { ask, hashOf, OURS, tempoOf, type Answer, type Engine, type Pcm } from "./engines.ts";
import { encodeWav } from "./evaluation-set/wav.ts";
import { beatF, mean, tempoRight } from "./metrics.ts";

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
}

/**
 * Print, track by track, the mean mutual agreement of each tracker with the peers, ours never part of the consensus; then
 * ours beside each peer. Tracks without a consensus are listed and not counted.
 */
export async function compareOnRecordings(folder: string, options: RecordingOptions): Promise<void> {
  const { engines } = options;
  const ours = engines.findIndex((e) => e.name === OURS);
  const ofPeers = <T>(answers: readonly T[]) => answers.filter((_, n) => !engines[n]!.isContender);
  const names = Object.values(FIGURES).join(" / ");
  console.log(`Agreement with the other free trackers, ${names}, first ${HEARD_SECONDS} s of each recording`);
  console.log("".padEnd(34) + engines.map((e) => e.name.slice(0, 20).padStart(22)).join(""));
  const counted: Met[] = [];
  /** Beat F of ours at the level of most peers. */
  const levelled: number[] = [];
  const perGame = new Map<string, number>();
  for (const path of findTracks(folder)) {
    const game = relative(folder, path).split(sep)[0]!;
    const heard = perGame.get(game) ?? 0;
    if (heard === MOST_PER_GAME) continue;
    const pcm = await decodeStart(path, options.ffmpeg);
    if (!pcm) continue;
    perGame.set(game, heard + 1);
    const beats = listen(path, pcm, options);
    const met = meet(beats);
    const agreements = engines.map(({ method }, n) => agree(met[n]!, engines, [method]));
    const isAgreed = mean(ofPeers(agreements).map((a) => a.bits)) >= CONSENSUS_BITS;
    if (isAgreed) {
      counted.push(met);
      const moved = atLevelOfPeers(beats[ours]!, ofPeers(beats));
      const movedMet = beats.map((other) => compare(moved, other));
      levelled.push(agree(movedMet, engines).f);
    }
    printRow(`${game} ${basename(path)}`, agreements, isAgreed ? "" : "no consensus");
    const quarrel = quarrelOverHalfBeat(beats[ours]!, ofPeers(beats), pcm);
    if (quarrel) console.log(`  ${quarrel}`);
  }
  if (counted.length === 0) {
    console.log(
      `No music of ${SHORTEST_SECONDS} s or more on which the trackers agree lies in ${folder}: see README.md`,
    );
    return;
  }
  const means = engines.map(({ method }, n) => meanOf(counted.map((met) => agree(met[n]!, engines, [method]))));
  printRow(`mean of ${counted.length} with a consensus`, means, "");
  console.log(`Beat F of ours were it always at the level of most peers: ${mean(levelled).toFixed(2)}`);
  printDuels(counted, engines);
  console.log(`\nMean agreement of each two on these ${counted.length}`);
  engines.forEach(({ name }, n) => {
    const withEach = engines.map((_, m) => (m === n ? "" : cell(meanOf(counted.map((met) => met[n]![m]!)))));
    console.log(name.padEnd(34) + withEach.map((text) => text.padStart(22)).join(""));
  });
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

/** The beats that each engine finds. */
function listen(path: string, pcm: Pcm, options: RecordingOptions): Answer["beats"][] {
  const { engines, cache, isFresh } = options;
  const wav = join(cache, `heard-${process.pid}.wav`);
  writeFileSync(wav, encodeWav(pcm));
  const hash = `${hashOf(path)}-${HEARD_SECONDS}s`;
  const beats = engines.map((engine) => ask(engine, { pcm, wav }, hash, cache, isFresh).answer.beats);
  rmSync(wav);
  return beats;
}

/** The beats at twice or half their tempo where most peers have that: what still parts them is no matter of level. */
export function atLevelOfPeers(own: Answer["beats"], peers: readonly Answer["beats"][]): Answer["beats"] {
  const tempos = peers.map(tempoOf);
  const agreeing = (tempo: number) => tempos.filter((other) => tempoRight(other, tempo)).length;
  const wanted = tempos.reduce((most, tempo) => (agreeing(tempo) > agreeing(most) ? tempo : most));
  if (tempoRight(tempoOf(own), wanted)) return own;
  const every = (first: 0 | 1) => own.filter((_, i) => i % 2 === first);
  const doubled = own.flatMap((t, i) => (i + 1 < own.length ? [t, (t + own[i + 1]!) / 2] : [t]));
  const withPeers = (beats: Answer["beats"]) => mean(peers.map((times) => beatF(beats, times)));
  return [every(0), every(1), doubled]
    .filter((beats) => tempoRight(tempoOf(beats), wanted))
    .reduce((best, beats) => (withPeers(beats) > withPeers(best) ? beats : best), own);
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

function printRow(title: string, agreements: readonly Agreement[], remark: string): void {
  const columns = agreements.map((agreement) => cell(agreement).padStart(22));
  console.log(`${title.slice(-33).padEnd(34)}${columns.join("")}   ${remark}`.trimEnd());
}
