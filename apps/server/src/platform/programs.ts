import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Settings } from "./settings.ts";

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
