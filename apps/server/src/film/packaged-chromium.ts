import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isExecutable, plainEnvironment } from "../platform/programs.ts";
import { ROOT } from "../platform/settings.ts";

const PACKAGE = "@sparticuz/chromium";

/**
 * The headless Chromium of the npm package, unpacked once. The package itself takes whatever lies at one place in the
 * folder for scratch for a whole browser: also what another process is unpacking, what a killed one left there, and an
 * older version.
 * @param place folder it lies in
 * @throws Error when it is not installed, or the place cannot be written
 */
export async function packagedChromium(
  place = join(ROOT, ".cache"),
): Promise<{ readonly path: string; readonly args: readonly string[] }> {
  const { default: packaged } = await import("@sparticuz/chromium");
  const { version } = JSON.parse(readFileSync(findPackageJSON(PACKAGE, import.meta.url)!, "utf8"));
  const home = join(place, `chromium-${version}`);
  const path = join(home, "chromium");
  if (!(await isExecutable(path))) await unpackTo(home);
  return { path, args: packaged.args };
}

async function unpackTo(home: string): Promise<void> {
  await mkdir(dirname(home), { recursive: true });
  const scratch = await mkdtemp(`${home}-`);
  try {
    // In a process of its own, because the package unpacks to where the environment says scratch belongs.
    const script = `await (await import(${JSON.stringify(PACKAGE)})).default.executablePath()`;
    const options = { cwd: import.meta.dirname, env: plainEnvironment(scratch) };
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options);
    await rename(scratch, home);
  } catch (why) {
    await rm(scratch, { recursive: true, force: true });
    // Another process was sooner.
    if (!(await isExecutable(join(home, "chromium")))) throw why;
  }
}
