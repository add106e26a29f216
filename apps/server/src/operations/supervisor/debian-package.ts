import { execFile } from "node:child_process";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isExecutable } from "../../platform/process/programs.ts";

const run = promisify(execFile);

/**
 * Downloads and unpacks a Debian package, with apt's lists and cache in the same folder, so that neither root nor a
 * recent `apt-get update` is needed.
 *
 * @param folder an empty folder, which the caller deletes
 * @returns the folder of the package's files
 * @throws if this is not Debian or the package is not available
 */
export async function unpackDebianPackage(name: string, folder: string): Promise<string> {
  if (!(await isExecutable("/usr/bin/apt-get"))) throw new Error("this is not Debian");
  await mkdir(join(folder, "lists/partial"), { recursive: true });
  await mkdir(join(folder, "cache/archives/partial"), { recursive: true });
  // apt switches to its own user for downloads, which needs access.
  await chmod(folder, 0o755);
  const options = [`Dir::State::lists=${folder}/lists`, `Dir::Cache=${folder}/cache`, "APT::Sandbox::User=", "Debug::NoLocking=1"]; // prettier-ignore
  const apt = (...args: string[]) =>
    run("apt-get", ["-q", ...options.flatMap((option) => ["-o", option]), ...args], { cwd: folder, timeout: 180_000 });
  await apt("update");
  await apt("download", name);
  const deb = (await readdir(folder)).find((file) => file.endsWith(".deb"));
  if (!deb) throw new Error("apt gave no package");
  await run("dpkg-deb", ["-x", deb, "unpacked"], { cwd: folder });
  return join(folder, "unpacked");
}
