import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Control groups in their first and in their second version. */
const FIRST = "/sys/fs/cgroup/cpu";
const SECOND = "/sys/fs/cgroup";
/** Short, so that nothing waits long for its turn. */
const PERIOD_US = 20_000;

/** Why hosts cannot be held to a pace on this machine; undefined where they can. */
export function lackOfPace(): string | undefined {
  if (process.platform !== "linux") return "Control groups are a thing of Linux.";
  if (process.getuid?.() !== 0) return "Control groups are made by root: run it as root.";
  return existsSync(join(FIRST, "cgroup.procs")) || existsSync(join(SECOND, "cgroup.procs"))
    ? undefined
    : "There are no control groups in /sys/fs/cgroup.";
}

/** Processes that together get a share of one core and no more: a slow host of its own, whatever runs beside it. */
export interface PacedHost {
  /** The process and all that it starts from now on. */
  add(pid: number): Promise<void>;
  /** Once its processes have ended. */
  remove(): Promise<void>;
}

/**
 * It comes before what else runs on the machine, ten to one, so that it has its pace there too.
 * @param cores 0.05 to as many as there are
 */
export async function openPacedHost(name: string, cores: number): Promise<PacedHost> {
  const isFirst = existsSync(join(FIRST, "cgroup.procs"));
  const group = join(isFirst ? FIRST : SECOND, `followspot-bench-${name}`);
  await mkdir(group, { recursive: true });
  const quotaUs = Math.round(cores * PERIOD_US);
  const set = (file: string, text: string) => writeFile(join(group, file), text);
  if (isFirst) {
    await set("cpu.cfs_period_us", String(PERIOD_US));
    await set("cpu.cfs_quota_us", String(quotaUs));
    await set("cpu.shares", "10240");
  } else {
    await set("cpu.max", `${quotaUs} ${PERIOD_US}`);
    await set("cpu.weight", "1000");
  }
  return { add: (pid) => set("cgroup.procs", String(pid)), remove: () => rmdir(group) };
}
