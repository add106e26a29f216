import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ROOM } from "@followspot/lighting";
import { expect, it } from "vitest";
import { hexOfOklch } from "../../../../packages/lighting/src/color.ts";

it("films the room in the colors of the console", () => {
  const css = readFileSync(fileURLToPath(new URL("stage.css", import.meta.url)), "utf8");
  const [room = ""] = /\.vz-stage \{[^}]+\}/.exec(css) ?? [];
  const colors = [...room.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(([, l, c, h]) =>
    hexOfOklch({ l: Number(l), c: Number(c), h: Number(h) }),
  );
  expect(colors).toEqual([ROOM[0], ROOM[2]]);
});
