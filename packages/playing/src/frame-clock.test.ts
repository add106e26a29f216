import { expect, it } from "vitest";
import { FrameClock } from "./frame-clock.ts";

it("gives the time of a frame within 1.5 ms although blocks arrive late, some of them very", () => {
  const clock = new FrameClock(48_000);
  let worst = 0;
  for (let block = 0; block < 2000; block++) {
    const [from, end] = [block * 960, (block + 1) * 960];
    // The page's clock is at 7000 ms at frame 0 and runs slightly faster. Blocks are up to 15 ms late, rarely 400 ms.
    const ms = (frame: number) => 7000 + (frame / 48) * 1.00002;
    const late = block % 97 === 50 ? 400 : (block * 7919) % 15;
    const told = clock.see(end, from, ms(end) + late);
    if (block > 20) worst = Math.max(worst, Math.abs(told - ms(from)));
  }
  expect(worst).toBeLessThan(1.5);
});
