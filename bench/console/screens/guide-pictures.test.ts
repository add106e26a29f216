import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { GUIDE, SCREENS } from "./screens.ts";

const guide = fileURLToPath(new URL("../../../docs/guide", import.meta.url));

test("each picture that `npm run screenshots -- --guide` takes stands in a guide, and no guide shows another", () => {
  const pages = readdirSync(guide).filter((name) => name.endsWith(".md"));
  const shown = pages.flatMap((name) =>
    [...readFileSync(join(guide, name), "utf8").matchAll(/\(screens\/([\w-]+)\.webp\)/g)].map(([, picture]) => picture),
  );
  expect([...new Set(shown)].toSorted()).toEqual([...GUIDE].toSorted());
  expect(readdirSync(join(guide, "screens")).toSorted()).toEqual([...GUIDE].map((name) => `${name}.webp`).toSorted());
  const names = SCREENS.map(({ name }) => name);
  expect(GUIDE.filter((name) => !names.includes(name))).toEqual([]);
});
