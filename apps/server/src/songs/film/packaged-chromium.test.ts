import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { folderUntil } from "../../testing/open-until.ts";
import { packagedChromium } from "./packaged-chromium.ts";

test("two concurrent first uses of the browser both get a complete one, and it is unpacked once", async () => {
  const place = await folderUntil(onTestFinished);
  const versions = Array.from({ length: 2 }, async () => {
    const { path } = await packagedChromium(place);
    return (await promisify(execFile)(path, ["--version", "--no-sandbox"])).stdout;
  });
  for (const version of await Promise.all(versions)) expect(version).toMatch(/^(Chromium|HeadlessChrome) \d+/);
  expect(await readdir(place)).toHaveLength(1);
});
