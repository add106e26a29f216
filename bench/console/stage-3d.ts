/**
 * What the stage in three dimensions costs in a browser without a graphics card: script of each frame, frames a second,
 * and how long a key waits. Bars: 4 ms of script with 32 lamps, 10 frames a second at 640x360, keys within 200 ms.
 *
 *   npm run bench:stage
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../../e2e/testing/browser.ts";
import type { StageFigures, StageRun } from "./stage-page/page.ts";

const BARS = { scriptMs: 4, framesPerSecond: 10, keyMs: 200 };
const RUNS: readonly StageRun[] = [
  { rig: "32 lamps", width: 640, height: 360, seconds: 8, step: 0 },
  { rig: "32 lamps", width: 640, height: 360, seconds: 20 },
  { rig: "32 lamps", width: 1280, height: 720, seconds: 20 },
  { rig: "120 heads", width: 640, height: 360, seconds: 20 },
];
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

const built = await mkdtemp(join(tmpdir(), "followspot-stage-"));
const browser = await openBrowser(["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]);
try {
  build();
  const page = await browser.newPage();
  await page.route("http://stage/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    const contentType = TYPES[extname(pathname)] ?? "application/octet-stream";
    await route.fulfill({ contentType, body: await readFile(join(built, pathname)) });
  });
  await page.goto("http://stage/index.html");
  await page.waitForFunction(() => "runStage" in window);
  const perFrame = "heads  size       step  script ms: median  p95   frames/s   key ms: median  worst";
  console.log(perFrame);
  let isHeld = true;
  for (const run of RUNS) {
    const drawing = page.evaluate((what) => window.runStage(what), run);
    let isDone = false;
    const keys = (async () => {
      while (!isDone) {
        await page.keyboard.press("a");
        await page.waitForTimeout(400);
      }
    })();
    const figures = await drawing;
    isDone = true;
    await keys;
    isHeld = print(run, figures) && isHeld;
  }
  console.log(isHeld ? "every bar holds" : "a bar does not hold");
  process.exitCode = isHeld ? 0 : 1;
} finally {
  await browser.close();
  await rm(built, { recursive: true, force: true });
}

/** The page of the bench, as the console is built. */
function build(): void {
  const vite = fileURLToPath(new URL("../../node_modules/vite/bin/vite.js", import.meta.url));
  const page = fileURLToPath(new URL("stage-page", import.meta.url));
  const args = [vite, "build", page, "--outDir", built, "--emptyOutDir", "--logLevel", "error"];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("The page of the bench could not be built.");
}

/** @returns whether the bars hold that are set for it */
function print(run: StageRun, { heads, scriptMs, framesPerSecond, step, keyMs }: StageFigures): boolean {
  const script = scriptMs.toSorted((a, b) => a - b);
  const keys = keyMs.toSorted((a, b) => a - b);
  const at = (values: readonly number[], share: number) =>
    values[Math.floor(share * (values.length - 1))] ?? Number.NaN;
  const columns = [
    String(heads).padStart(5),
    `${run.width}x${run.height}`.padStart(9),
    `${run.step === undefined ? "to" : "at"} ${step}`.padStart(6),
    at(script, 0.5).toFixed(2).padStart(18),
    at(script, 0.95).toFixed(2).padStart(6),
    framesPerSecond.toFixed(1).padStart(10),
    at(keys, 0.5).toFixed(0).padStart(16),
    at(keys, 1).toFixed(0).padStart(6),
  ];
  console.log(columns.join(" "));
  const isBarred = run.rig === "32 lamps" && run.width === 640 && run.step === undefined;
  const isFast = !isBarred || framesPerSecond >= BARS.framesPerSecond;
  return at(script, 0.5) <= BARS.scriptMs && isFast && at(keys, 0.5) <= BARS.keyMs;
}
