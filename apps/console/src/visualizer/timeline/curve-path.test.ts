import { describe, expect, it } from "vitest";
import { areaPath, columnsOf, linePath, mirroredBars, resample } from "./curve-path.ts";

const quietWithOnePeak = { hop_seconds: 0.01, values: Array.from({ length: 1000 }, (_, i) => (i === 503 ? 1 : 0.1)) };

describe("columnsOf", () => {
  it("preserves a peak of one sample when twenty samples share a pixel", () => {
    const { low, high } = columnsOf(quietWithOnePeak, { start: 0, zoom: 5, width: 50 });
    expect(high[25]).toBe(1);
    expect(low[25]).toBeCloseTo(0.1);
    expect(high[24]).toBeCloseTo(0.1);
  });

  it("is zero before and after the song", () => {
    const { high } = columnsOf(quietWithOnePeak, { start: -10, zoom: 5, width: 150 });
    expect(high[10]).toBe(0);
    expect(high[140]).toBe(0);
  });
});

describe("linePath", () => {
  it("draws every sample if samples are more than a pixel apart", () => {
    const curve = { hop_seconds: 0.5, values: [0, 1, 0] };
    expect(linePath(curve, { start: 0, zoom: 100, width: 100 }, 10, 10)).toBe("M0,10L50,0L100,10");
  });

  it("starts inside a chunk if the song does", () => {
    const curve = { hop_seconds: 0.5, values: [0, 1] };
    expect(linePath(curve, { start: -1, zoom: 100, width: 640 }, 10, 10)).toBe("M100,10L150,0");
  });

  it("shows the lowest and highest value of a pixel with a peak", () => {
    expect(linePath(quietWithOnePeak, { start: 0, zoom: 5, width: 50 }, 10, 10)).toContain("L25,0L25,9");
  });

  it("is empty without values", () => {
    expect(linePath({ hop_seconds: 1, values: [] }, { start: 0, zoom: 100, width: 100 }, 10, 10)).toBe("");
    expect(areaPath({ hop_seconds: 1, values: [] }, { start: 0, zoom: 100, width: 100 }, 10, 10)).toBe("");
  });
});

describe("mirroredBars", () => {
  it("stops at the end of the song", () => {
    const bars = mirroredBars({ hop_seconds: 0.25, values: [1, 1, 1] }, { start: 0, zoom: 100, width: 640 }, 20, 40);
    expect(bars.match(/M/g)).toHaveLength(25);
    expect(bars.startsWith("M0,0h2v40h-2z")).toBe(true);
  });
});

describe("resample", () => {
  it("reduces a long curve to the requested number of values over the same length", () => {
    const bars = resample({ hop_seconds: 0.05, values: Array.from({ length: 4321 }, () => 0.5) }, 1000);
    expect(bars.values).toHaveLength(1000);
    expect(bars.values.length * bars.hop_seconds).toBeCloseTo(4321 * 0.05);
  });

  it("leaves a short curve unchanged", () => {
    const curve = { hop_seconds: 1, values: [0, 1] };
    expect(resample(curve, 1000)).toBe(curve);
  });
});
