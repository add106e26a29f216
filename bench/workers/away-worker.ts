import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "../../apps/server/src/platform/database/database.ts";
import { ROOT } from "../../e2e/testing/product.ts";

/** An office as a bench reaches it. */
export interface ReachedOffice {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of an Admin. */
  readonly token: string;
  readonly sql: Sql;
}

export interface AwayWorker {
  readonly process: ChildProcess;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * A worker as on a machine of its own: it knows an address and a token, and has a folder of its own.
 * @param server by which it reaches the office
 */
export async function startAwayWorker(
  office: ReachedOffice,
  name: string,
  server = office.url,
  more: NodeJS.ProcessEnv = {},
): Promise<AwayWorker> {
  const token = await addWorker(office, name);
  const home = await mkdtemp(join(tmpdir(), "followspot-bench-worker-"));
  // As root helper programs have an account of their own, which must be able to get in.
  await chmod(home, 0o755);
  const words = [join(ROOT, "apps/server/dist/main-away-worker.js"), "--server", server, "--token", token];
  const env = { PATH: process.env.PATH, HOME: home, FOLLOWSPOT_DATA_DIR: join(home, "data"), ...more };
  const child = spawn(process.execPath, words, { env, stdio: "ignore" });
  return {
    process: child,
    stop: async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** @returns its token */
export async function addWorker({ url, token }: ReachedOffice, name: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const path = `${url}/followspot.queues.v1.QueuesService/AddWorker`;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify({ name }) });
  return ((await answer.json()) as { token: string }).token;
}

/** @returns id of the song */
export async function upload({ url, token }: ReachedOffice, name: string, song: Uint8Array): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "x-file-name": name };
  const body = song as NonNullable<RequestInit["body"]>;
  const answer = await fetch(`${url}/api/songs/upload`, { method: "POST", headers, body });
  return ((await answer.json()) as { song: { id: string } }).song.id;
}

/** Steps of songs that wait or are at work. */
export async function unfinished({ sql }: ReachedOffice): Promise<number> {
  const [row] = await sql<{ jobs: number }[]>`
    select count(*)::int as jobs from song_jobs where state in ('queued', 'running')`;
  return row?.jobs ?? 0;
}
