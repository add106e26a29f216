import { describe, expect, it } from "vitest";
import { clickShape } from "./click-shape.ts";
import { clickDelay, judgeDelays, SEARCH_MS, wantsMore } from "./estimate-delay.ts";

/** Numbers in [0, 1) that are the same every time. */
function numbers(seed: number) {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

interface Room {
  readonly delayMs?: number;
  readonly level?: number;
  readonly noise?: number;
  readonly sampleRate?: number;
  readonly echoes?: readonly (readonly [ms: number, share: number])[];
  readonly seed?: number;
}

/** What a microphone hears around one click. */
function record({ delayMs, level = 0.1, noise = 0, sampleRate = 48_000, echoes = [], seed = 1 }: Room): Float32Array {
  const random = numbers(seed);
  const ms = sampleRate / 1000;
  const sound = new Float32Array((SEARCH_MS.before + SEARCH_MS.after) * ms);
  for (let i = 0; i < sound.length; i++) sound[i] = noise * (random() + random() + random() - 1.5);
  if (delayMs === undefined) return sound;
  for (const [later, share] of [[0, 1], ...echoes] as const) {
    const first = Math.round((SEARCH_MS.before + delayMs + later) * ms);
    for (const [i, y] of clickShape(sampleRate).entries())
      if (first + i < sound.length) sound[first + i]! += y * level * share;
  }
  return sound;
}

describe("the delay of a click", () => {
  it.each([-60, 0, 12.5, 47, 180, 640])("is found when it is %d ms, to a tenth", (delayMs) => {
    for (const sampleRate of [16_000, 44_100, 48_000])
      expect(clickDelay(record({ delayMs, sampleRate }), sampleRate)).toBeCloseTo(delayMs, 0.5);
  });

  it("is found in noise that is as loud as the click", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const found = clickDelay(record({ delayMs: 83, noise: 0.1, seed }), 48_000);
      expect(Math.abs(found! - 83)).toBeLessThan(0.5);
    }
  });

  it("is the delay of the first sound to arrive, though echoes follow and one of them is louder", () => {
    const echoes = [
      [7, 0.8],
      [19, 1.3],
      [42, 0.6],
      [160, 0.4],
    ] as const;
    expect(clickDelay(record({ delayMs: 55, noise: 0.005, echoes }), 48_000)).toBeCloseTo(55, 0.5);
  });

  it("is nothing where there is no click: silence, noise, hum, speech-like sound, hardly any sound at all", () => {
    expect(clickDelay(new Float32Array(43_200), 48_000)).toBeUndefined();
    for (let seed = 1; seed <= 20; seed++) expect(clickDelay(record({ noise: 0.3, seed }), 48_000)).toBeUndefined();
    const hum = Float32Array.from({ length: 43_200 }, (_, i) => Math.sin(i / 150) + 0.3 * Math.sin(i / 4));
    expect(clickDelay(hum, 48_000)).toBeUndefined();
    expect(clickDelay(new Float32Array(10), 48_000)).toBeUndefined();
  });
});

describe("several clicks", () => {
  it("say what most of them say, though some were missed and one was something else", () => {
    const told = judgeDelays([61, 60, undefined, 62, 59, 400, undefined, 61]);
    expect(told).toEqual({ kind: "measured", heard: 6, delayMs: 61, spreadMs: 2 });
  });

  it("are believed when half agree though the sound stuttered, whichever way the others went", () => {
    for (const away of [-90, 35, 60])
      expect(judgeDelays([61, 60, 61 + away, 62, 59, 70 + away, 61, 50 + away])).toEqual({
        kind: "measured",
        heard: 8,
        delayMs: 61,
        spreadMs: 3,
      });
  });

  it("are heard until they agree, sixteen at the most", () => {
    const apart = [20, 300, 110, 60, 480, 200, 640, 390];
    expect(wantsMore([61, 60, 61])).toBe(true);
    expect(wantsMore([61, 60, 61, 62, 60, 61, 60, 61])).toBe(false);
    expect(wantsMore(apart)).toBe(true);
    expect(wantsMore([...apart, ...apart.map((delay) => delay + 45)])).toBe(false);
  });

  it("say nothing when most were missed, and that they do not agree when they do not", () => {
    expect(judgeDelays([])).toEqual({ kind: "unheard", heard: 0 });
    expect(judgeDelays([60, 61, undefined, 60, undefined, 62, undefined])).toEqual({ kind: "unheard", heard: 4 });
    expect(judgeDelays([20, 300, 110, 60, 480, 200])).toMatchObject({ kind: "unsure", heard: 6 });
  });
});
