import { every } from "../../platform/every.ts";
import { readSecrets, type Secrets } from "../../platform/files/secrets.ts";

const LOOK_MS = 1000;

/**
 * Detects that a backup was restored into the data folder: its key is written there just before its rows become
 * visible.
 * @param since secrets at the start of the processes
 * @returns function that stops the checks
 */
export function followRestore(
  dataDir: string,
  since: Secrets,
  onRestore: (secrets: Secrets) => Promise<void>,
  warn: (line: string) => void,
): () => void {
  let known = since.restored_at;
  const look = async () => {
    const secrets = await readSecrets(dataDir);
    if (secrets.restored_at === known) return;
    known = secrets.restored_at;
    await onRestore(secrets);
  };
  return every(LOOK_MS, "taking up a restored backup", look, warn);
}
