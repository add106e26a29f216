import type { Seconds } from "@followspot/contract";

/** Frame rates of time code: frames per second, rounded; `29.97df` is 29.97 with drop frame, as in American television. */
export const FRAME_RATES = ["23.976", "24", "25", "29.97", "29.97df", "30"] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** Hours, minutes, seconds and frames as written: 01:00:00:00. */
export interface TimeCode {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly frames: number;
  readonly rate: FrameRate;
}

/** Position of a leader at a moment. */
export interface Sighting {
  /** Seconds since 00:00:00:00, or song seconds if the leader provides them. */
  readonly seconds: Seconds;
  /** Time of a monotonic clock, ms. */
  readonly atMs: number;
}

/** Frame numbers per second. */
const COUNT: Readonly<Record<FrameRate, number>> = {
  "23.976": 24,
  "24": 24,
  "25": 25,
  "29.97": 30,
  "29.97df": 30,
  "30": 30,
};
/** Length of a frame, seconds; 23.976 is 24 / 1.001, and 29.97 is 30 / 1.001. */
export const FRAME_SECONDS: Readonly<Record<FrameRate, number>> = {
  "23.976": 1001 / 24_000,
  "24": 1 / 24,
  "25": 1 / 25,
  "29.97": 1001 / 30_000,
  "29.97df": 1001 / 30_000,
  "30": 1 / 30,
};
/** Drop frame skips frame numbers 0 and 1 in each minute except every tenth (SMPTE ST 12-1). */
const DROPPED = 2;

/**
 * Frame rates that a user may set because no signal tells them apart: 23.976 and 29.97 count like 24 and 30, but run
 * slower by 0.1 %. Drop frame is flagged in every signal.
 */
export const SETTABLE_RATES = ["23.976", "24", "25", "29.97", "30"] as const satisfies readonly FrameRate[];
export type SettableRate = (typeof SETTABLE_RATES)[number];

/** Whether two frame rates number their frames in the same way. */
export const isCountedAlike = (a: FrameRate, b: FrameRate): boolean =>
  COUNT[a] === COUNT[b] && (a === "29.97df") === (b === "29.97df");

/** Returns the real number of frames since 00:00:00:00, without skipped numbers. */
export function frameNumberOf({ hours, minutes, seconds, frames, rate }: TimeCode): number {
  const numbered = ((hours * 60 + minutes) * 60 + seconds) * COUNT[rate] + frames;
  if (rate !== "29.97df") return numbered;
  const passed = hours * 60 + minutes;
  return numbered - DROPPED * (passed - Math.floor(passed / 10));
}

/** Returns the time code of a frame count; it wraps around after a day. */
export function timeCodeOf(frame: number, rate: FrameRate): TimeCode {
  const count = COUNT[rate];
  let numbered = frame;
  if (rate === "29.97df") {
    const perTen = 600 * count - 9 * DROPPED;
    const [tens, rest] = [Math.floor(frame / perTen), modulo(frame, perTen)];
    const minute = Math.max(0, Math.floor((rest - DROPPED) / (60 * count - DROPPED)));
    numbered = frame + DROPPED * (9 * tens + minute);
  }
  const seconds = Math.floor(numbered / count);
  return {
    hours: modulo(Math.floor(seconds / 3600), 24),
    minutes: modulo(Math.floor(seconds / 60), 60),
    seconds: modulo(seconds, 60),
    frames: modulo(numbered, count),
    rate,
  };
}

/** Returns the seconds since 00:00:00:00 at the start of a frame. */
export const secondsOf = (code: TimeCode): Seconds => frameNumberOf(code) * FRAME_SECONDS[code.rate];

/** Whether a time code is valid: false for 61 minutes, or a dropped frame number. */
export function isTimeCode({ hours, minutes, seconds, frames, rate }: TimeCode): boolean {
  const isInside = hours < 24 && minutes < 60 && seconds < 60 && frames < COUNT[rate];
  return isInside && !(rate === "29.97df" && seconds === 0 && frames < DROPPED && minutes % 10 !== 0);
}

/** Formats a time code. */
export function timeCodeText({ hours, minutes, seconds, frames, rate }: TimeCode): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${rate === "29.97df" ? ";" : ":"}${two(frames)}`;
}

/**
 * Parses `01:00:00:00`. Frames or hours may be missing, and `;` or `.` may precede the frames.
 *
 * @returns undefined for anything else
 */
export function parseTimeCode(text: string, rate: FrameRate): TimeCode | undefined {
  const parts = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[:;.](\d{1,2}))?$/.exec(text.trim());
  if (!parts) return undefined;
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const code = { hours, minutes, seconds, frames, rate };
  return isTimeCode(code) ? code : undefined;
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;
