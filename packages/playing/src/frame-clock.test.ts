import { expect, it } from "vitest";
import { FrameClock } from "./frame-clock.ts";

it("knows when a frame was there though blocks come late, some of them very", () => {
  const clock = new FrameClock(48_000);
  let worst = 0;
  for (let block = 0; block < 2000; block++) {
    const [from, end] = [block * 960, (block + 1) * 960];
    // The page's clock is at 7000 ms at frame 0 and goes a little faster; a block is up to 15 ms late, rarely 400.
    const ms = (frame: number) => 7000 + (frame / 48) * 1.00002;
    const late = block % 97 === 50 ? 400 : (block * 7919) % 15;
    const told = clock.see(end, from, ms(end) + late);
    if (block > 20) worst = Math.max(worst, Math.abs(told - ms(from)));
  }
  expect(worst).toBeLessThan(1.5);
});
