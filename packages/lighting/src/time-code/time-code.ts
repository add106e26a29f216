import type { Seconds } from "@followspot/contract";

/** How a time code counts: frames a second, and for film in American television which numbers it leaves out. */
export const FRAME_RATES = ["24", "25", "29.97df", "30"] as const;
export type FrameRate = (typeof FRAME_RATES)[number];

/** Hours, minutes, seconds and frames as they are written: 01:00:00:00. */
export interface TimeCode {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly frames: number;
  readonly rate: FrameRate;
}

/** Where a leader was, and when; both in one pace of one clock each. */
export interface Sighting {
  /** Seconds since 00:00:00:00, or of the song where the leader knows it. */
  readonly seconds: Seconds;
  /** Milliseconds of a monotonic clock. */
  readonly atMs: number;
}

/** Numbers a second counts to. */
const COUNT: Readonly<Record<FrameRate, number>> = { "24": 24, "25": 25, "29.97df": 30, "30": 30 };
/** A frame as it lasts: 29.97 is 30 / 1.001. */
export const FRAME_SECONDS: Readonly<Record<FrameRate, number>> = {
  "24": 1 / 24,
  "25": 1 / 25,
  "29.97df": 1001 / 30_000,
  "30": 1 / 30,
};
/** Drop frame leaves out numbers 0 and 1 of each minute but every tenth (SMPTE ST 12-1). */
const DROPPED = 2;

/** Frames since 00:00:00:00, counted, not as they are numbered. */
export function frameNumberOf({ hours, minutes, seconds, frames, rate }: TimeCode): number {
  const numbered = ((hours * 60 + minutes) * 60 + seconds) * COUNT[rate] + frames;
  if (rate !== "29.97df") return numbered;
  const passed = hours * 60 + minutes;
  return numbered - DROPPED * (passed - Math.floor(passed / 10));
}

/** The time code of a counted frame; a day later it begins again. */
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

/** Seconds since 00:00:00:00 at the start of its frame. */
export const secondsOf = (code: TimeCode): Seconds => frameNumberOf(code) * FRAME_SECONDS[code.rate];

/** False for a number that no clock shows: 61 minutes, or a dropped frame. */
export function isTimeCode({ hours, minutes, seconds, frames, rate }: TimeCode): boolean {
  const isInside = hours < 24 && minutes < 60 && seconds < 60 && frames < COUNT[rate];
  return isInside && !(rate === "29.97df" && seconds === 0 && frames < DROPPED && minutes % 10 !== 0);
}

/** How people write it. */
export function timeCodeText({ hours, minutes, seconds, frames, rate }: TimeCode): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(hours)}:${two(minutes)}:${two(seconds)}${rate === "29.97df" ? ";" : ":"}${two(frames)}`;
}

/**
 * Reads `01:00:00:00`, also with the frames or the hours left out and with `;` or `.` before the frames.
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
