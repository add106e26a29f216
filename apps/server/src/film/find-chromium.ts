import { isExecutable } from "../platform/programs.ts";
import { packagedChromium } from "./packaged-chromium.ts";

/** A browser that runs without a window. */
export interface Chromium {
  readonly path: string;
  readonly args: readonly string[];
}

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const ALWAYS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--no-first-run",
  "--enable-unsafe-swiftshader",
];

/** Chromium of the machine, else the headless build of the npm package, which is there where tests can run. */
export async function findChromium(named: string | undefined): Promise<Chromium | undefined> {
  for (const path of named === undefined ? INSTALLED : [named]) {
    if (await isExecutable(path)) return { path, args: ["--headless=new", "--ignore-gpu-blocklist", ...ALWAYS] };
  }
  if (named !== undefined) return undefined;
  try {
    const { path, args } = await packagedChromium();
    return { path, args: [...args, ...ALWAYS, "--use-gl=angle", "--use-angle=swiftshader"] };
  } catch {
    return undefined; // installed without what tests need, or a platform it has no build for
  }
}
