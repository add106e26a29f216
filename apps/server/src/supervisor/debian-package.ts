import { execFile } from "node:child_process";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isExecutable } from "../platform/programs.ts";

const run = promisify(execFile);

/**
 * Download a package of Debian and unpack it, with apt's lists and cache in the same folder: neither root nor a fresh
 * `apt-get update` is needed.
 *
 * @param folder an empty one of the caller's, who takes it away
 * @returns the folder the package's files lie in
 * @throws when this is not Debian, or the package cannot be had
 */
export async function unpackDebianPackage(name: string, folder: string): Promise<string> {
  if (!(await isExecutable("/usr/bin/apt-get"))) throw new Error("this is not Debian");
  await mkdir(join(folder, "lists/partial"), { recursive: true });
  await mkdir(join(folder, "cache/archives/partial"), { recursive: true });
  // apt drops to its own user for downloads, who must be able to get in.
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
