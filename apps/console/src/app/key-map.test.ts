import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { keysInWords, useOfKey, type KeyTable } from "../lib/key-table.ts";
import { KEY_MAP, keyMapAt } from "./key-map.ts";

const SOURCE = resolve(import.meta.dirname, "..");
const sources = globSync("**/*.{ts,tsx}", { cwd: SOURCE })
  .toSorted()
  .filter((path) => !path.includes(".test."))
  .map((path) => ({ path, text: readFileSync(resolve(SOURCE, path), "utf8") }));

const tablesIn = async (path: string): Promise<KeyTable[]> =>
  Object.values((await import(resolve(SOURCE, path))) as Record<string, KeyTable>);

test("lists every table of shortcuts that a screen uses", async () => {
  const tables = sources.filter(({ path }) => path.endsWith(".keys.ts"));
  const shown = new Set(KEY_MAP.flatMap(({ tables: each }) => each));
  expect(tables.length).toBeGreaterThan(10);
  for (const { path } of tables)
    for (const table of await tablesIn(path)) expect(shown.has(table), `a table of ${path}`).toBe(true);
});

/**
 * Files that handle keys which are not shortcuts of a screen. These are Enter in a field, Escape and arrows within one
 * control, Space on the focused control, letters of a scanner, and buttons that are held. All other code takes keys from a table.
 */
const NO_KEYS_OF_SCREENS = [
  "desk/desk-button.tsx",
  "desk/desk-header.tsx",
  "event/check-in/scan-panel.tsx",
  "event/event-dialog.tsx",
  "fixtures/light-type-field.tsx",
  "lib/key-target.ts",
  "music/add-song-dialog.tsx",
  "ui/fields.tsx",
  "ui/people-picker.tsx",
  "visualizer/choice/cue-editor.tsx",
  "visualizer/choice/look-tools.tsx",
  "visualizer/leader/leader-bar.tsx",
];

test("contains the only descriptions of shortcuts", () => {
  const byHand = sources
    .filter(({ text }) => /onKeyDown|"keydown"/.test(text) && !/useOfKey\(|useKeys\(/.test(text))
    .filter(({ text }) => /\bkey\b[^\n]*(===|!==)\s*"(Enter|Escape|Arrow|[^"]{1,3}")/.test(text))
    .map(({ path }) => path);
  expect(byHand).toEqual(NO_KEYS_OF_SCREENS);
});

test("no table contains a key twice", () => {
  for (const { title, tables } of KEY_MAP) {
    for (const table of tables) {
      const keys = Object.values(table).flatMap((use) => use.keys);
      // Space both picks up and drops a row.
      if (!("drop" in table)) expect(new Set(keys).size, title).toBe(keys.length);
    }
  }
});

test("finds each shortcut by each of its keys as browsers report them", () => {
  for (const table of KEY_MAP.flatMap(({ tables }) => tables)) {
    for (const [use, { keys }] of Object.entries(table)) {
      for (const name of keys) {
        if ("drop" in table && use === "drop") continue;
        const press = {
          key: pressOf(name),
          ctrlKey: name.includes("Ctrl+"),
          metaKey: false,
          shiftKey: name.includes("Shift+"),
          altKey: false,
        };
        expect(useOfKey(table, press), name).toBe(use);
      }
    }
  }
});

const pressOf = (name: string): string => {
  const key = name.replace(/^(Ctrl\+)?(Shift\+)?(?=.)/, "");
  return key === "Space" ? " " : key.length === 1 ? key.toLowerCase() : key;
};

test("lists shortcuts of the current screen first, then the global ones", () => {
  expect(keyMapAt("/desk").map(({ title }) => title).slice(0, 2)).toEqual(["Live desk", "Everywhere"]); // prettier-ignore
  expect(keyMapAt("/music/s1/visualizer")[0]?.title).toBe("Visualizer");
  expect(keyMapAt("/docs")[0]?.title).toBe("Everywhere");
});

const NOTHING = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const STEPS = { undo: { keys: ["Ctrl+Z"], does: "" }, redo: { keys: ["Ctrl+Shift+Z"], does: "" } };

test.each([
  [{ key: "z", ctrlKey: true }, "undo"],
  [{ key: "z", metaKey: true }, "undo"],
  [{ key: "Z", ctrlKey: true, shiftKey: true }, "redo"],
  [{ key: "z" }, undefined],
  [{ key: "z", ctrlKey: true, altKey: true }, undefined],
])("distinguishes undo from redo, and both from typing: %o", (press, use) => {
  expect(useOfKey(STEPS, { ...NOTHING, ...press })).toBe(use);
});

test("matches a letter also with caps lock or Shift", () => {
  expect(useOfKey({ tap: { keys: ["T"], does: "" } }, { ...NOTHING, key: "T", shiftKey: true })).toBe("tap");
});

test("shows keys by their labels on a keyboard", () => {
  expect(keysInWords({ keys: ["ArrowLeft", "Shift+PageUp", "Ctrl+Z"], does: "" })).toBe("←, Shift+Page Up, Ctrl+Z");
});
