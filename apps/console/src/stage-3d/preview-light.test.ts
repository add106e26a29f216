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

  it("takes the steps out of light that comes twenty times a second, and is there within an eighth of one", () => {
    const smoothing = new PreviewSmoothing(false, true);
    const shown = [0, 16, 32, 48, 64, 80, 96, 112, 128].map((now) => {
      const colors = new Float32Array([1]);
      const isMoving = smoothing.smooth(colors, now, 16);
      return { light: colors[0]!, isMoving };
    });
    const steps = shown.map(({ light }, i) => light - (shown[i - 1]?.light ?? 0));
    expect(Math.max(...steps)).toBeLessThan(0.5);
    expect(shown.at(-1)!.light).toBeGreaterThan(0.98);
    expect(shown.at(-1)!.isMoving).toBe(true);
  });

  it("says when light has arrived, so that nothing is drawn for nothing", () => {
    const smoothing = new PreviewSmoothing(true);
    let now = 0;
    while (smoothing.smooth(new Float32Array([1]), now, 16)) now += 16;
    expect(now).toBeGreaterThan(2000);
    expect(now).toBeLessThan(4000);
    expect(new PreviewSmoothing(false).smooth(new Float32Array([1]), 0, 16)).toBe(false);
  });
});
