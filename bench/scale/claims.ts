import { openDatabase, type Sql } from "../../apps/server/src/platform/database/database.ts";
import { nextQueued } from "../../apps/server/src/songs/processing/song-jobs.store.ts";
import type { ReachedOffice } from "../workers/away-worker.ts";
import { queueSongs, timeClaims } from "../workers/claims.ts";

const TRIES = 400;

/** What it takes to find and to claim the next song, where so many wait. */
export interface ClaimCost {
  readonly queued: number;
  readonly find: Spread;
  readonly claim: Spread;
  /** Pages of 8 kB that the database looks at to find it, before the claims and after them. */
  readonly buffers: number;
  readonly buffersAfter: number;
}

/** Milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export async function measureClaims(reached: ReachedOffice, databaseUrl: string, queued: number): Promise<ClaimCost> {
  await queueSongs(reached, queued);
  const connection = openDatabase(databaseUrl, 1);
  try {
    const buffers = await buffersOf(connection);
    const { findMs, claimMs } = await timeClaims(reached, TRIES);
    return {
      queued,
      find: spreadOf(findMs),
      claim: spreadOf(claimMs),
      buffers,
      buffersAfter: await buffersOf(connection),
    };
  } finally {
    await connection.end();
  }
}

/** On a connection of its own, whose counts PostgreSQL writes down when asked to (`pg_stat_force_next_flush`). */
async function buffersOf(connection: Sql): Promise<number> {
  const rounds = 100;
  const find = () => nextQueued(connection, ["lighting", "analysis", "download"]);
  await find(); // reads the catalogue
  const before = await looked(connection);
  for (let round = 0; round < rounds; round++) await find();
  return ((await looked(connection)) - before) / rounds;
}

async function looked(connection: Sql): Promise<number> {
  await connection`select pg_stat_force_next_flush()`;
  const [row] = await connection<{ pages: number }[]>`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as pages
    from pg_statio_user_tables where relname in ('songs', 'song_jobs')`;
  return row!.pages; // a sum is always answered
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const part = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { p50: part(0.5), p99: part(0.99) };
}
