import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../platform/settings.ts";
import { folderUntil } from "./open-until.ts";

/** Text of each page of the site by path. */
const folder = await folderUntil(afterAll);
await promisify(execFile)(process.execPath, [join(ROOT, "scripts/site/build.mjs"), "--out", folder]);
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
const pages = new Map(
  await Promise.all(files.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const)),
);

test("the site has a page for each document, with a title", async () => {
  const documents = [
    ...(await readdir(join(ROOT, "docs/guide"))).map((name) => `docs/guide/${name}`),
    ...(await readdir(join(ROOT, "docs/decisions"))).map((name) => `docs/decisions/${name}`),
    ...(await readdir(ROOT)),
  ].filter((name) => name.endsWith(".md") && name !== "README.md");
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining(["index.html", ...documents.map((name) => name.replace(/\.md$/, ".html"))]),
  );
  for (const [name, text] of pages) expect(text, name).toMatch(/<title>[^<]{3,}<\/title>/);
});

test("every link and image of the site refers to a file of the site, and every anchor to a heading", () => {
  const broken: string[] = [];
  for (const [name, text] of pages) {
    for (const [, address = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:https?:|mailto:)/.test(address)) continue;
      const [path = "", anchor] = address.split("#");
      const target = path === "" ? name : join(dirname(name), path);
      const isThere = existsSync(join(folder, target));
      const hasAnchor = anchor === undefined || (pages.get(target)?.includes(`id="${anchor}"`) ?? false);
      if (!isThere || !hasAnchor) broken.push(`${name}: ${address}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the site loads nothing from other sites and runs no script", () => {
  for (const [name, text] of pages) {
    expect(text, name).not.toMatch(/<script/i);
    expect(text, name).not.toMatch(/(?:src|<link[^>]*href)="https?:/i);
  }
});
