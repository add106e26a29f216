import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startReleaseSite, type ReleaseStandIn } from "../../../testing/release-site.ts";
import { Downloader, type DownloaderSettings, type FetchReport, type Program } from "./downloader.ts";
import { folderUntil, openUntil } from "../../../testing/open-until.ts";

let folder: string;
let site: ReleaseStandIn;
let warnings: string[];
let opened: Downloader[];
const path = process.env.PATH ?? "";

beforeEach(async () => {
  folder = await folderUntil(onTestFinished);
  site = openUntil(onTestFinished, await startReleaseSite());
  warnings = [];
  opened = [];
  await mkdir(join(folder, "bin"));
  process.env.PATH = `${join(folder, "bin")}:/usr/bin:/bin`;
});
afterEach(async () => {
  process.env.PATH = path;
  await Promise.all(opened.map((one) => one.close()));
});

const says = (version: string, padding = 0) => `#!/bin/sh\necho ${version}\n${"#".repeat(padding)}\n`;
const downloader = (more: Partial<DownloaderSettings> = {}) => {
  const one = new Downloader(
    {
      configured: undefined,
      floor: "2025.01.01",
      folder: join(folder, "yt-dlp"),
      releases: { base: site.base, limits: { silenceMs: 1000, totalMs: 5000 } },
      ...more,
    },
    (warning) => warnings.push(warning),
  );
  opened.push(one);
  return one;
};
const report = (onFetch: FetchReport["onFetch"] = () => undefined) => ({
  signal: new AbortController().signal,
  onFetch,
});
const take = (from: Downloader, how = report()) => from.use(how, async (program) => program);
const failure = (from: Downloader): Promise<string> =>
  take(from).then(
    ({ path: taken }) => Promise.reject(new Error(`it took ${taken}`)),
    ({ message }: Error) => message,
  );
const install = async (version: string) => {
  await writeFile(join(folder, "bin/yt-dlp"), says(version));
  await chmod(join(folder, "bin/yt-dlp"), 0o755);
};
const kept = async () => (await readdir(join(folder, "yt-dlp"))).filter((name) => !name.startsWith("fetching.")).sort();

describe("the source of yt-dlp", () => {
  test("is the newest release if none is installed, downloaded once for simultaneous requests", async () => {
    site.release("2026.10.26", says("2026.10.26", 3_000_000));
    const shares: number[] = [];
    const one = downloader();
    const taken = await Promise.all([
      take(
        one,
        report((share) => shares.push(share)),
      ),
      take(one),
      take(one),
    ]);
    const at = join(folder, "yt-dlp/2026.10.26/yt-dlp");
    expect(taken).toEqual(Array.from({ length: 3 }, () => ({ path: at, version: "2026.10.26" })));
    expect(shares.at(-1)).toBe(1);
    expect(site.asked.filter((path) => path === "/releases/latest")).toHaveLength(1);
    expect(one.state).toEqual({ version: "2026.10.26", source: "fetched", problem: "", fetching: null });
    expect(await kept()).toEqual(["2026.10.26", "asked.json"]);
  });

  test("is one download for all workers that share a folder", async () => {
    site.release("2026.10.26", says("2026.10.26", 3_000_000));
    await Promise.all(Array.from({ length: 6 }, () => take(downloader())));
    const fetched = site.asked.filter((path) => path.startsWith("/releases/download/") && !path.endsWith("SUMS"));
    expect(fetched).toHaveLength(1);
    expect(await kept()).toEqual(["2026.10.26", "asked.json"]);
  });

  test("is the newer one of PATH and the downloaded release", async () => {
    site.release("2026.10.26", says("2026.10.26"));
    await downloader().update(report());
    await install("2026.09.01");
    expect(await take(downloader())).toMatchObject({ version: "2026.10.26" });
    await install("2026.11.02");
    const newer = downloader();
    expect(await take(newer)).toEqual({ version: "2026.11.02", path: join(folder, "bin/yt-dlp") });
    expect(newer.state.source).toBe("path");
  });

  test("is only the program in the settings, if there is one", async () => {
    site.release("2026.10.26", says("2026.10.26"));
    await install("2026.09.01");
    const configured = join(folder, "bin/yt-dlp");
    expect(await take(downloader({ configured }))).toMatchObject({ version: "2026.09.01" });
    expect(await failure(downloader({ configured: join(folder, "nothing") }))).toMatch(/correct FOLLOWSPOT_YTDLP/);
    expect(site.asked).toEqual([]);
  });

  test("is the release if the program on PATH is too old or broken", async () => {
    site.release("2026.10.26", says("2026.10.26"));
    await install("2024.01.01");
    expect(await take(downloader())).toMatchObject({ version: "2026.10.26" });
    await rm(join(folder, "yt-dlp"), { recursive: true });
    await writeFile(join(folder, "bin/yt-dlp"), "#!/bin/sh\nexit 127\n");
    expect(await take(downloader())).toMatchObject({ version: "2026.10.26" });
  });

  test("is a new download if the downloaded program no longer runs", async () => {
    site.release("2026.10.26", says("2026.10.26"));
    const { path: at } = await downloader().update(report());
    await writeFile(at, "garbage");
    expect(await take(downloader())).toMatchObject({ path: at, version: "2026.10.26" });
  });
});

describe("no program is installed after", () => {
  const half = (response: ServerResponse) => {
    response.writeHead(200, { "content-length": 5000 });
    response.write("#!/bin/sh\n");
    setTimeout(() => response.destroy(), 50);
    return true;
  };
  // kept: Songs and jobs | A wrong checksum was reported with the advice "Let the server reach it" | failed on the old
  // code
  test.each<[what: string, odd: NonNullable<ReleaseStandIn["odd"]>, why: RegExp]>([
    [
      "a file with another checksum",
      (path, response) =>
        path.startsWith("/elsewhere") && path.includes("yt-dlp_") && !!response.end("#!/bin/sh\necho 1"),
      /checksum is not the one of the release/,
    ],
    [
      "half a file",
      (path, response) => path.startsWith("/elsewhere") && path.includes("yt-dlp_") && half(response),
      /broke off in the middle/,
    ],
    [
      "a redirect to another host",
      (path, response) =>
        path.endsWith("SUMS") && !!response.writeHead(302, { location: "http://127.0.0.2:1/x" }).end(),
      /redirected to 127\.0\.0\.2:1, which is not one of its own hosts/,
    ],
    [
      "a redirect to a file of this server",
      (path, response) => path.endsWith("SUMS") && !!response.writeHead(302, { location: "file:///etc/passwd" }).end(),
      /redirected to nowhere/,
    ],
    [
      "redirects without end",
      (path, response) => path.endsWith("SUMS") && !!response.writeHead(302, { location: path }).end(),
      /redirected too often/,
    ],
    [
      "more than a yt-dlp has",
      (path, response) =>
        path.startsWith("/elsewhere") &&
        path.includes("yt-dlp_") &&
        !!response.writeHead(200, { "content-length": 500_000_000 }).write("x"),
      /sends more than a yt-dlp has/,
    ],
    [
      "checksums without ours",
      (path, response) => path.startsWith("/elsewhere") && path.endsWith("SUMS") && !!response.end("abc  yt-dlp\n"),
      /names no checksum for yt-dlp/,
    ],
    [
      "an invalid latest version",
      (path, response) => path === "/releases/latest" && !!response.writeHead(302, { location: "/../../etc" }).end(),
      /does not say which version/,
    ],
    ["silence", () => true, /did not answer for 1 seconds/],
    ["an error of the server", (_path, response) => !!response.writeHead(500).end(), /does not say which version/],
  ])("%s, and the song's error says what to do", async (_what, odd, why) => {
    site.release("2026.10.26", says("2026.10.26"));
    site.odd = odd;
    const one = downloader();
    const message = await failure(one);
    expect(message).toMatch(why);
    expect(message).toMatch(/^yt-dlp could not be fetched: 127\.0\.0\.1:\d+ /);
    expect(message).toMatch(
      /did not answer|broke off/.test(message)
        ? /\. Let the server reach it or install yt-dlp there, then retry; files can be uploaded/
        : /\. Install yt-dlp on the server, or retry later; files can be uploaded/,
    );
    expect(one.state).toMatchObject({ problem: message, source: "none", fetching: null });
    expect((await kept()).filter((name) => name !== "asked.json")).toEqual([]);
    site.odd = undefined;
    expect(await take(one)).toMatchObject({ version: "2026.10.26" });
    expect(one.state.problem).toBe("");
  });

  test("a release that does not run on this machine", async () => {
    site.release("2026.10.26", "#!/bin/sh\necho 'error while loading shared libraries: libz.so.1: x' >&2; exit 127\n");
    expect(await failure(downloader())).toMatch(/cannot be run here: the shared library libz\.so\.1 is missing/);
    expect((await kept()).filter((name) => name !== "asked.json")).toEqual([]);
  });

  test("an unreachable release if the installed program is too old, and the song's error names both", async () => {
    await install("2024.01.01");
    site.odd = (_path, response) => !!response.writeHead(404).end();
    expect(await failure(downloader())).toMatch(
      /^yt-dlp 2024\.01\.01 is older than 2025\.01\.01, which is known to be unsafe or broken, and no other could be fetched: 127/,
    );
  });

  test("a release server that is unreachable", async () => {
    const { base } = site;
    await site.close();
    expect(await failure(downloader({ releases: { base } }))).toMatch(/refused the connection\. Let the server reach/);
  });
});

test("without permission to download yt-dlp, a song's error says what to install", async () => {
  const one = downloader({ releases: undefined });
  expect((await one.look()).why).toMatch(/not installed/);
  expect(await failure(one)).toMatch(/^yt-dlp is not installed on the server.*Install yt-dlp/);
  expect(one.state.problem).toMatch(/Install yt-dlp/);
});

test("reports no problem before the first link, which starts the download", async () => {
  const one = downloader();
  expect(await one.look()).toMatchObject({
    works: false,
    why: "it is fetched when the first link comes",
  });
  expect(one.state.problem).toBe("");
  expect(site.asked).toEqual([]);
});

test("a canceled song does not cancel the download for other songs", async () => {
  site.release("2026.10.26", says("2026.10.26", 3_000_000));
  const one = downloader();
  const leaving = new AbortController();
  const left = take(one, { signal: leaving.signal, onFetch: () => leaving.abort(new Error("the lease is lost")) });
  const stayed = take(one);
  await expect(left).rejects.toThrow("the lease is lost");
  expect(await stayed).toMatchObject({ version: "2026.10.26" });
});

describe("a downloaded version", () => {
  const renewed = async (one: Downloader, version: string) => {
    await expect.poll(() => readdir(join(folder, "yt-dlp"))).toContain(version);
    await expect.poll(() => one.state.fetching).toBe(null);
  };
  const dayLater = async () => {
    const file = join(folder, "yt-dlp/asked.json");
    const asked = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...asked, at: asked.at - 25 * 3600_000 }));
  };

  test("is renewed at most once a day, after a song's download, and its predecessor is kept", async () => {
    const one = downloader();
    for (const version of ["2026.01.01", "2026.02.01"]) {
      site.release(version, says(version));
      await one.update(report());
    }
    site.release("2026.03.01", says("2026.03.01"));
    site.asked.length = 0;
    expect(await take(one)).toMatchObject({ version: "2026.02.01" });
    expect(site.asked).toEqual([]);
    await dayLater();
    expect(await take(one)).toMatchObject({ version: "2026.02.01" });
    await renewed(one, "2026.03.01");
    expect(await kept()).toEqual(["2026.02.01", "2026.03.01", "asked.json"]);
    expect(await take(one)).toMatchObject({ version: "2026.03.01" });
  });

  test("is not deleted while in use, however many newer versions follow", async () => {
    const one = downloader();
    site.release("2026.01.01", says("2026.01.01"));
    await one.use(report(), async (program) => {
      for (const version of ["2026.02.01", "2026.03.01", "2026.04.01"]) {
        site.release(version, says(version));
        await one.update(report());
      }
      expect(await readFile(program.path, "utf8")).toContain("2026.01.01");
    });
    expect(await kept()).toEqual(["2026.01.01", "2026.03.01", "2026.04.01", "asked.json"]);
  });

  test("stays in use if no newer one can be downloaded, without an error for any song", async () => {
    const one = downloader();
    site.release("2026.01.01", says("2026.01.01"));
    await one.update(report());
    await dayLater();
    site.odd = (_path, response) => !!response.writeHead(500).end();
    expect(await take(one)).toMatchObject({ version: "2026.01.01" });
    await expect.poll(() => warnings.join()).toMatch(/was not renewed/);
    expect(one.state.problem).toBe("");
    site.asked.length = 0;
    await take(one);
    expect(site.asked).toEqual([]);
  });
});

describe("a newer version is requested once the site rejects the current one", () => {
  const newer = (one: Downloader, { version }: Program) => one.newerThan(version, report());

  test("and not again within ten minutes, even after a failure", async () => {
    const one = downloader();
    site.release("2026.01.01", says("2026.01.01"));
    const old = await one.update(report());
    site.asked.length = 0;
    expect(await newer(one, old)).toBeUndefined();
    expect(site.asked).toEqual([]);
    await rm(join(folder, "yt-dlp/asked.json"));
    expect(await newer(one, old)).toBeUndefined();
    await newer(one, old);
    expect(site.asked).toEqual(["/releases/latest"]);
    await rm(join(folder, "yt-dlp/asked.json"));
    site.release("2026.02.01", says("2026.02.01"));
    expect(await newer(one, old)).toMatchObject({ version: "2026.02.01" });
  });

  test("and a failed request is only logged", async () => {
    const one = downloader();
    site.release("2026.01.01", says("2026.01.01"));
    const old = await one.update(report());
    await rm(join(folder, "yt-dlp/asked.json"));
    site.odd = (_path, response) => !!response.writeHead(404).end();
    expect(await newer(one, old)).toBeUndefined();
    expect(warnings.join()).toMatch(/a newer yt-dlp could not be fetched: 127/);
  });
});

test("a killed download blocks no other one, and its leftovers are deleted after an hour", async () => {
  site.release("2026.10.26", says("2026.10.26"));
  await mkdir(join(folder, "yt-dlp"));
  const fetching = spawn(
    process.execPath,
    [
      ...["--input-type=module-typescript", "-e"],
      `import { withFetchLock } from ${JSON.stringify(join(import.meta.dirname, "fetch-lock.ts"))};
       await withFetchLock(process.argv[1], { signal: AbortSignal.timeout(60_000), onWait: () => {} }, (tell) => {
         tell(0.4);
         console.log("fetching");
         return new Promise((resolve) => setTimeout(resolve, 60_000));
       });`,
      join(folder, "yt-dlp"),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(fetching.stdout, "data");
  await writeFile(join(folder, "yt-dlp/.fetch-old"), "half");
  const old = new Date(Date.now() - 2 * 3600_000);
  await utimes(join(folder, "yt-dlp/.fetch-old"), old, old);
  const shares: number[] = [];
  const waiting = take(
    downloader(),
    report((share) => shares.push(share)),
  );
  await expect.poll(() => shares).toContain(0.4);
  expect(site.asked).toEqual([]);
  fetching.kill("SIGKILL");
  expect(await waiting).toMatchObject({ version: "2026.10.26" });
  expect(await kept()).toEqual(["2026.10.26", "asked.json"]);
});
