import { wavHeader } from "../songs/audio/wav.ts";

const RATE = 44_100;

/**
 * Synthesizes a song with known ground truth: kick on every beat, snare on the second and fourth, hats between, a bass
 * note per bar and chords in the loud middle part; four beats per bar from the first sample.
 *
 * @param seconds duration
 * @param bpm beats per minute
 * @returns a 16-bit stereo WAV file
 */
export function synthesiseSong(seconds: number, bpm: number): Buffer {
  const count = Math.round(seconds * RATE);
  const beat = (60 / bpm) * RATE;
  const samples = new Float32Array(count);
  let noise = 1;
  for (let i = 0; i < count; i++) {
    const inBeat = i % beat;
    const bar = Math.floor(i / (4 * beat));
    const isLoud = i > count / 3 && i < (2 * count) / 3;
    noise = (Math.imul(noise, 1664525) + 1013904223) | 0;
    const t = i / RATE;
    const kick =
      Math.sin((2 * Math.PI * 55 * inBeat) / RATE) *
      Math.exp(-inBeat / (0.08 * RATE)) *
      (i % (4 * beat) < beat ? 0.7 : 0.5);
    const hat = (noise / 2 ** 31) * Math.exp(-((i + beat / 2) % beat) / (0.02 * RATE)) * 0.1;
    const snare = i % (2 * beat) >= beat ? (noise / 2 ** 31) * Math.exp(-inBeat / (0.06 * RATE)) * 0.35 : 0;
    const root = 110 * 2 ** ([0, 5, 7, 5][bar % 4]! / 12);
    const bass = Math.sin(2 * Math.PI * root * t) * 0.15;
    const chord = isLoud
      ? [2, 2 * 2 ** (4 / 12), 2 * 2 ** (7 / 12)].reduce(
          (sum, ratio) => sum + Math.sin(2 * Math.PI * root * ratio * t),
          0,
        ) * 0.08
      : 0;
    samples[i] = kick + snare + hat + bass + chord;
  }
  return wavOf(samples);
}

function wavOf(mono: Float32Array): Buffer {
  const data = Buffer.alloc(mono.length * 4);
  mono.forEach((value, i) => {
    const level = Math.round(Math.max(-1, Math.min(1, value)) * 32_000);
    data.writeInt16LE(level, i * 4);
    data.writeInt16LE(level, i * 4 + 2);
  });
  return Buffer.concat([wavHeader(mono.length, RATE), data]);
}
