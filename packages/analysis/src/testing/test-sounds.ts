/** Synthesized songs with known ground truth, for tests. */

export const RATE = 44_100;

/** Returns a repeatable stream of numbers 0..1 (mulberry32). */
export function seeded(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * RATE));
}

/** Adds a short burst of noise at a time. */
function addClick(y: Float32Array, at: number, level: number, random: () => number): void {
  const from = Math.round(at * RATE);
  for (let n = 0; n < 0.02 * RATE && from + n < y.length; n++) {
    y[from + n]! += level * (2 * random() - 1) * Math.exp(-n / (0.004 * RATE));
  }
}

/** Adds a decaying tone. */
function addTone(y: Float32Array, at: number, seconds: number, hz: number, level: number): void {
  const from = Math.round(at * RATE);
  for (let n = 0; n < seconds * RATE && from + n < y.length; n++) {
    const t = n / RATE;
    const gain = Math.min(1, t / 0.005) * Math.exp((-2 * t) / seconds) * Math.min(1, (seconds - t) / 0.01);
    y[from + n]! += level * gain * Math.sin(2 * Math.PI * hz * t);
  }
}

/** Adds a chord with four harmonics per note. @param pitches semitones from middle C */
export function addChord(
  y: Float32Array,
  at: number,
  seconds: number,
  pitches: readonly number[],
  level: number,
): void {
  for (const pitch of pitches) {
    const hz = 261.6256 * 2 ** (pitch / 12);
    for (let k = 1; k <= 4; k++) addTone(y, at, seconds, hz * k, level / k / k);
  }
}

/** Adds one note with sixteen harmonics that fall like those of a sawtooth. @param pitch semitones from middle C */
export function addSaw(y: Float32Array, at: number, seconds: number, pitch: number, level: number): void {
  const hz = 261.6256 * 2 ** (pitch / 12);
  for (let k = 1; k <= 16; k++) addTone(y, at, seconds, hz * k, level / k);
}

/** Returns clicks at a steady tempo from 0.5 s on. */
export function impulses(bpm: number, seconds: number): Float32Array {
  const y = silence(seconds);
  const random = seeded(bpm);
  for (let i = 0; 0.5 + (i * 60) / bpm < seconds - 0.1; i++) addClick(y, 0.5 + (i * 60) / bpm, 0.5, random);
  return y;
}

interface Band {
  readonly bpm: number;
  readonly beatsPerBar: number;
  readonly bars: number;
  /** Drum level of each bar, 0..1; 0 means no drums. */
  readonly drums?: (bar: number) => number;
  readonly bass?: (bar: number) => number;
}

/** Plays a kick on the first beat, a snare on the other strong beats, and a chord and a bass note per bar. */
export function playBand({ bpm, beatsPerBar, bars, drums = () => 1, bass = () => 1 }: Band): {
  y: Float32Array;
  downbeats: number[];
} {
  const beat = 60 / bpm;
  const y = silence(0.5 + bars * beatsPerBar * beat + 0.5);
  const random = seeded(bars);
  const roots = [0, -3, 5, 7];
  const downbeats: number[] = [];
  for (let bar = 0; bar < bars; bar++) {
    const start = 0.5 + bar * beatsPerBar * beat;
    downbeats.push(start);
    const root = roots[bar % 4]!;
    addChord(y, start, beatsPerBar * beat, [root, root + (root === -3 ? 3 : 4), root + 7], 0.06);
    for (let i = 0; i < beatsPerBar; i++) {
      const t = start + i * beat;
      const isKick = beatsPerBar === 4 ? i % 2 === 0 : i === 0;
      if (isKick) addTone(y, t, 0.15, 55, 0.5 * drums(bar));
      else addClick(y, t, 0.35 * drums(bar), random);
      addClick(y, t + beat / 2, 0.08 * drums(bar), random);
      if (i === 0) addTone(y, t, beat * 1.5, 82.4, 0.3 * bass(bar));
    }
  }
  return { y, downbeats };
}
