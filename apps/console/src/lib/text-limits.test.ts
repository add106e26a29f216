import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const SOURCE = resolve(import.meta.dirname, "..");

/**
 * Files whose fields may truncate: fields for a search or a code, names of looks, and the guests' page, which uses no
 * forms of the console.
 */
const MAY_CUT = [
  "director/players-block.tsx",
  "event/check-in/scan-panel.tsx",
  "guest/chat-tab.tsx",
  "guest/gold-dialog.tsx",
  "guest/me-tab.tsx",
  "guest/sign-in.tsx",
  "guest/songs-tab.tsx",
  "guest/tonight-tab.tsx",
  "ui/fields.tsx",
  "visualizer/choice/look-tools.tsx",
];

// kept: Console | A pasted announcement lost its end without a word | failed on the old code
test("fields show the number of excess characters and truncate nothing", () => {
  const cutting = globSync("**/*.tsx", { cwd: SOURCE }).filter((path) =>
    readFileSync(resolve(SOURCE, path), "utf8").includes("maxLength="),
  );
  expect(cutting.toSorted()).toEqual(MAY_CUT);
});
