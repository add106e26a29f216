import { once } from "node:events";
import type { Rig } from "@followspot/contract";
import { startChild } from "../platform/process/child-program.ts";

/** Songs whose light is computed on one rig, in the order of the evening. */
export interface LightTask {
  readonly songs: readonly {
    readonly songId: string;
    readonly title: string;
    /** Path of its plan; undefined if it is missing. */
    readonly file: string | undefined;
  }[];
  readonly rig: Rig;
}

/** Effect of one song on the fixtures. */
export interface SongLight {
  readonly songId: string;
  readonly title: string;
  /** Why it could not be computed; "" if it was. */
  readonly problem: string;
  /** Maximum number of flashes in any second after the limiter, and the allowed number. */
  readonly mostFlashes: number;
  readonly allowedFlashes: number;
  /** Share of frames that the limiter changed, 0..1. */
  readonly limitedShare: number;
  /** Fixtures that are lit, and those that are dark, at least once during the song. */
  readonly litLamps: readonly number[];
  readonly darkLamps: readonly number[];
}

export interface LightLimits {
  readonly ms: number;
  readonly megabytes: number;
}

/**
 * Limits of the child process. The largest rigs take half a minute per song; songs beyond the limit are left out and
 * reported.
 */
const LIMITS: LightLimits = { ms: 100_000, megabytes: 768 };

/**
 * Computes the effect of songs on the fixtures in a child process, so that the API stays responsive.
 *
 * @param signal cancels it
 * @returns results of the songs completed within the limits, in order
 */
export async function rehearseLight(
  task: LightTask,
  signal: AbortSignal,
  onSong: (done: number) => void,
  { ms, megabytes }: LightLimits = LIMITS,
): Promise<readonly SongLight[]> {
  if (task.songs.length === 0) return [];
  signal.throwIfAborted();
  const light: SongLight[] = [];
  const child = startChild(new URL("./rehearse-light-child.ts", import.meta.url), megabytes, task);
  child.on("message", (song) => onSong(light.push(song as SongLight))); // our own program
  const late = AbortSignal.timeout(ms);
  try {
    // Exhausted memory ends the child: the remaining songs are left out, as with the time limit.
    await once(child, "disconnect", { signal: AbortSignal.any([signal, late]) }).catch(() => {});
  } finally {
    child.removeAllListeners("message");
    child.kill("SIGKILL");
  }
  signal.throwIfAborted();
  return light;
}
