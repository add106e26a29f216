import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomic } from "../files/atomic-file.ts";

/** File in the data folder; the remedy in {@link hostFaults} names it. */
export const TIMELINE_FILE = "database-timeline.json";

const timelineSchema = z.object({
  /** Identifies the cluster; a standby has that of its primary. */
  system: z.string(),
  /** Increases with each promotion of a standby. */
  timeline: z.number(),
  /** Address that was in use when the timeline was first seen, without credentials. */
  host: z.string(),
});

/** Newest state of the database that this installation has used. */
export type SeenTimeline = z.infer<typeof timelineSchema>;

/** Response of one host of DATABASE_URL to a probe. */
export interface HostReport {
  readonly address: URL;
  readonly state: "writable" | "readable" | "refusing" | "silent";
  /** Reported by a writable host, unless its server has no such functions. */
  readonly position?: Pick<SeenTimeline, "system" | "timeline">;
  /** Start of the server; equal for two addresses of one server. */
  readonly startedAt?: string;
}

/** Decision about the hosts of one database. */
export interface JudgedHosts {
  /** The only host that may be written to. */
  readonly chosen: HostReport | undefined;
  /** Writable hosts that must not be used, not even for reading. */
  readonly refused: readonly HostReport[];
  /** Newest state seen until now; undefined if no host has reported one. */
  readonly seen: SeenTimeline | undefined;
}

/**
 * Chooses the host to write to: of the writable hosts, the first on the newest timeline. A primary that crashed and
 * returns after its standby was promoted stays on the old timeline and is refused. So is a host of another cluster.
 * @param reports in the order of DATABASE_URL
 * @param current address in use, which wins over others on the same timeline
 */
export function judgeHosts(reports: readonly HostReport[], seen: SeenTimeline | undefined, current = ""): JudgedHosts {
  const writable = reports.filter(({ state }) => state === "writable");
  const system = seen?.system ?? writable.find(({ position }) => position)?.position?.system;
  const ofCluster = writable.filter(({ position }) => position?.system === system);
  const newest = Math.max(seen?.timeline ?? 0, ...ofCluster.map(({ position }) => position?.timeline ?? 0));
  const accepted = ofCluster.filter(({ position }) => (position?.timeline ?? 0) === newest);
  const preferred = [current, seen?.host].map((host) => accepted.find(({ address }) => hostOf(address) === host));
  const chosen = preferred.find(Boolean) ?? accepted[0];
  const isSameServer = (host: HostReport) =>
    accepted.includes(host) && host.startedAt !== undefined && host.startedAt === chosen?.startedAt;
  return {
    chosen,
    refused: writable.filter((host) => host !== chosen && !isSameServer(host)),
    seen: chosen?.position && newest !== seen?.timeline ? { ...chosen.position, host: hostOf(chosen.address) } : seen,
  };
}

/** Describes refused hosts and what to do, as sentences. */
export function hostFaults({ chosen, refused, seen }: JudgedHosts): readonly string[] {
  if (refused.length === 0) return [];
  const named = refused.map(describe).join(" and ");
  if (chosen)
    return [
      `Two hosts take changes: Followspot uses ${describe(chosen)} and refuses ${named}. Stop PostgreSQL on ${refused.map(({ address }) => hostOf(address)).join(" and ")}, or make it a standby.`,
    ];
  return [
    `The database is refused: ${named} takes changes, but this installation has already used timeline ${seen?.timeline} at ${seen?.host}. Start that host. If you restored or replaced the database on purpose, delete ${TIMELINE_FILE} in the data folder.`,
  ];
}

const describe = ({ address, position }: HostReport): string =>
  position ? `${hostOf(address)} (timeline ${position.timeline})` : hostOf(address);

/** Returns host and port without credentials. */
export const hostOf = ({ host }: URL): string => host;

/** Newest timeline seen, shared by all processes of a data folder and retained across restarts. */
export class TimelineMemory {
  readonly #file: string | undefined;
  #seen: SeenTimeline | undefined;
  /** Timeline that could not be written to the file. */
  #unwritten: SeenTimeline | undefined;

  /** @param dataDir undefined keeps it in memory only */
  constructor(dataDir: string | undefined) {
    this.#file = dataDir && join(dataDir, TIMELINE_FILE);
  }

  /** Reads the file each time: another process may have written it, and an operator may have deleted it. */
  async read(): Promise<SeenTimeline | undefined> {
    if (this.#file === undefined) return this.#seen;
    if (this.#unwritten) await this.write(this.#unwritten);
    if (this.#unwritten) return this.#unwritten;
    try {
      return (this.#seen = timelineSchema.parse(JSON.parse(await readFile(this.#file, "utf8"))));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return (this.#seen = undefined);
      if (this.#seen) return this.#seen;
      throw new Error(`${this.#file} cannot be read. Repair or delete it.`, { cause: error });
    }
  }

  /** Never rejects: a full disk must not end the connections. The next read writes again. */
  async write(seen: SeenTimeline): Promise<void> {
    this.#seen = seen;
    if (this.#file === undefined) return;
    const written = writeFileAtomic(this.#file, JSON.stringify(seen), String(process.pid), 0o600);
    this.#unwritten = await written.then(() => undefined, () => seen); // prettier-ignore
  }
}
