import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { beatsAnswer, tagsAnswer } from "../songs/audio/engines/ask-engines.ts";
import { stemsAnswer } from "../songs/audio/engines/separate-song.ts";
import { ROOT } from "../platform/settings.ts";
import { blocksOf, PAGES, textOf } from "./documents.ts";
import { folderUntil, openUntil } from "./open-until.ts";
import { synthesiseSong } from "./synthetic-song.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;
const blocks = PAGES.flatMap(blocksOf);
const blocksIn = (language: string) => blocks.filter((block) => block.language === language);

/** Schemas of JSON blocks by the word after their language: responses of engines. */
const ANSWERS = { beats: beatsAnswer, tags: tagsAnswer, stems: stemsAnswer };

test("each block of a page has a language, and one that no test runs gives the reason", () => {
  const isClear = ({ language, words }: (typeof blocks)[number]) =>
    language === "sh"
      ? /^(not-run: .{10,})?$/.test(words)
      : ["json", "ts", "python", "text", "arrows"].includes(language);
  expect(blocks.filter((block) => !isClear(block)).map(({ at }) => at)).toEqual([]);
  expect(blocks.length).toBeGreaterThan(30);
});

test("responses of engines in the pages match their schemas", () => {
  const examples = blocksIn("json");
  for (const { at, words, text } of examples)
    expect(ANSWERS[words as keyof typeof ANSWERS].safeParse(JSON.parse(text)).error, at).toBeUndefined();
  expect(examples.length).toBe(Object.keys(ANSWERS).length);
});

test.skipIf(!hasPython)("the engine shown in a page gives a valid response", async () => {
  const folder = await folderUntil(onTestFinished);
  const [engine] = blocksIn("python");
  await writeFile(join(folder, "engine.py"), engine!.text);
  await writeFile(join(folder, "song.wav"), synthesiseSong(4, 120));
  const { stdout } = await promisify(execFile)("python3", [join(folder, "engine.py"), join(folder, "song.wav")]);
  expect(beatsAnswer.parse(JSON.parse(stdout)).beats).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]);
});

test("TypeScript in the pages compiles against the packages, or is part of the file it names", async () => {
  await mkdir(join(ROOT, ".cache"), { recursive: true });
  const folder = openUntil(onTestFinished, await mkdtemp(join(ROOT, ".cache/pages-")), (made) =>
    rm(made, { recursive: true }),
  );
  const spaced = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  for (const [i, { at, words, text }] of blocksIn("ts").entries()) {
    const [, source] = /^from (\S+)$/.exec(words) ?? [];
    if (source) expect(spaced(textOf(source)), at).toContain(spaced(text));
    else await writeFile(join(folder, `block-${i}.ts`), `declare const token: string;\n${text}\nexport {};\n`);
  }
  const settings = { extends: "../../e2e/tsconfig.json", include: ["."] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const compiled = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
});

test("settings named in pages exist", () => {
  const known = new Set(textOf("apps/server/src/platform/settings.ts").match(/\bFOLLOWSPOT_\w+(?=:)/g));
  // Settings of external apps.
  for (const name of ["FOLLOWSPOT_TOKEN", "FOLLOWSPOT_URL"]) known.add(name);
  const named = PAGES.flatMap((page) =>
    (textOf(page).match(/\bFOLLOWSPOT_[A-Z_]+/g) ?? []).map((name) => `${page}: ${name}`),
  );
  expect(named.filter((name) => !known.has(name.split(": ")[1]!))).toEqual([]);
  expect(named.length).toBeGreaterThan(60);
});
