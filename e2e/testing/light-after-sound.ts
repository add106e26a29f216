import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { ArtDmx } from "./art-net-listener.ts";
import { plannedFrames, zeroOfLight } from "./planned-light.ts";
import type { Server } from "./product.ts";
import { forgetHeard, takeHeard, zeroOf } from "./sound-tap.ts";

const MOMENT_MS = 1500;
const MOMENTS = 4;
/** Share of the best fit from which a moment tells where its song is: less, and its sound stuttered. */
const CLEAR = 0.9;
const NEAR_MS = 150;

/** A song whose sound is known. */
export interface KnownSong {
  readonly id: string;
  readonly title: string;
  readonly wav: Buffer;
}

/** By how many ms light came after its sound. */
export interface LightAfterSound {
  /** Over the whole time that was measured. */
  readonly ms: number;
  /** In each moment whose sound was clear. */
  readonly moments: readonly number[];
}

/**
 * How many ms the light of a song that plays comes after its sound, at the wire: second 0 of the song by the sound the page
 * played, and by the packets the node got, each found by what is known of the song.
 *
 * @param seconds the song's length @param others songs that are not heard @param count moments of 1.5 s that are measured
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
  // Read first: the song may end while it is measured, and then the queue names another start or none.
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
    // Sound of a machine without a card stutters when the machine is busy: the moment that stutters least is measured.
    ms: zeroOfLight(seen, frames, best.zero) - best.zero,
    moments: moments.flatMap((moment) => {
      // Near the song's own second 0: a moment of an even beat fits a beat later nearly as well.
      const { zero, fit } = zeroOf(moment.heard, song.wav, best.zero, NEAR_MS);
      return fit < CLEAR * best.fit ? [] : [zeroOfLight(moment.packets, frames, zero) - zero];
    }),
  };
}
