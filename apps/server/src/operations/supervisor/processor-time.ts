import { readFile } from "node:fs/promises";

/**
 * Returns the processor time that a process has used, in clock ticks. If the system does not provide it, each call
 * returns another value, so that a starting process counts as working.
 */
export async function processorTicks(pid: number | undefined): Promise<number> {
  const fields = await statFields(pid);
  // Fields 14 and 15: user and system time.
  return fields ? Number(fields[11]) + Number(fields[12]) : performance.now();
}

/**
 * Returns how long the main thread of a process has used a processor or waited for one, ms. A thread for which this does
 * not grow had nothing to do, is stopped, or is blocked.
 * @returns undefined while it waits for a disk, and where the system does not provide the time
 */
export async function runnableMs(pid: number | undefined): Promise<number | undefined> {
  const [times, fields] = await Promise.all([
    readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => ""), // some container runtimes have none
    statFields(pid),
  ]);
  const [running, waiting] = times.split(" ").map(Number);
  if (waiting === undefined || fields?.[0] === "D") return undefined;
  return (running! + waiting) / 1e6;
}

/** Fields of proc_pid_stat(5) from the third on, which follow the program's name, because that may contain spaces. */
async function statFields(pid: number | undefined): Promise<readonly string[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}
