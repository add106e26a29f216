import { expect, it } from "vitest";
import { clickTrack } from "./click-sound.ts";

it("clicks at each second of the calibration and is silent in between", async () => {
  const view = new DataView(await clickTrack().arrayBuffer());
  const rate = view.getUint32(24, true);
  const samples = Array.from({ length: (view.byteLength - 44) / 2 }, (_, i) => view.getInt16(44 + i * 2, true));
  expect(samples.length / rate).toBe(120);
  const starts = samples.flatMap((y, i) =>
    y !== 0 && samples.slice(Math.max(0, i - 600), i).every((z) => z === 0) ? [i / rate] : [],
  );
  expect(starts.map(Math.round)).toEqual(Array.from({ length: 119 }, (_, i) => i + 1));
  expect(Math.max(...starts.map((start) => start - Math.round(start)))).toBeLessThan(0.0002);
});
