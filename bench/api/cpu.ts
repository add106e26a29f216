import { readFileSync, readdirSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  readonly parent: number;
  /** Seconds of its own and of children that ended. */
  readonly seconds: number;
}

/** Processor seconds a process and everything below it have used so far, after proc(5). */
export function cpuSecondsOf(root: number): number {
  const all = new Map<number, ProcessTimes>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const times = readTimes(name);
    if (times) all.set(Number(name), times);
  }
  const isBelow = (pid: number): boolean => {
    const parent = all.get(pid)?.parent;
    return pid === root || (parent !== undefined && parent > 1 && isBelow(parent));
  };
  return [...all].reduce((sum, [pid, { seconds }]) => (isBelow(pid) ? sum + seconds : sum), 0);
}

/** Resident memory, MB: now, and the most there ever was. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { now: Math.round(kilobytes("VmRSS") / 1024), peak: Math.round(kilobytes("VmHWM") / 1024) };
}

function readTimes(pid: string): ProcessTimes | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; what follows does not.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined; // it has ended meanwhile
  }
}
