import { isExecutable } from "../../platform/process/programs.ts";
import { packagedChromium } from "./packaged-chromium.ts";

/** A headless browser. */
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

/**
 * Returns the machine's Chromium, otherwise the headless build of the npm package, which is installed with the test
 * dependencies.
 */
export async function findChromium(named: string | undefined): Promise<Chromium | undefined> {
  for (const path of named === undefined ? INSTALLED : [named]) {
    if (await isExecutable(path)) return { path, args: ["--headless=new", "--ignore-gpu-blocklist", ...ALWAYS] };
  }
  if (named !== undefined) return undefined;
  try {
    const { path, args } = await packagedChromium();
    return { path, args: [...args, ...ALWAYS, "--use-gl=angle", "--use-angle=swiftshader"] };
  } catch {
    return undefined; // installed without test dependencies, or no build for this platform
  }
}
