import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Full path of a program on PATH. */
export async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (folder && (await isExecutable(join(folder, program)))) return join(folder, program);
  }
  return undefined;
}
