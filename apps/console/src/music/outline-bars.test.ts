import { expect, test } from "vitest";
import { outlineBars, outlineWords } from "./outline-bars.ts";

const levels = Uint8Array.from([0, 51, 255, 102]);

test("draws a bar per level, with its loudness as height, in its section", () => {
  const parts = [
    { label: "intro", until: 0.5 },
    { label: "drop", until: 1 },
  ];
  expect(outlineBars({ levels, parts: parts as never })).toEqual([
    { label: "intro", path: "M0.5 0.480V0.520M1.5 0.400V0.600" },
    { label: "drop", path: "M2.5 0.000V1.000M3.5 0.300V0.700" },
  ]);
  expect(outlineWords(parts as never)).toBe("intro, drop");
});

test("draws a song to its end if the last section ends earlier or no section is known", () => {
  const short = [{ label: "verse", until: 0.75 }];
  for (const parts of [short, []])
    expect(outlineBars({ levels, parts: parts as never })[0]!.path.match(/M/g)).toHaveLength(4);
});
