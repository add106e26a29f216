import { readFile } from "node:fs/promises";

/** Whether a process is running. A zombie process is not. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat === undefined ? process.platform !== "linux" : !/\) Z /.test(stat);
}
