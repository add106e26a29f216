import * as instruments from "./instruments.ts";
import { RATE, type Instrument } from "./instruments.ts";
import { Noise } from "./noise.ts";
import { reverberated } from "./reverb.ts";
import {
  BEATS_PER_BAR,
  chordOf,
  notesOf,
  stepsOf,
  velocityOf,
  type DrumName,
  type Score,
  type ScoreSection,
} from "./score.ts";

/** Where a track lies and what is done to it. */
interface Track {
  readonly instrument: Instrument;
  readonly level: number;
  /** -1 left to 1 right. */
  readonly pan: number;
  /** Share that goes into the room. */
  readonly room: number;
  /** Milliseconds by which the right side is later: what makes it wide. */
  readonly width?: number;
  /** Goes down under the kick. */
  readonly ducks?: boolean;
  /** Driven through an amplifier. */
  readonly drive?: number;
}

const TRACKS = {
  kick: { instrument: instruments.kick, level: 0.78, pan: 0, room: 0 },
  snare: { instrument: instruments.snare, level: 1.1, pan: 0, room: 0.12 },
  clap: { instrument: instruments.clap, level: 0.8, pan: 0.05, room: 0.16 },
  hat: { instrument: instruments.hat, level: 0.6, pan: 0.25, room: 0.03 },
  open: { instrument: instruments.open, level: 0.6, pan: 0.25, room: 0.05 },
  ride: { instrument: instruments.ride, level: 0.75, pan: -0.3, room: 0.05 },
  shaker: { instrument: instruments.shaker, level: 0.7, pan: -0.35, room: 0.04 },
  tom: { instrument: instruments.tom, level: 0.7, pan: -0.1, room: 0.14 },
  crash: { instrument: instruments.crash, level: 0.7, pan: -0.15, room: 0.14 },
  riser: { instrument: instruments.riser, level: 0.55, pan: 0, room: 0.25, width: 9 },
  bass: { instrument: instruments.bass, level: 0.5, pan: 0, room: 0, ducks: true },
  pad: { instrument: instruments.pad, level: 0.8, pan: 0, room: 0.3, width: 13, ducks: true },
  strings: { instrument: instruments.strings, level: 0.8, pan: 0, room: 0.35, width: 15 },
  piano: { instrument: instruments.piano, level: 0.85, pan: -0.1, room: 0.2, width: 6 },
  stab: { instrument: instruments.stab, level: 0.75, pan: 0.1, room: 0.2, width: 8, ducks: true },
  guitar: { instrument: instruments.guitar, level: 0.34, pan: 0, room: 0.08, width: 19, drive: 9 },
  voice: { instrument: instruments.voice, level: 0.95, pan: 0, room: 0.24 },
  lead: { instrument: instruments.lead, level: 0.75, pan: 0, room: 0.22, width: 7 },
  bells: { instrument: instruments.bells, level: 0.55, pan: 0.2, room: 0.4 },
} as const satisfies Record<string, Track>;
type TrackName = keyof typeof TRACKS;

const SEED = 1;
/** What rings on after the last bar, seconds. */
const RINGS = 2.5;
/** Loudest sample of a song; louder ones are rounded off towards it. */
const CEILING = 0.92;

/**
 * Plays a score. Always the same samples on the same engine.
 * @returns two channels at {@link RATE}
 */
export function play(score: Score): { readonly left: Float32Array; readonly right: Float32Array } {
  const beat = 60 / score.bpm;
  const bars = score.sections.reduce((sum, section) => sum + section.bars, 0);
  const frames = Math.ceil((bars * BEATS_PER_BAR * beat + RINGS) * RATE);
  const tracks = new Map<TrackName, Float32Array>();
  const kicks: number[] = [];
  const noise = new Noise(SEED);
  /** Beats of the song to samples, with every second sixteenth late. */
  const sampleAt = (at: number) => {
    const step = Math.round(at * 4);
    const late = Math.abs(at * 4 - step) < 1e-6 && step % 2 === 1 ? (score.swing * beat) / 4 : 0;
    return Math.round((at * beat + late) * RATE);
  };
  const sound = (name: TrackName, at: number, beats: number, pitch: number, velocity: number, tone = 0.5) => {
    let track = tracks.get(name);
    if (!track) tracks.set(name, (track = new Float32Array(frames)));
    const hz = 440 * 2 ** ((pitch - 69) / 12);
    TRACKS[name].instrument(track, { from: sampleAt(at), seconds: beats * beat, hz, velocity, tone, noise });
    if (name === "kick") kicks.push(sampleAt(at));
  };
  let bar = 0;
  for (const section of score.sections) {
    playSection(section, bar * BEATS_PER_BAR, sound);
    bar += section.bars;
  }
  return mixed(tracks, frames, score, kicks);
}

type Sound = (track: TrackName, at: number, beats: number, pitch: number, velocity: number, tone?: number) => void;

const TOMS = [50, 47, 43, 40];
const BASS_STEPS: Readonly<Record<string, number>> = { x: 0, o: 12, f: 7 };
/** Chords are softer than one note of theirs by this. */
const CHORD_SHARE = 0.7;

function playSection(section: ScoreSection, start: number, sound: Sound): void {
  const { bars, chords, drums = {}, fill, crash, bass, chordParts = [], tunes = [], riser } = section;
  const names = chords.trim().split(/\s+/);
  if (crash) sound("crash", start, 1, 60, 1);
  if (riser) sound("riser", start, bars * BEATS_PER_BAR, 60, 1);
  for (let n = 0; n < bars; n++) {
    const at = start + n * BEATS_PER_BAR;
    const beaten = n === bars - 1 && fill ? fill : drums;
    for (const [drum, rhythm] of Object.entries(beaten) as [DrumName, string][])
      for (const [i, { step, sign }] of stepsOf(rhythm).entries())
        sound(drum, at + step / 4, 0.25, TOMS[i % TOMS.length]!, velocityOf(sign));
    const { root, notes } = chordOf(names[n % names.length]!);
    for (const { step, sign, steps } of bass ? stepsOf(bass) : [])
      sound("bass", at + step / 4, steps / 4, root + (BASS_STEPS[sign] ?? 0), sign === "o" ? 0.8 : 1);
    for (const { voice, rhythm, level, tone } of chordParts) {
      // Guitars play root, fifth and octave: more notes are noise once they are driven.
      const pitches = voice === "guitar" ? [root, root + 7, root + 12] : notes;
      for (const { step, sign, steps } of stepsOf(rhythm))
        for (const pitch of pitches)
          sound(voice, at + step / 4, steps / 4, pitch, level * CHORD_SHARE * velocityOf(sign), tone);
    }
  }
  for (const tune of tunes)
    for (const { at, beats, pitch, velocity } of notesOf(tune, bars))
      sound(tune.voice, start + at, beats * 0.96, pitch, velocity * tune.level, 0.6);
}

function mixed(tracks: ReadonlyMap<TrackName, Float32Array>, frames: number, score: Score, kicks: readonly number[]) {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  const room = new Float32Array(frames);
  const under = duckedBy(kicks, frames, score.ducking);
  for (const [name, samples] of tracks) {
    const track: Track = TRACKS[name];
    if (track.drive) amplify(samples, track.drive);
    const [l, r] = [Math.cos(((track.pan + 1) * Math.PI) / 4), Math.sin(((track.pan + 1) * Math.PI) / 4)];
    const late = Math.round(((track.width ?? 0) * RATE) / 1000);
    for (let i = 0; i < frames; i++) {
      const gain = track.level * (track.ducks ? under[i]! : 1);
      const x = gain * samples[i]!;
      left[i]! += l * x;
      right[i]! += r * (late > 0 && i >= late ? gain * samples[i - late]! : x);
      room[i]! += track.room * x;
    }
  }
  const wet = reverberated(room);
  for (let i = 0; i < frames; i++) {
    left[i]! += wet.left[i]!;
    right[i]! += wet.right[i]!;
  }
  return mastered(left, right);
}

/** How loud ducking tracks are at each sample, 1 where no kick is near. */
function duckedBy(kicks: readonly number[], frames: number, depth: number): Float32Array {
  const under = new Float32Array(frames).fill(1);
  if (depth === 0) return under;
  for (const kick of kicks)
    for (let i = 0; i < 0.4 * RATE && kick + i < frames; i++)
      under[kick + i] = Math.min(under[kick + i]!, 1 - depth * Math.exp((-7 * i) / RATE));
  return under;
}

/** An overdriven amplifier with its loudspeaker, which has neither the lowest nor the highest. */
function amplify(samples: Float32Array, drive: number): void {
  let low = 0;
  let dull = 0;
  let duller = 0;
  for (let i = 0; i < samples.length; i++) {
    low += 0.012 * (samples[i]! - low);
    const driven = Math.tanh(drive * (samples[i]! - low));
    dull += 0.42 * (driven - dull);
    duller += 0.42 * (dull - duller);
    samples[i] = duller;
  }
}

/** As loud as the ceiling allows; what is above it now and then is rounded off. */
function mastered(left: Float32Array, right: Float32Array) {
  const peaks: number[] = [];
  for (let i = 0; i < left.length; i += RATE / 100) {
    let most = 0;
    for (let k = i; k < Math.min(left.length, i + RATE / 100); k++)
      most = Math.max(most, Math.abs(left[k]!), Math.abs(right[k]!));
    peaks.push(most);
  }
  const usual = peaks.toSorted((a, b) => a - b)[Math.floor(peaks.length * 0.97)]! || 1;
  for (const side of [left, right])
    for (let i = 0; i < side.length; i++) side[i] = CEILING * Math.tanh((1.05 * side[i]!) / usual);
  return { left, right };
}
