import type { LightSource, Stage } from "../judge/stage.ts";
import type { SongTruth, TrueSection } from "../judge/truth.ts";

/** Light of a head at a time: perceptual level 0..1 and linear color at full. */
export interface HandLight {
  readonly level: number;
  readonly rgb?: readonly [number, number, number];
}

/** Returns light from a function of time and head, without plan and limiter. */
export function handLit(stage: Stage, at: (t: number, head: number) => HandLight): LightSource {
  const n = stage.headCount;
  const [level, red, green, blue] = Array.from({ length: 4 }, () => new Float32Array(n)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const light = (t: number) => {
    for (let h = 0; h < n; h++) {
      const { level: l, rgb = [1, 1, 1] } = at(t, h);
      level[h] = l * l;
      [red[h], green[h], blue[h]] = rgb;
    }
  };
  return { headCount: n, level, red, green, blue, light };
}

/** Returns the section at a time; undefined before and after the song. */
export function sectionOf(truth: SongTruth, t: number): TrueSection | undefined {
  return truth.sections.find((section) => section.start <= t && t < section.end);
}
