import { lastAtOrBefore, type SectionLabel, type SongAnalysis } from "@followspot/contract";
import { BeatClock } from "../beat-clock.ts";
import { fullBrightness, linearOfHex, luminance, type LinearRgb } from "../color.ts";
import { curveMean } from "../curves.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "../flash-limiter.ts";
import type { LightSource, Stage } from "../judge/stage.ts";
import { quantile } from "../judge/statistics.ts";
import { FLASHES_PER_SECOND } from "../limit-flashes.ts";
import { clamp } from "../maths.ts";
import { lampColor } from "../palettes/harmony.ts";
import { hashOf, randomStream } from "../random.ts";

/** Ways to light a song without a planner. Each uses the same analysis as our planner. */
export const BASELINES = ["single", "follower", "pulser", "random", "table"] as const;
type BaselineName = (typeof BASELINES)[number];

/**
 * Returns the light of a baseline; times must be ascending.
 *
 * - single: one warm look from the first sound to the last
 * - follower: every fixture as bright as the surrounding second is loud within the song, hue by loudness
 * - pulser: every fixture hits on every beat, the hue moves 45 degrees per bar
 * - random: another random look every eight bars, on a beat
 * - table: a fixed scene per section label, without look-ahead or variation, as in phrase-lit software
 */
export function baseline(name: BaselineName, stage: Stage, heard: SongAnalysis): LightSource {
  const painter = new Painter(stage);
  const paint = PAINTERS[name](stage, heard, painter);
  const { first, last } = soundOf(heard);
  return painter.limited((t) => {
    painter.level.fill(0);
    if (t >= first && t <= last) paint(t);
  });
}

type Paint = (t: number) => void;

const PAINTERS: Record<BaselineName, (stage: Stage, heard: SongAnalysis, painter: Painter) => Paint> = {
  single: (stage, _heard, painter) => {
    painter.colour(HUES.get(60)!);
    return () => painter.all(0.75);
  },

  follower: (_stage, heard, painter) => {
    const curve = heard.dynamics.energy_curve;
    const quiet = quantile(curve.values, 0.05);
    const range = Math.max(0.05, quantile(curve.values, 0.95) - quiet);
    let hue = -1;
    return (t) => {
      const loudness = clamp(0.1 + (0.9 * (curveMean(curve, t - 0.5, t + 0.5) - quiet)) / range);
      // From blue when quiet through magenta to orange when loud, in visible steps.
      const next = (240 + 180 * loudness) % 360;
      if (Math.abs(next - hue) >= 5) painter.colour(colourOf((hue = next)));
      painter.all(loudness);
    };
  },

  pulser: (_stage, heard, painter) => {
    const clock = new BeatClock(heard.beats);
    const perBar = Math.max(1, heard.grid.beats_per_bar);
    let bar = Number.NaN;
    return (t) => {
      const beat = clock.beatAt(t);
      if (Math.floor(beat / perBar) !== bar) {
        bar = Math.floor(beat / perBar);
        painter.colour(colourOf((((bar * 45) % 360) + 360) % 360));
      }
      painter.all(hit(beat - Math.floor(beat)));
    };
  },

  random: (stage, heard, painter) => {
    const clock = new BeatClock(heard.beats);
    const perPhrase = 8 * Math.max(1, heard.grid.beats_per_bar);
    const offset = Math.floor(randomStream(hashOf(heard.song_id, "random look"))() * perPhrase);
    let phrase = Number.NaN;
    let looks: { level: number; pulses: boolean }[] = [];
    return (t) => {
      const beat = clock.beatAt(t) + offset;
      if (Math.floor(beat / perPhrase) !== phrase) {
        phrase = Math.floor(beat / perPhrase);
        const chance = randomStream(hashOf(heard.song_id, "random look", phrase));
        looks = stage.zones.map((_, z) => {
          painter.colourZone(z, colourOf(360 * chance()));
          return { level: 0.2 + 0.8 * chance(), pulses: chance() < 0.25 };
        });
      }
      looks.forEach(({ level, pulses }, z) => painter.zone(z, pulses ? level * hit(beat - Math.floor(beat)) : level));
    };
  },

  table: (stage, heard, painter) => {
    const clock = new BeatClock(heard.beats);
    const { sections } = heard.structure;
    const starts = sections.map((section) => section.start);
    const base = 360 * randomStream(hashOf(heard.song_id, "table"))();
    let label: SectionLabel | undefined;
    return (t) => {
      const now = sections[Math.max(0, lastAtOrBefore(starts, t))]?.label ?? "verse";
      const scene = SCENES[now];
      if (now !== label) {
        label = now;
        stage.zones.forEach((_, z) =>
          painter.colourZone(z, colourOf((base + scene.hue + (z % 2) * scene.second) % 360)),
        );
      }
      const beat = clock.beatAt(t);
      const isHit = scene.step > 0;
      stage.zones.forEach((_, z) => {
        const share = z % 2 === 0 ? scene.even : scene.odd;
        const into = isHit ? (beat / scene.step - Math.floor(beat / scene.step)) * scene.step : 0;
        painter.zone(z, scene.level * share * (isHit && z % 2 === 1 ? hit(into) : 1));
      });
    };
  },
};

interface Scene {
  readonly level: number;
  /** Share of the level for the odd and even zones. */
  readonly even: number;
  readonly odd: number;
  /** Distance from the song's hue, and of every second zone from that, degrees. */
  readonly hue: number;
  readonly second: number;
  /** Beats between hits of every second zone; 0 for steady light. */
  readonly step: number;
}

const SCENES: Record<SectionLabel, Scene> = {
  intro: { level: 0.35, even: 1, odd: 0, hue: 0, second: 0, step: 0 },
  verse: { level: 0.55, even: 1, odd: 0.6, hue: 0, second: 30, step: 0 },
  chorus: { level: 0.85, even: 1, odd: 1, hue: 180, second: 30, step: 1 },
  build: { level: 0.6, even: 0.6, odd: 1, hue: 30, second: 30, step: 1 },
  drop: { level: 1, even: 1, odd: 1, hue: 180, second: 30, step: 1 },
  break: { level: 0.3, even: 1, odd: 0, hue: 210, second: 0, step: 0 },
  bridge: { level: 0.5, even: 0.7, odd: 0.7, hue: 210, second: 30, step: 0 },
  outro: { level: 0.35, even: 1, odd: 0.3, hue: 0, second: 0, step: 0 },
};

/** Returns a show rotated by an offset, so that it does not match its music. */
export function shifted(source: LightSource, duration: number, by: number): LightSource {
  return { ...source, light: (t) => source.light(t < duration ? (t + by) % duration : t) };
}

/** Returns the show of another song, stretched to the length of this one. */
export function stretched(source: LightSource, itsDuration: number, duration: number): LightSource {
  return { ...source, light: (t) => source.light((t * itsDuration) / duration) };
}

/** Returns the perceptual level of a hit on the beat, by the elapsed share of the beat. */
function hit(into: number): number {
  const left = Math.max(0, 1 - into / 0.6);
  return 0.08 + 0.92 * left * left;
}

const HUES = new Map(
  Array.from({ length: 72 }, (_, i) => [5 * i, fullBrightness(linearOfHex(lampColor(5 * i)))] as const),
);

function colourOf(hue: number): LinearRgb {
  return HUES.get((5 * Math.round(hue / 5)) % 360)!;
}

/** Heads of a stage to paint, behind a flash limiter. */
class Painter {
  readonly level: Float32Array;
  readonly #red: Float32Array;
  readonly #green: Float32Array;
  readonly #blue: Float32Array;
  readonly #stage: Stage;

  constructor(stage: Stage) {
    const n = stage.headCount;
    this.#stage = stage;
    this.level = new Float32Array(n);
    this.#red = new Float32Array(n).fill(1);
    this.#green = new Float32Array(n).fill(1);
    this.#blue = new Float32Array(n).fill(1);
  }

  /** @param level perceptual, 0..1 */
  all(level: number): void {
    this.#stage.zones.forEach((_, z) => this.zone(z, level));
  }

  zone(z: number, level: number): void {
    for (const h of this.#stage.zones[z]!.heads) this.level[h] = level * level;
  }

  colour(colour: LinearRgb): void {
    this.#stage.zones.forEach((_, z) => this.colourZone(z, colour));
  }

  colourZone(z: number, { r, g, b }: LinearRgb): void {
    for (const h of this.#stage.zones[z]!.heads) {
      this.#red[h] = r;
      this.#green[h] = g;
      this.#blue[h] = b;
    }
  }

  /** Returns a source that shows what `paint` sets, within the flash limit of plans. */
  limited(paint: Paint): LightSource {
    const n = this.#stage.headCount;
    const limiter = new FlashLimiter(n + 1, FLASHES_PER_SECOND.default);
    const { level } = this;
    const red = this.#red;
    const green = this.#green;
    const blue = this.#blue;
    const light = (t: number) => {
      const tick = Math.round(t * GRID_HZ);
      paint(t);
      const sums = [0, 0, 0];
      for (let h = 0; h < n; h++) {
        const lum = luminance(red[h]!, green[h]!, blue[h]!);
        const redness = rednessOf(red[h]!, green[h]!, blue[h]!);
        const v = level[h]!;
        if (v > 0) level[h] = v * limiter.gain(h, v, v * lum, v * redness, tick);
        sums[0]! += level[h]!;
        sums[1]! += level[h]! * lum;
        sums[2]! += level[h]! * redness;
      }
      const size = Math.max(1, n);
      const gain = limiter.gain(n, sums[0]! / size, sums[1]! / size, sums[2]! / size, tick);
      for (let h = 0; h < n; h++) {
        const v = (level[h]! *= gain);
        const lum = luminance(red[h]!, green[h]!, blue[h]!);
        limiter.commit(h, v, v * lum, v * rednessOf(red[h]!, green[h]!, blue[h]!), tick);
      }
      limiter.commit(n, (sums[0]! * gain) / size, (sums[1]! * gain) / size, (sums[2]! * gain) / size, tick);
    };
    return { headCount: n, level, red, green, blue, light };
  }
}

function soundOf(heard: SongAnalysis): { first: number; last: number } {
  const { hop_seconds, values } = heard.dynamics.energy_curve;
  const first = values.findIndex((v) => v > 0.03);
  return { first: Math.max(0, first) * hop_seconds, last: (values.findLastIndex((v) => v > 0.03) + 1) * hop_seconds };
}
