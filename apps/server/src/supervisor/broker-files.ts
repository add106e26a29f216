import type { ChildProcess } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { STREAMS } from "@followspot/contract";
import { every } from "../platform/every.ts";

const LOOK_MS = 250;
/**
 * So many looks in a row find files missing before a broker is ended. A stream that is made anew with other limits has no
 * folder for a moment, which is a long one on a busy machine.
 */
const LOOKS = 5;
/** A stream of another program may go. */
const OURS: ReadonlySet<string> = new Set(Object.values(STREAMS).map(({ name }) => name));

/**
 * Ends a broker whose files were deleted under it, so that it is started again and makes them anew. Left alone it would
 * refuse some messages and take others that no consumer ever gets.
 *
 * @param store its `store_dir`
 */
export async function endWithoutFiles(child: ChildProcess, store: string, log: (line: string) => void): Promise<void> {
  let known = await filesIn(store);
  let missed = 0;
  const look = async () => {
    const found = await filesIn(store);
    const isMissing = known.root !== found.root || known.streams.some((name) => !found.streams.includes(name));
    missed = isMissing ? missed + 1 : 0;
    if (missed === LOOKS) {
      endLooks();
      log("The broker's files are missing.");
      child.kill("SIGKILL"); // asked to end it would first write to files that cannot be read any more
    }
    if (!isMissing) known = found;
  };
  const endLooks = every(LOOK_MS, "looking at the broker's files", look, log);
  child.once("exit", endLooks);
}

/** Inode of the folder a broker keeps everything in, and the names of our streams that have a folder there. */
async function filesIn(store: string): Promise<{ readonly root?: number; readonly streams: readonly string[] }> {
  const root = join(store, "jetstream");
  const [stats, streams] = await Promise.all([stat(root).catch(none), streamsIn(root)]);
  return { ...(stats && { root: stats.ino }), streams };
}

/** Streams of every account: communities that share a broker have one each. */
async function streamsIn(root: string): Promise<readonly string[]> {
  const entries = (await readdir(root, { withFileTypes: true }).catch(none)) ?? [];
  const accounts = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = accounts.map(async (account) => {
    const names = (await readdir(join(root, account, "streams")).catch(none)) ?? [];
    return names.filter((name) => OURS.has(name)).map((name) => join(account, name));
  });
  return (await Promise.all(found)).flat();
}

function none(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
