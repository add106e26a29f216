import { lightingPlanSchema, rigSchema } from "@followspot/contract";
import { compileShow, newFrame, renderFrame } from "@followspot/lighting";
import type { ArtDmx } from "./art-net-listener.ts";
import type { Server } from "./product.ts";

/** Returns the planned light of a song for each hundredth of a second. */
export async function plannedFrames(product: Server, songId: string, seconds: number): Promise<Uint8Array[]> {
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

/**
 * Returns when second 0 of a song would have been visible, ms since the epoch: the best fit of its planned light to the
 * packets.
 */
export function zeroOfLight(packets: readonly ArtDmx[], frames: readonly Uint8Array[], around: number): number {
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
