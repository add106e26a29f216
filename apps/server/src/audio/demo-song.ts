import { setImmediate as breathe } from "node:timers/promises";
import { wavHeader, wavBody } from "./wav.ts";

const RATE = 44_100;
const BPM = 124;
const BEAT = Math.round((60 / BPM) * RATE);
const BAR = 4 * BEAT;
/** Roots of the four bars that go round, in Hz: A, F, C, G. */
const ROOTS = [110, 87.31, 130.81, 98] as const;
/** A minor triad over the first root, major ones over the others: ratios of its notes. */
const MINOR = [1, 2 ** (3 / 12), 2 ** (7 / 12)] as const;
const MAJOR = [1, 2 ** (4 / 12), 2 ** (7 / 12)] as const;

/** How loud each voice is in a section. */
interface Section {
  readonly bars: number;
  readonly kick: number;
  readonly snare: number;
  readonly hat: number;
  readonly bass: number;
  readonly pad: number;
  readonly lead: number;
  /** Rises over the section: noise and a roll on the snare. */
  readonly riser: number;
}

const SONG: readonly Section[] = [
  { bars: 4, kick: 0, snare: 0, hat: 0.05, bass: 0, pad: 0.5, lead: 0, riser: 0 },
  { bars: 8, kick: 0.5, snare: 0.15, hat: 0.1, bass: 0.5, pad: 0.3, lead: 0, riser: 0 },
  { bars: 4, kick: 0.3, snare: 0, hat: 0.1, bass: 0, pad: 0.4, lead: 0.2, riser: 1 },
  { bars: 8, kick: 0.8, snare: 0.35, hat: 0.2, bass: 1, pad: 0.3, lead: 0.8, riser: 0 },
  { bars: 4, kick: 0, snare: 0, hat: 0, bass: 0.2, pad: 0.6, lead: 0.3, riser: 0.4 },
  { bars: 8, kick: 0.8, snare: 0.35, hat: 0.2, bass: 1, pad: 0.4, lead: 1, riser: 0 },
  { bars: 2, kick: 0, snare: 0, hat: 0, bass: 0, pad: 0.4, lead: 0, riser: 0 },
];

/**
 * A song of our own to try lamps with: an intro, a verse, builds and drops, {@link SONG}. Always the same samples, and
 * made bar by bar, so that others are served meanwhile.
 *
 * @returns a 16-bit stereo WAV file of 73.5 s
 */
export async function synthesiseDemo(): Promise<Buffer> {
  const bars = SONG.reduce((sum, section) => sum + section.bars, 0);
  const parts = [wavHeader(bars * BAR, RATE) as Uint8Array];
  const bar = { left: new Float32Array(BAR), right: new Float32Array(BAR) };
  let noise = 1;
  let at = 0;
  for (const section of SONG) {
    for (let n = 0; n < section.bars; n++) {
      noise = playBar(bar.left, bar.right, section, at, n / section.bars, noise);
      parts.push(wavBody(bar.left, bar.right));
      at++;
      await breathe();
    }
  }
  return Buffer.concat(parts);
}

/** One bar of a section. @returns the noise to go on with */
function playBar(
  left: Float32Array,
  right: Float32Array,
  section: Section,
  bar: number,
  progress: number,
  noise: number,
): number {
  const root = ROOTS[bar % ROOTS.length]!;
  const triad = bar % ROOTS.length === 0 ? MINOR : MAJOR;
  for (let i = 0; i < BAR; i++) {
    const t = (bar * BAR + i) / RATE;
    const inBeat = (i % BEAT) / RATE;
    const inEighth = (i % (BEAT / 2)) / RATE;
    const beat = Math.floor(i / BEAT);
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const hiss = noise / 2 ** 31;
    const kick = Math.sin(2 * Math.PI * (50 * inBeat + 6 * (1 - Math.exp(-inBeat * 30)))) * Math.exp(-inBeat * 9);
    const snare = beat % 2 === 1 ? hiss * Math.exp(-inBeat * 14) : 0;
    const hat = hiss * Math.exp(-inEighth * 45);
    const bass = Math.sin(2 * Math.PI * (root / 2) * t) * (0.5 + 0.5 * Math.min(1, inBeat * 6));
    const rise = section.riser * (progress + i / BAR / section.bars);
    const roll = hiss * Math.exp(-((i % (BEAT / 4)) / RATE) * 40) * rise;
    // The lead plays the triad up, a note on each eighth.
    const note = triad[Math.floor(i / (BEAT / 2)) % triad.length]! * root * 4;
    const lead = saw(note * t) * Math.exp(-inEighth * 7);
    const shared = section.kick * kick * 0.55 + section.bass * bass * 0.22 + section.snare * snare * 0.5 + roll * 0.25;
    const high = section.hat * hat * 0.5 + section.lead * lead * 0.14;
    // Voices of the chord lie to both sides.
    left[i] = shared + high * 0.9 + section.pad * 0.09 * (saw(root * 2 * t) + saw(root * 2 * triad[1] * t));
    right[i] = shared + high + section.pad * 0.09 * (saw(root * 2.004 * t) + saw(root * 2 * triad[2] * t));
  }
  return noise;
}

/** -1..1, soft at its edge. */
function saw(turns: number): number {
  const x = turns - Math.floor(turns);
  return Math.sin(2 * Math.PI * x) * 0.6 + Math.sin(4 * Math.PI * x) * 0.3 + Math.sin(6 * Math.PI * x) * 0.15;
}
