import { setTimeout as sleep } from "node:timers/promises";
import { lightingPlanSchema, rigSchema } from "@followspot/contract";
import { compileShow, newFrame, renderFrame } from "@followspot/lighting";
import type { Page } from "playwright-core";
import type { ArtDmx } from "./art-net-listener.ts";
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

/** What the first sixteen slots show at each hundredth of a second of a song, by its plan alone. */
async function plannedFrames(product: Product, songId: string, seconds: number): Promise<Uint8Array[]> {
  const headers = { authorization: `Bearer ${await product.token()}` };
  const read = async (path: string) => (await fetch(`${product.url}${path}`, { headers })).json();
  const plan = lightingPlanSchema.parse(await read(`/proxy/music/lighting/${songId}/lighting.json`));
  const show = compileShow(plan, rigSchema.parse(await read("/api/lights/rig")));
  const frame = newFrame(show);
  return Array.from({ length: seconds * 100 }, (_, i) => {
    renderFrame(show, i / 100, frame);
    return frame.get(1)!.slice(0, 16);
  });
}

/** When second 0 of a song would have been seen, ms since the epoch: where its planned light lies best on the packets. */
function zeroOfLight(packets: readonly ArtDmx[], frames: readonly Uint8Array[], around: number): number {
  let best = { zero: around, miss: Number.POSITIVE_INFINITY };
  for (let zero = around - 300; zero <= around + 300; zero += 2) {
    const miss = packets.reduce((sum, { at, slots }) => {
      const planned = frames[Math.round((performance.timeOrigin + at - zero) / 10)];
      return sum + (planned ? planned.reduce((all, level, slot) => all + Math.abs(level - slots[slot]!), 0) : 4000);
    }, 0);
    if (miss < best.miss) best = { zero, miss };
  }
  return best.zero;
}
