import { access, constants } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Settings } from "./settings.ts";

/** What trying a helper program at the start has shown. */
export interface ProgramReport {
  readonly name: string;
  /** "" when there is none. */
  readonly path: string;
  /** "" when it does not say. */
  readonly version: string;
  readonly works: boolean;
  /** Why it does not work and what is done instead, as a clause; "" when it works. */
  readonly why: string;
}

/** A report as one sentence for the log. */
export function describeProgram({ name, path, version, works, why }: ProgramReport): string {
  if (!works && !path) return `${name} is not on this machine: ${why}`;
  const title = [name, version, path && `(${path})`].filter(Boolean).join(" ");
  return works ? `${title} works` : `${title} does not work as it should: ${why}`;
}

/** Where programs and their libraries are; nothing else of our environment is handed on. */
const KEPT = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"];

/**
 * The environment of a program we start: no setting, address or secret of ours.
 * @param home its home and scratch folder
 */
export function plainEnvironment(home: string = tmpdir()): NodeJS.ProcessEnv {
  return { PATH: "/usr/bin:/bin", ...environmentOf(KEPT), LANG: "C.UTF-8", HOME: home, TMPDIR: home };
}

/** Those of the named variables that are set here. */
export function environmentOf(names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** The ffmpeg to decode and encode with; undefined leaves it to our own programs. */
export async function findFfmpeg(settings: Settings): Promise<string | undefined> {
  return settings.FOLLOWSPOT_FFMPEG ?? (await findOnPath("ffmpeg"));
}

/** Full path of a program on PATH. */
export async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (folder && (await isExecutable(join(folder, program)))) return join(folder, program);
  }
  return undefined;
}
