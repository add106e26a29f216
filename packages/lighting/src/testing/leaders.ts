import type { FrameRate } from "../time-code/time-code.ts";

/*
 * Synthetic leaders with known positions: MIDI time code, MIDI clock and linear time code. Written from the standards,
 * independently of the decoders, with no code in common.
 */
export interface Said {
  readonly bytes: Uint8Array;
  readonly atMs: number;
  /** Seconds since 00:00:00:00 at that moment. */
  readonly truth: number;
}

/** Code of a rate in MIDI time code, frame numbers per second, and frames per second. */
const RATES: Readonly<Record<FrameRate, readonly [code: number, frames: number, hz: number]>> = {
  "23.976": [0, 24, 24 / 1.001],
  "24": [0, 24, 24],
  "25": [1, 25, 25],
  "29.97": [3, 30, 30 / 1.001],
  "29.97df": [2, 30, 30 / 1.001],
  "30": [3, 30, 30],
};

export interface Run {
  readonly rate: FrameRate;
  /** First frame, counted since midnight. */
  readonly frame: number;
  /** Length of the run, seconds. */
  readonly seconds: number;
  readonly startMs?: number;
  /** 1 = original speed, −1 = reverse. */
  readonly speed?: number;
}

/** Returns the time code of a frame, found by counting from midnight minute by minute. */
export function numberOf(
  frame: number,
  rate: FrameRate,
): [hours: number, minutes: number, seconds: number, frames: number] {
  let left = frame;
  let minute = 0;
  const lengthOf = (m: number) => RATES[rate][1] * 60 - (rate === "29.97df" && m % 10 !== 0 ? 2 : 0);
  while (left >= lengthOf(minute)) left -= lengthOf(minute++);
  if (lengthOf(minute) < RATES[rate][1] * 60) left += 2;
  return [Math.floor(minute / 60), minute % 60, Math.floor(left / RATES[rate][1]), left % RATES[rate][1]];
}

/** Returns quarter frame messages from an even frame number on, one every quarter of a frame. */
export function quarterFrames({ rate, frame, seconds, startMs = 0, speed = 1 }: Run): Said[] {
  const quarters = Math.round(seconds * RATES[rate][2] * 4 * Math.abs(speed));
  return Array.from({ length: quarters }, (_, i) => {
    const quarter = frame * 4 + (speed < 0 ? -i : i);
    const piece = ((quarter % 8) + 8) % 8;
    const [hh, mm, ss, ff] = numberOf((quarter - piece) / 4, rate);
    const nibbles = [ff & 15, ff >> 4, ss & 15, ss >> 4, mm & 15, mm >> 4, hh & 15, (hh >> 4) | (RATES[rate][0] << 1)];
    return {
      bytes: Uint8Array.of(0xf1, (piece << 4) | nibbles[piece]!),
      atMs: startMs + (i * 250) / RATES[rate][2] / Math.abs(speed),
      truth: quarter / 4 / RATES[rate][2],
    };
  });
}

export function fullMessage(frame: number, rate: FrameRate): Uint8Array {
  const [hh, mm, ss, ff] = numberOf(frame, rate);
  return Uint8Array.of(0xf0, 0x7f, 0x7f, 1, 1, (RATES[rate][0] << 5) | hh, mm, ss, ff, 0xf7);
}

/** Returns the clocks of a leader at one tempo. */
export function clocks(bpm: number, count: number, startMs = 0): Said[] {
  const each = 60_000 / bpm / 24;
  return Array.from({ length: count }, (_, i) => ({
    bytes: Uint8Array.of(0xf8),
    atMs: startMs + i * each,
    truth: (i * 60) / bpm / 24,
  }));
}

export interface Sound {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  /** Returns the seconds since 00:00:00:00 at a time in the audio, seconds from its start. */
  truthAt(time: number): number;
}

export interface LinearRun extends Run {
  readonly sampleRate?: number;
  /** Half of the height of the signal, 0..1. */
  readonly level?: number;
  /** Level of white noise as a share of the signal. */
  readonly noise?: number;
  /** Smoothing of the edges, as by a long cable: share of the previous sample in each sample. */
  readonly blur?: number;
  readonly random?: () => number;
}

/** Returns linear time code as audio: a transition at the start of each bit, and in the middle of each 1. */
export function linearSound(run: LinearRun): Sound {
  const { rate, frame, seconds, speed = 1, sampleRate = 48_000, level = 0.5, noise = 0, blur = 0 } = run;
  const random = run.random ?? Math.random;
  const frameLength = sampleRate / RATES[rate][2] / Math.abs(speed);
  const frames = Math.ceil((seconds * sampleRate) / frameLength);
  const edges: number[] = [];
  for (let i = 0; i < frames; i++) {
    const bits = bitsOf(speed < 0 ? frame - 1 - i : frame + i, rate);
    if (speed < 0) bits.reverse();
    for (const [n, bit] of bits.entries()) {
      edges.push((i + n / 80) * frameLength);
      if (bit === 1) edges.push((i + (n + 0.5) / 80) * frameLength);
    }
  }
  edges.push(frames * frameLength);
  const samples = new Float32Array(Math.ceil(frames * frameLength) + 8);
  let [edge, sign, held] = [0, -1, 0];
  for (let n = 0; n < samples.length; n++) {
    // The mean over the sample gives edges within it the same accuracy as in a recording.
    let from = n - 0.5;
    let sum = 0;
    while (edge < edges.length && edges[edge]! < n + 0.5) {
      sum += sign * (Math.max(from, edges[edge]!) - from);
      from = Math.max(from, edges[edge]!);
      sign = -sign;
      edge++;
    }
    sum += sign * (n + 0.5 - from);
    held = held * blur + sum * (1 - blur);
    samples[n] = level * (held + noise * (random() * 2 - 1));
  }
  return { samples, sampleRate, truthAt: (time) => frame / RATES[rate][2] + time * speed };
}

/** Returns the 80 bits of a frame (ST 12-1, table 1), user bits 0. */
export function bitsOf(frame: number, rate: FrameRate): number[] {
  const [hh, mm, ss, ff] = numberOf(frame, rate);
  const bits = Array<number>(80).fill(0);
  const write = (at: number, length: number, value: number) => {
    for (let i = 0; i < length; i++) bits[at + i] = (value >> i) & 1;
  };
  write(0, 4, ff % 10);
  write(8, 2, Math.floor(ff / 10));
  write(10, 1, rate === "29.97df" ? 1 : 0);
  write(16, 4, ss % 10);
  write(24, 3, Math.floor(ss / 10));
  write(32, 4, mm % 10);
  write(40, 3, Math.floor(mm / 10));
  write(48, 4, hh % 10);
  write(56, 2, Math.floor(hh / 10));
  for (const [i, bit] of [..."0011111111111101"].entries()) bits[64 + i] = Number(bit);
  return bits;
}
