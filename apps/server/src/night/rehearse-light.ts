import { once } from "node:events";
import type { Rig } from "@followspot/contract";
import { startChild } from "../platform/child-program.ts";

/** Songs whose light is worked out, in the order of the evening, over one rig. */
export interface LightTask {
  readonly songs: readonly {
    readonly songId: string;
    readonly title: string;
    /** Path of its plan; undefined when it is not there. */
    readonly file: string | undefined;
  }[];
  readonly rig: Rig;
}

/** What one song does to the lamps. */
export interface SongLight {
  readonly songId: string;
  readonly title: string;
  /** Why it could not be worked out; "" when it was. */
  readonly problem: string;
  /** In any second, after the limiter; and how many are let through. */
  readonly mostFlashes: number;
  readonly allowedFlashes: number;
  /** Share of frames the limiter changed, 0..1. */
  readonly limitedShare: number;
  /** Lamps that are lit, and that are dark, at one time of the song at least. */
  readonly litLamps: readonly number[];
  readonly darkLamps: readonly number[];
}

export interface LightLimits {
  readonly ms: number;
  readonly megabytes: number;
}

/** The largest rigs take half a minute a song: what is not done by then is left out, and said. */
const LIMITS: LightLimits = { ms: 100_000, megabytes: 768 };

/**
 * Works out what songs do to the lamps, in a process of its own: others are served meanwhile.
 * @param signal ends it
 * @returns of the songs that were done in time, in their order
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
  child.on("message", (song) => onSong(light.push(song as SongLight))); // it is our own program
  const late = AbortSignal.timeout(ms);
  try {
    // Too much memory ends it: the songs that are left are not looked at, as with too much time.
    await once(child, "disconnect", { signal: AbortSignal.any([signal, late]) }).catch(() => {});
  } finally {
    child.removeAllListeners("message");
    child.kill("SIGKILL");
  }
  signal.throwIfAborted();
  return light;
}
