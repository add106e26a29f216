import { INTENT_FAMILIES, type Cue, type LightingPlan } from "@followspot/contract";
import { emptyPlan } from "../empty-plan.ts";
import { randomStream } from "../random.ts";

export function planWith(event_lanes: Record<string, Cue[]>, bpm = 120): LightingPlan {
  const beats = Array.from({ length: Math.ceil((40 * bpm) / 60) }, (_, i) => (i * 60) / bpm);
  return {
    ...emptyPlan([]),
    song_id: "test",
    duration: 30,
    seed: 1,
    beats,
    downbeats: beats.filter((_, i) => i % 4 === 0),
    curves: { hop_seconds: 0.1, bass: wave(3), mid: wave(5), high: wave(7), energy: wave(20) },
    event_lanes,
  };
}

/** Returns an arbitrary plan: every intent, extreme parameters, gaps, two colors. */
export function randomPlan(seed: number, bpm = 120): LightingPlan {
  const random = randomStream(seed);
  const lanes: Record<string, Cue[]> = {};
  for (const target of ["role:wash", "role:par", "role:bar", "role:spot", "role:strobe", "all", "pars"]) {
    if (target === "pars" && random() < 0.5) continue;
    lanes[target] = [];
    for (let t = random() * 2; t < 30;) {
      const duration = 0.2 + random() * 6;
      lanes[target].push(randomCue(random, t, duration));
      t += duration + (random() < 0.3 ? random() : 0);
    }
  }
  return planWith(lanes, bpm);
}

function randomCue(random: () => number, time: number, duration: number): Cue {
  const color = () =>
    `#${Math.floor(random() * 0xffffff)
      .toString(16)
      .padStart(6, "0")}`;
  const names = [
    "level",
    "to_level",
    "floor",
    "fade_seconds",
    "step_beats",
    "decay_beats",
    "period_beats",
    "depth",
    "white",
    "duty",
    "move_beats",
    "move_range",
    "pan",
  ];
  const params: Cue["params"] = Object.fromEntries(
    names.flatMap((name) => (random() < 0.6 ? [[name, random() * 1.5]] : [])),
  );
  if (random() < 0.5) params["rate_hz"] = random() * 20;
  if (random() < 0.3) params["spread"] = "alternate";
  return {
    time,
    duration,
    params,
    intent: INTENT_FAMILIES[Math.floor(random() * INTENT_FAMILIES.length)]!,
    palette: [color(), color()],
    section: "verse",
    energy: random(),
    reason: "random",
  };
}

function wave(period: number): number[] {
  return Array.from({ length: 400 }, (_, i) => 0.5 + 0.5 * Math.sin((2 * Math.PI * i) / period));
}
