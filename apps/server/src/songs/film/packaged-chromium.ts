import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isExecutable, plainEnvironment } from "../../platform/process/programs.ts";
import { ROOT } from "../../platform/settings.ts";

const PACKAGE = "@sparticuz/chromium";

/**
 * Returns the headless Chromium of the npm package, unpacked once. The package itself accepts any file at its fixed
 * scratch path as a complete browser: one that another process is unpacking, the rest of a crashed process, or an older
 * version.
 * @param place folder to unpack into
 * @throws Error if the package is not installed or the folder cannot be written
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
    // In a separate process, because the package unpacks to the scratch folder of the environment.
    const script = `await (await import(${JSON.stringify(PACKAGE)})).default.executablePath()`;
    const options = { cwd: import.meta.dirname, env: plainEnvironment(scratch) };
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], options);
    await rename(scratch, home);
  } catch (why) {
    await rm(scratch, { recursive: true, force: true });
    // Another process was faster.
    if (!(await isExecutable(join(home, "chromium")))) throw why;
  }
}
