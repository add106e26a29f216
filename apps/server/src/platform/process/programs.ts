import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Settings } from "../settings.ts";

/** Result of testing a helper program at startup. */
export interface ProgramReport {
  readonly name: string;
  /** "" if there is none. */
  readonly path: string;
  /** "" if unknown. */
  readonly version: string;
  readonly works: boolean;
  /** Why the program does not work and what is used instead, as a clause; "" if it works. */
  readonly why: string;
}

/** Formats a report as one sentence for the log. */
export function describeProgram({ name, path, version, works, why }: ProgramReport): string {
  if (!works && !path) return `${name} is not on this machine: ${why}`;
  const title = [name, version, path && `(${path})`].filter(Boolean).join(" ");
  return works ? `${title} works` : `${title} does not work as it should: ${why}`;
}

/** Variables with the paths of programs and libraries; all other variables are withheld. */
const KEPT = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

/**
 * Returns the environment for child programs, without our settings, addresses and secrets.
 * @param home their home and temporary folder
 */
export function plainEnvironment(home: string = tmpdir()): NodeJS.ProcessEnv {
  return { PATH: "/usr/bin:/bin", ...environmentOf(KEPT), LANG: "C.UTF-8", HOME: home, TMPDIR: home };
}

/** Returns the named variables that are set here. */
export function environmentOf(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Returns the ffmpeg for decoding and encoding; undefined to use the built-in programs. */
export async function findFfmpeg(settings: Settings): Promise<string | undefined> {
  return settings.FOLLOWSPOT_FFMPEG ?? (await findOnPath("ffmpeg"));
}

/** Returns the full path of a program in PATH. */
export async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (folder && (await isExecutable(join(folder, program)))) return join(folder, program);
  }
  return undefined;
}
