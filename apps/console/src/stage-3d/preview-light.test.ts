import { describe, expect, it } from "vitest";
import { PreviewSmoothing } from "./preview-light.ts";

/** Swing left of a light that jumps dark–bright at every frame of `seeks`, after two seconds. */
function swing(smoothing: PreviewSmoothing, seekEveryMs: number): number {
  let level = 0;
  let low = 1;
  let high = 0;
  for (let now = 0; now < 3000; now += 16) {
    const jump = Math.floor(now / seekEveryMs);
    if (jump !== Math.floor((now - 16) / seekEveryMs)) smoothing.seek(now);
    level += ((jump % 2) - level) * smoothing.share(now, 16);
    if (now < 2000) continue;
    low = Math.min(low, level);
    high = Math.max(high, level);
  }
  return high - low;
}

describe("PreviewSmoothing", () => {
  it("passes the lamps' light through while the song plays", () => {
    expect(new PreviewSmoothing(false).share(5000, 16)).toBe(1);
  });

  it("blends one seek over some frames", () => {
    const smoothing = new PreviewSmoothing(false);
    smoothing.seek(1000);
    expect(smoothing.share(1016, 16)).toBeLessThan(0.3);
    expect(smoothing.share(1400, 16)).toBe(1);
  });

  it("takes the flashing out of scrubbing", () => {
    expect(swing(new PreviewSmoothing(false), 100)).toBeLessThan(0.15);
  });

  it("is always slow where motion is unwelcome", () => {
    expect(new PreviewSmoothing(true).share(5000, 16)).toBeLessThan(0.04);
  });
});
