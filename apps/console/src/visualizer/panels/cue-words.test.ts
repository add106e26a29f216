import { expect, test } from "vitest";
import { cueWords } from "./cue-words.ts";

test.each([
  ["slow_fade", { level: 0.16, to_level: 0.4 }, ["light from low to medium"]],
  ["soft_wave", { level: 0.47, period_beats: 8, direction: 1 }, ["light medium", "from the left, 2 bars"]],
  ["wave", { period_seconds: 6.5, direction: -1 }, ["from the right, 6.5 s"]],
  ["slow_breathing", { period_beats: 16, fade_seconds: 0 }, ["one breath in 4 bars"]],
  ["beat_pulse", { level: 1, floor: 0.7, step_beats: 1 }, ["light full", "every beat", "lit between"]],
  ["pulse", { step_beats: 2, offset_beats: 1 }, ["on the backbeat", "dark between"]],
  ["pulse", { drum: "kick", step_beats: 1 }, ["with every kick", "dark between"]],
  ["pairs_chase", { shape: "pairs", step_beats: 2 }, ["two by two", "every second beat", "dark between"]],
  ["chase", { step_beats: 0.5 }, ["one lamp after the other, from the left", "twice a beat", "dark between"]],
  ["chase", { shape: "mirror", step_beats: 4 }, ["from both sides to the middle", "every bar", "dark between"]],
  ["reactive", { band: "bass" }, ["follows the bass"]],
  ["strobe", { rate_hz: 2.5 }, ["2.5 flashes a second"]],
  ["static_crossfade", { fade_seconds: 0.48 }, ["blends in over 0.48 s"]],
  ["fade", { zoom: 0.1 }, ["narrow beam"]],
  ["ramp", { zoom: 0.8, to_zoom: 0.1 }, ["beam from wide to narrow"]],
  [
    "fade",
    { beam: "gobo", aim: "hall", turn_beats: 8 },
    ["one half, then the other, 2 bars each", "a pattern in the beam", "heads at the hall"],
  ],
  ["fade", { figure: "circle", move_beats: 16, move_range: 0.4 }, ["heads draw: circle, 4 bars"]],
  ["fade", { pixels: "sparkle", white: 0.5, spread: "alternate" }, ["colors in turn", "whitened", "pixels sparkle"]],
  ["fade", { shape: "toString", aim: "home", gobo: 3 }, []],
])("a %s with %o is told in words", (intent, params, words) => {
  expect(cueWords({ intent, params: params as Record<string, number | string> })).toEqual(words);
});

test("the length of a bar is that of the song", () => {
  expect(cueWords({ intent: "wave", params: { period_beats: 6 } }, 3)).toEqual(["from the left, 2 bars"]);
  expect(cueWords({ intent: "pulse", params: { step_beats: 3 } }, 3)[0]).toBe("every bar");
});
