import type { ChildProcess } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { STREAMS } from "@followspot/contract";
import { every } from "../../platform/every.ts";

const LOOK_MS = 250;
/**
 * Consecutive checks with missing files before NATS is killed. A stream that is recreated with other limits has no
 * folder for a moment, which is a long one on a busy machine.
 */
const LOOKS = 5;
/** Our stream names; streams of other programs may disappear. */
const OURS: ReadonlySet<string> = new Set(Object.values(STREAMS).map(({ name }) => name));

/**
 * Kills a NATS server whose files were deleted at runtime, so that it is restarted and creates new ones. Otherwise it
 * would reject some messages and accept others that no consumer ever receives.
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
      child.kill("SIGKILL"); // on SIGTERM it would first write to files that can no longer be read
    }
    if (!isMissing) known = found;
  };
  const endLooks = every(LOOK_MS, "looking at the broker's files", look, log);
  child.once("exit", endLooks);
}

/** Returns the inode of NATS's storage folder, and the names of our streams that have a folder there. */
async function filesIn(store: string): Promise<{ readonly root?: number; readonly streams: readonly string[] }> {
  const root = join(store, "jetstream");
  const [stats, streams] = await Promise.all([stat(root).catch(none), streamsIn(root)]);
  return { ...(stats && { root: stats.ino }), streams };
}

/** Lists the streams of every account: communities that share NATS have one account each. */
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
