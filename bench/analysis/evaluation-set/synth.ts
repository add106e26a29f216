/**
 * A small synthesiser: club drums, subtractive voices and a singer made of formants. It needs no sound font, so its
 * songs can be made everywhere, and it shares no code or sound with what trains the product.
 */
import type { Style } from "./genres.ts";
import { hash, seededChance, type Chance, type Drum, type Hit, type Note, type Riser, type Score } from "./score.ts";

export const RATE = 44_100;

export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export function silence(seconds: number): Stereo {
  const samples = Math.ceil(seconds * RATE);
  return { left: new Float32Array(samples), right: new Float32Array(samples) };
}

/** Add one sound to another, from its start. */
export function mixInto(target: Stereo, source: Stereo, gain = 1): void {
  const samples = Math.min(target.left.length, source.left.length);
  for (let i = 0; i < samples; i++) {
    target.left[i]! += gain * source.left[i]!;
    target.right[i]! += gain * source.right[i]!;
  }
}

/** Play a whole score with machines: drums dry, the rest through a room and pumped by the kick. */
export function playSynth(score: Score, style: Style): Stereo {
  const mix = silence(score.seconds);
  const music = silence(score.seconds);
  const chance = seededChance(hash(style.genre));
  for (const note of score.notes) {
    const patch = patchFor(note, style);
    if (patch) playNote(music, note, patch);
  }
  addRoom(music, 0.25);
  if (style.drums.some(([drum, , pattern]) => drum === "kick" && pattern.startsWith("x...x")))
    duck(
      music,
      score.hits.filter((h) => h.drum === "kick"),
    );
  mixInto(mix, music);
  for (const hit of score.hits) playHit(mix, hit, chance);
  for (const riser of score.risers) playRiser(mix, riser, chance);
  return mix;
}

interface Patch {
  readonly wave: "saw" | "square" | "sine";
  /** Detuned copies, cents apart. */
  readonly cents: readonly number[];
  readonly attack: number;
  /** Time constant after which the note has decayed, s; Infinity holds. */
  readonly decay: number;
  readonly release: number;
  /** Cut-off of the low-pass: rest, and how much the attack opens it, Hz; time constant, s. */
  readonly cutoff: number;
  readonly opening: number;
  readonly closing: number;
  /** Cut-off swings this often per second. */
  readonly wobbleHz?: number;
  readonly gain: number;
  readonly width: number;
}

const PATCHES = {
  sub: {
    wave: "sine",
    cents: [0],
    attack: 0.006,
    decay: 1.5,
    release: 0.05,
    cutoff: 900,
    opening: 0,
    closing: 1,
    gain: 0.5,
    width: 0,
  },
  saw: {
    wave: "saw",
    cents: [0, 6],
    attack: 0.003,
    decay: 0.6,
    release: 0.03,
    cutoff: 350,
    opening: 1800,
    closing: 0.09,
    gain: 0.3,
    width: 0,
  },
  wobble: {
    wave: "saw",
    cents: [-9, 0, 9],
    attack: 0.004,
    decay: 8,
    release: 0.04,
    cutoff: 250,
    opening: 2200,
    closing: 1,
    wobbleHz: 3.5,
    gain: 0.28,
    width: 0.2,
  },
  pad: {
    wave: "saw",
    cents: [-11, 0, 12],
    attack: 0.25,
    decay: Infinity,
    release: 0.4,
    cutoff: 1400,
    opening: 0,
    closing: 1,
    gain: 0.05,
    width: 0.8,
  },
  pluck: {
    wave: "square",
    cents: [-5, 5],
    attack: 0.002,
    decay: 0.18,
    release: 0.05,
    cutoff: 700,
    opening: 4500,
    closing: 0.08,
    gain: 0.11,
    width: 0.5,
  },
  lead: {
    wave: "saw",
    cents: [-8, 0, 8],
    attack: 0.008,
    decay: 3,
    release: 0.08,
    cutoff: 2600,
    opening: 2500,
    closing: 0.3,
    gain: 0.11,
    width: 0.4,
  },
} satisfies Record<string, Patch>;

function patchFor({ player }: Note, style: Style): Patch | undefined {
  switch (player) {
    case "bass":
      return PATCHES[style.bassPatch ?? "saw"];
    case "comp":
      return PATCHES.pluck;
    case "pad":
      return PATCHES.pad;
    case "lead":
      return PATCHES.lead;
    case "choir":
    case "voice":
      return undefined;
  }
}

function playNote({ left, right }: Stereo, note: Note, patch: Patch): void {
  const start = Math.round(note.time * RATE);
  const held = note.seconds * RATE;
  const samples = Math.min(left.length - start, Math.ceil(held + 5 * patch.release * RATE));
  const hz = 440 * 2 ** ((note.pitch - 69) / 12);
  patch.cents.forEach((cents, n) => {
    const step = (hz * 2 ** (cents / 1200)) / RATE;
    const pan = patch.cents.length === 1 ? 0 : patch.width * ((2 * n) / (patch.cents.length - 1) - 1);
    const gain = (patch.gain * note.velocity) / Math.sqrt(patch.cents.length);
    const filter = new LowPass();
    let phase = (n * 0.37) % 1;
    for (let i = 0; i < samples; i++) {
      const t = i / RATE;
      if (i % 32 === 0) {
        const swing = patch.wobbleHz
          ? 0.5 - 0.5 * Math.cos(2 * Math.PI * patch.wobbleHz * t)
          : Math.exp(-t / patch.closing);
        filter.tune(patch.cutoff + patch.opening * swing * note.velocity);
      }
      phase += step;
      if (phase >= 1) phase -= 1;
      const level =
        Math.min(1, t / patch.attack) *
        Math.exp(-t / patch.decay) *
        (i > held ? Math.exp(-(i - held) / (patch.release * RATE)) : 1);
      const sample = gain * level * filter.next(wave(patch.wave, phase, step));
      left[start + i]! += sample * (1 - pan);
      right[start + i]! += sample * (1 + pan);
    }
  });
}

/** Band-limited by polynomial steps (V. Välimäki and A. Huovilainen, 2007). */
function wave(kind: Patch["wave"], phase: number, step: number): number {
  if (kind === "sine") return Math.sin(2 * Math.PI * phase);
  const saw = 2 * phase - 1 - smoothStep(phase, step);
  if (kind === "saw") return saw;
  const other = (phase + 0.5) % 1;
  return 0.7 * (saw - (2 * other - 1 - smoothStep(other, step)));
}

function smoothStep(phase: number, step: number): number {
  if (phase < step) {
    const x = phase / step;
    return 2 * x - x * x - 1;
  }
  if (phase > 1 - step) {
    const x = (phase - 1) / step;
    return x * x + 2 * x + 1;
  }
  return 0;
}

/** Second-order state-variable filter (A. Simper, 2013). */
class LowPass {
  private g = 0;
  private first = 0;
  private second = 0;

  tune(hz: number): void {
    this.g = Math.tan((Math.PI * Math.min(hz, 18_000)) / RATE);
  }

  next(x: number): number {
    const { g } = this;
    const band = (this.first + g * (x - this.second)) / (1 + g * (g + 1.1));
    const low = this.second + g * band;
    this.first = 2 * band - this.first;
    this.second = 2 * low - this.second;
    return low;
  }
}

function playHit(mix: Stereo, { drum, time, velocity }: Hit, chance: Chance): void {
  const sound = DRUM_SOUNDS[drum];
  if (!sound) return;
  const start = Math.round(time * RATE);
  const samples = Math.min(mix.left.length - start, Math.ceil(sound.seconds * RATE));
  let last = 0;
  let phase = 0;
  for (let i = 0; i < samples; i++) {
    const t = i / RATE;
    const noise = 2 * chance() - 1;
    // The difference of neighbours takes the low end out of the noise.
    const hiss = sound.isBright ? noise - last : noise;
    last = noise;
    phase += (sound.hz + sound.sweepHz * Math.exp(-t / 0.018)) / RATE;
    const value =
      velocity *
      (sound.tone * Math.sin(2 * Math.PI * phase) * Math.exp(-t / sound.toneDecay) +
        sound.noise * hiss * Math.exp(-t / sound.noiseDecay));
    mix.left[start + i]! += value;
    mix.right[start + i]! += value;
  }
}

interface DrumSound {
  readonly seconds: number;
  readonly hz: number;
  readonly sweepHz: number;
  readonly tone: number;
  readonly toneDecay: number;
  readonly noise: number;
  readonly noiseDecay: number;
  readonly isBright?: boolean;
}

const DRUM_SOUNDS: Partial<Record<Drum, DrumSound>> = {
  kick: { seconds: 0.4, hz: 46, sweepHz: 190, tone: 0.8, toneDecay: 0.13, noise: 0.1, noiseDecay: 0.004 },
  snare: { seconds: 0.3, hz: 185, sweepHz: 60, tone: 0.25, toneDecay: 0.06, noise: 0.32, noiseDecay: 0.08 },
  clap: { seconds: 0.3, hz: 0, sweepHz: 0, tone: 0, toneDecay: 1, noise: 0.38, noiseDecay: 0.07, isBright: true },
  rim: { seconds: 0.1, hz: 1650, sweepHz: 0, tone: 0.25, toneDecay: 0.012, noise: 0.12, noiseDecay: 0.006 },
  hat: { seconds: 0.1, hz: 0, sweepHz: 0, tone: 0, toneDecay: 1, noise: 0.16, noiseDecay: 0.022, isBright: true },
  open_hat: { seconds: 0.5, hz: 0, sweepHz: 0, tone: 0, toneDecay: 1, noise: 0.15, noiseDecay: 0.13, isBright: true },
  shaker: { seconds: 0.15, hz: 0, sweepHz: 0, tone: 0, toneDecay: 1, noise: 0.09, noiseDecay: 0.035, isBright: true },
  crash: { seconds: 2.2, hz: 0, sweepHz: 0, tone: 0, toneDecay: 1, noise: 0.16, noiseDecay: 0.6, isBright: true },
};

function playRiser(mix: Stereo, { time, seconds }: Riser, chance: Chance): void {
  const start = Math.round(time * RATE);
  const samples = Math.round(seconds * RATE);
  const filter = new LowPass();
  for (let i = 0; i < samples && start + i < mix.left.length; i++) {
    const share = i / samples;
    if (i % 64 === 0) filter.tune(300 * 40 ** share);
    const value = 0.22 * share * share * filter.next(2 * chance() - 1);
    mix.left[start + i]! += value;
    mix.right[start + i]! += value;
  }
}

/** Turn the music down at each kick; it is back after a quarter of a second. */
function duck({ left, right }: Stereo, kicks: readonly Hit[]): void {
  for (const { time } of kicks) {
    const start = Math.round(time * RATE);
    for (let i = 0; i < 0.25 * RATE && start + i < left.length; i++) {
      const gain = 0.35 + 0.65 * Math.sqrt(i / (0.25 * RATE));
      left[start + i]! *= gain;
      right[start + i]! *= gain;
    }
  }
}

const ROOM_SECONDS = [0.0297, 0.0371, 0.0411, 0.0437];

/** Four comb filters per side (M. Schroeder, 1962), mixed under the dry sound. */
function addRoom(sound: Stereo, wet: number): void {
  for (const [side, samples] of [sound.left, sound.right].entries()) {
    const echo = new Float32Array(samples.length);
    for (const seconds of ROOM_SECONDS) {
      const delay = Math.round((seconds + side * 0.0013) * RATE);
      const line = new Float32Array(delay);
      for (let i = 0; i < samples.length; i++) {
        const late = line[i % delay]!;
        line[i % delay] = samples[i]! + 0.78 * late;
        echo[i]! += late;
      }
    }
    for (let i = 0; i < samples.length; i++) samples[i]! += (wet / ROOM_SECONDS.length) * echo[i]!;
  }
}

/** Formants of five vowels of a tenor: frequency Hz, gain; after G. Fant (1960) and the Csound manual's table. */
const VOWELS = [
  [
    [650, 1],
    [1080, 0.5],
    [2650, 0.45],
    [2900, 0.4],
  ],
  [
    [400, 1],
    [1700, 0.2],
    [2600, 0.25],
    [3200, 0.2],
  ],
  [
    [290, 1],
    [1870, 0.18],
    [2800, 0.13],
    [3250, 0.1],
  ],
  [
    [400, 1],
    [800, 0.32],
    [2600, 0.25],
    [2800, 0.25],
  ],
  [
    [350, 1],
    [600, 0.1],
    [2700, 0.14],
    [2900, 0.2],
  ],
] as const;

/** Sing or rap the notes of voice and choir. A choir stands from left to right, low to high. */
export function sing(score: Score): Stereo {
  const voices = silence(score.seconds);
  const chance = seededChance(score.notes.length);
  let last: Note | undefined;
  for (const note of score.notes) {
    if (note.player !== "voice" && note.player !== "choir") continue;
    const isNear = last && note.player === "voice" && note.time - (last.time + last.seconds) < 0.1;
    singNote(voices, note, isNear ? last!.pitch : note.pitch - 1, chance);
    last = note;
  }
  addRoom(voices, 0.2);
  return voices;
}

function singNote({ left, right }: Stereo, note: Note, fromPitch: number, chance: Chance): void {
  const start = Math.round(note.time * RATE);
  const samples = Math.min(left.length - start, Math.ceil((note.seconds + 0.06) * RATE));
  const vowel = VOWELS[Math.floor(chance() * VOWELS.length)]!;
  const next = VOWELS[Math.floor(chance() * VOWELS.length)]!;
  const consonant = chance() < 0.75 ? 0.025 + 0.035 * chance() : 0;
  const pan = note.player === "choir" ? Math.max(-0.7, Math.min(0.7, (note.pitch - 57) / 20)) : 0;
  const bands = vowel.map(() => new BandPass());
  const vibratoHz = 5.2 + 0.8 * chance();
  const base = note.isRap ? note.pitch - 7 : note.pitch;
  let phase = chance();
  let breath = 0;
  for (let i = 0; i < samples; i++) {
    const t = i / RATE;
    const share = i / samples;
    if (i % 64 === 0)
      bands.forEach((band, n) => {
        const glide = note.isRap ? share : Math.max(0, 2 * share - 1) * 0.6;
        band.tune(vowel[n]![0] + glide * (next[n]![0] - vowel[n]![0]), 90 + 25 * n);
      });
    // Speech falls along a syllable; song glides into its note and then trembles.
    const bend = note.isRap ? 2.5 - 5 * share : (fromPitch - base) * Math.exp(-t / 0.035);
    const vibrato = note.isRap
      ? 0
      : 0.3 * Math.min(1, Math.max(0, (t - 0.18) / 0.25)) * Math.sin(2 * Math.PI * vibratoHz * t);
    const step = (440 * 2 ** ((base + bend + vibrato - 69) / 12)) / RATE;
    phase += step;
    if (phase >= 1) phase -= 1;
    const noise = 2 * chance() - 1;
    breath = 0.6 * breath + 0.4 * noise;
    const source = wave("saw", phase, step) + 0.12 * breath;
    let voiced = 0;
    for (const [n, band] of bands.entries()) voiced += vowel[n]![1] * band.next(source);
    const isVoiced = Math.min(1, Math.max(0, (t - consonant) / 0.03));
    const level = Math.min(1, (note.seconds + 0.06 - t) / 0.06);
    const hiss = t < consonant ? 0.16 * Math.sin((Math.PI * t) / consonant) * (noise - breath) : 0;
    const value = 0.5 * note.velocity * level * (isVoiced * voiced + hiss);
    left[start + i]! += value * (1 - pan);
    right[start + i]! += value * (1 + pan);
  }
}

/** State-variable band-pass with unit gain at its centre. */
class BandPass {
  private g = 0;
  private damping = 1;
  private first = 0;
  private second = 0;

  tune(hz: number, widthHz: number): void {
    this.g = Math.tan((Math.PI * hz) / RATE);
    this.damping = widthHz / hz;
  }

  next(x: number): number {
    const { g, damping } = this;
    const band = (this.first + g * (x - this.second)) / (1 + g * (g + damping));
    const low = this.second + g * band;
    this.first = 2 * band - this.first;
    this.second = 2 * low - this.second;
    return damping * band;
  }
}
