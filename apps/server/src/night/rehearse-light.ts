import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Rig } from "@followspot/contract";

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
 * Works out what songs do to the lamps, in a thread of its own: others are served meanwhile.
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
  const thread = new Worker(new URL("./rehearse-light-thread.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
  });
  thread.on("message", (song: SongLight) => onSong(light.push(song)));
  const late = AbortSignal.timeout(ms);
  try {
    // Too much memory ends the thread with an error: the songs that are left are not looked at, as with too much time.
    await once(thread, "exit", { signal: AbortSignal.any([signal, late]) }).catch(() => {});
  } finally {
    await thread.terminate();
  }
  signal.throwIfAborted();
  return light;
}
