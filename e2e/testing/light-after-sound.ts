import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { ArtDmx } from "./art-net-listener.ts";
import { plannedFrames, zeroOfLight } from "./planned-light.ts";
import type { Server } from "./product.ts";
import { forgetHeard, takeHeard, zeroOf } from "./sound-tap.ts";

const MOMENT_MS = 1500;
const MOMENTS = 4;
/** Fit relative to the best one above which a moment locates its song; below it, its sound stuttered. */
const CLEAR = 0.9;
const NEAR_MS = 150;

/** A song with its sound file. */
export interface KnownSong {
  readonly id: string;
  readonly title: string;
  readonly wav: Buffer;
}

/** Delay of the light after its sound, ms. */
export interface LightAfterSound {
  /** Over the whole measurement. */
  readonly ms: number;
  /** In each moment with clear sound. */
  readonly moments: readonly number[];
}

/**
 * Measures the delay of the light on the wire after its sound, ms: it locates second 0 of the song in the sound of the page and
 * in the packets of the node, each by its known content.
 *
 * @param seconds the song's length @param others songs that do not play @param count number of measured moments of 1.5 s
 * @throws Error if another song plays, or none
 */
export async function lightAfterSound(
  product: Server,
  page: Page,
  packets: ArtDmx[],
  song: KnownSong,
  seconds: number,
  others: readonly KnownSong[],
  count = MOMENTS,
): Promise<LightAfterSound> {
  const frames = await plannedFrames(product, song.id, seconds);
  // Read first: the song may end during the measurement, and then the queue has another start time or none.
  const { queue } = await product.call("music.v1.MusicService/GetShowQueue", {});
  const stored = Date.parse(queue.startedAt);
  if (queue.song?.id !== song.id || Number.isNaN(stored))
    throw new Error(`"${song.title}" does not play: the queue has ${queue.song?.title ?? `nothing (${queue.mode})`}`);
  await forgetHeard(page);
  packets.length = 0;
  const began = Date.now();
  await sleep(count * MOMENT_MS);
  const heard = await takeHeard(page);
  const seen = packets.slice();
  const moments = Array.from({ length: count }, (_, n) => {
    const from = began + MOMENT_MS * n;
    const isWithin = (at: number) => at >= from && at < from + MOMENT_MS;
    return {
      heard: heard.filter(({ at }) => isWithin(at)),
      packets: seen.filter(({ at }) => isWithin(performance.timeOrigin + at)),
    };
  });
  const found = moments.map((moment) => zeroOf(moment.heard, song.wav, stored));
  const clearest = found.reduce((best, { fit }, n) => (fit > found[best]!.fit ? n : best), 0);
  const best = found[clearest]!;
  const other = Math.max(-1, ...others.map(({ wav }) => zeroOf(moments[clearest]!.heard, wav, stored).fit));
  if (best.fit - other < 0.1) throw new Error(`"${song.title}" is not what is heard (${best.fit}, another ${other})`);
  return {
    // Without a sound card, sound stutters on a busy machine, so the moment with the best fit is used.
    ms: zeroOfLight(seen, frames, best.zero) - best.zero,
    moments: moments.flatMap((moment) => {
      // Near the song's second 0: in an even beat, a moment fits one beat later nearly as well.
      const { zero, fit } = zeroOf(moment.heard, song.wav, best.zero, NEAR_MS);
      return fit < CLEAR * best.fit ? [] : [zeroOfLight(moment.packets, frames, zero) - zero];
    }),
  };
}
