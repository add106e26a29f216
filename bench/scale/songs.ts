import { setTimeout as pause } from "node:timers/promises";
import { synthesiseSong } from "../../apps/server/src/testing/synthetic-song.ts";
import { until } from "../../e2e/testing/product.ts";
import { cpuSecondsOf } from "../api/cpu.ts";
import { startAwayWorker, unfinished, upload, type ReachedOffice } from "../workers/away-worker.ts";
import { spentSince, type Office, type Part } from "./office.ts";
import { openPacedHost } from "./paced-host.ts";

const LONGEST_MS = 20 * 60_000;
const REST_MS = 10_000;

/** What songs cost with so many workers. Processor seconds are those of one song, without what the office needs at rest. */
export interface SongCost {
  readonly workers: number;
  readonly songsAnHour: number;
  readonly worker: number;
  readonly office: Readonly<Record<Part, number>>;
}

/**
 * Songs from their upload until they have light and stems.
 * @param cores pace of the host of each worker
 */
export async function measureSongs(
  office: Office,
  reached: ReachedOffice,
  of: { readonly workers: number; readonly cores: number; readonly songs: number; readonly seconds: number },
): Promise<SongCost> {
  const names = Array.from({ length: of.workers }, (_, n) => `Host ${of.workers}-${n + 1}`);
  const started = [];
  for (const name of names) {
    const host = await openPacedHost(name.replaceAll(" ", "-"), of.cores);
    const worker = await startAwayWorker(reached, name, reached.url, {
      FOLLOWSPOT_CONCURRENCY: "1",
      FOLLOWSPOT_YTDLP_RELEASES: "off",
    });
    const pid = worker.process.pid!; // it was started
    await host.add(pid);
    started.push({ host, worker, pid });
  }
  // No two songs are the same file.
  const song = (n: number) => synthesiseSong(of.seconds, 90 + of.workers * 20 + n);
  const bring = async (from: number, songs: number) => {
    for (let n = from; n < from + songs; n++) await upload(reached, `Bench ${of.workers}-${n}.wav`, song(n));
    await until(async () => (await unfinished(reached)) === 0, LONGEST_MS);
  };
  await bring(0, of.workers); // each has loaded what it works with
  const resting = office.seconds();
  await pause(REST_MS);
  const rest = spentSince(office, resting);
  const [office0, workers0] = [office.seconds(), started.map(({ pid }) => cpuSecondsOf(pid))];
  const began = performance.now();
  await bring(of.workers, of.songs);
  const ms = performance.now() - began;
  const workers = started.reduce((sum, { pid }, n) => sum + cpuSecondsOf(pid) - workers0[n]!, 0);
  const forSongs = Object.entries(spentSince(office, office0)).map(([part, seconds]) => [
    part,
    (seconds - (rest[part as Part] * ms) / REST_MS) / of.songs,
  ]);
  for (const { worker, host } of started) {
    await worker.stop();
    await host.remove();
  }
  return {
    workers: of.workers,
    songsAnHour: (of.songs * 3_600_000) / ms,
    worker: workers / of.songs,
    office: Object.fromEntries(forSongs) as Record<Part, number>, // the same parts
  };
}
