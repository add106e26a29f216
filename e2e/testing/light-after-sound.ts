import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { ArtDmx } from "./art-net-listener.ts";
import { plannedFrames, zeroOfLight } from "./planned-light.ts";
import type { Product } from "./product.ts";
import { takeHeard, zeroOf, type HeardBlock } from "./sound-tap.ts";

const MOMENT_MS = 1500;
const MOMENTS = 4;

/** A song whose sound is known. */
export interface KnownSong {
  readonly id: string;
  readonly title: string;
  readonly wav: Buffer;
}

/**
 * How many ms the light of a song that plays comes after its sound, at the wire, measured over six seconds: second 0 of the
 * song by the sound the page played, and by the packets the node got, each found by what is known of the song.
 *
 * @param seconds the song's length @param others songs that are not heard
 * @throws Error when another song is heard
 */
export async function lightAfterSound(
  product: Product,
  page: Page,
  packets: ArtDmx[],
  song: KnownSong,
  seconds: number,
  others: readonly KnownSong[],
): Promise<number> {
  const frames = await plannedFrames(product, song.id, seconds);
  packets.length = 0;
  await takeHeard(page);
  const began = Date.now();
  await sleep(MOMENTS * MOMENT_MS);
  const heard = await takeHeard(page);
  const { queue } = await product.call("music.v1.MusicService/GetShowQueue", {});
  const stored = Date.parse(queue.startedAt);
  // Sound of a machine without a card stutters when the machine is busy: the moment that stutters least is measured.
  const moments = Array.from({ length: MOMENTS }, (_, n) => within(heard, began + MOMENT_MS * n, MOMENT_MS));
  const fits = (wav: Buffer) => moments.map((moment) => zeroOf(moment, wav, stored));
  const best = fits(song.wav).reduce((a, b) => (b.fit > a.fit ? b : a));
  const second = Math.max(-1, ...others.flatMap(({ wav }) => fits(wav).map(({ fit }) => fit)));
  if (best.fit - second < 0.1) throw new Error(`"${song.title}" is not what is heard (${best.fit}, another ${second})`);
  return zeroOfLight(packets, frames, best.zero) - best.zero;
}

const within = (heard: readonly HeardBlock[], from: number, ms: number) =>
  heard.filter(({ at }) => at >= from && at < from + ms);
