import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startReleaseSite } from "../testing/release-site.ts";
import { folderUntil, openUntil } from "../testing/open-until.ts";

const folder = await folderUntil(afterAll);
const site = openUntil(afterAll, await startReleaseSite());
const closed = await startReleaseSite();
const away = closed.base;
await closed.close();

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const update = (more: Record<string, string> = {}): Promise<Ran> =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL("./admin.ts", import.meta.url)), "update-downloader"], {
    env: { PATH: "/usr/bin:/bin", FOLLOWSPOT_DATA_DIR: folder, FOLLOWSPOT_YTDLP_RELEASES: site.base, ...more },
  }).then(
    (printed) => ({ code: 0, ...printed }),
    (failure: Ran) => failure,
  );

test("update-downloader fetches the latest release once without a running product, and prints JSON with progress beside it", async () => {
  site.release("2026.10.26", "#!/bin/sh\necho 2026.10.26\n");
  const first = await update();
  const path = join(folder, "yt-dlp/2026.10.26/yt-dlp");
  expect(JSON.parse(first.stdout)).toMatchObject({
    version: "2026.10.26",
    released: "2026-10-26",
    path,
    changed: true,
  });
  expect(first.stderr).toContain("fetching 100 %");
  expect(await readFile(path, "utf8")).toContain("echo 2026.10.26");
  expect(JSON.parse((await update()).stdout)).toMatchObject({ version: "2026.10.26", changed: false });
});

test.each<[string, () => Record<string, string>, RegExp]>([
  ["the release server is away", () => ({ FOLLOWSPOT_YTDLP_RELEASES: away }), /refused the connection/],
  [
    "another is set",
    () => ({ FOLLOWSPOT_YTDLP: "/opt/yt-dlp" }),
    /FOLLOWSPOT_YTDLP names \/opt\/yt-dlp: update it there/,
  ],
  ["fetching is off", () => ({ FOLLOWSPOT_YTDLP_RELEASES: "off" }), /FOLLOWSPOT_YTDLP_RELEASES is off/],
])("update-downloader reports why nothing was fetched when %s, and exits with 2", async (_what, env, why) => {
  const { code, stdout, stderr } = await update(env());
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(why);
});
