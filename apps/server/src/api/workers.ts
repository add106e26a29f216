import type { WorkerDownloader } from "../songs/library/video.routes.ts";
import type { Sql } from "../platform/database/database.ts";
import type { Presence } from "../operations/queues/presence.ts";
import { workersHere } from "../machines/workers/workers.store.ts";

export interface Workers {
  /** Returns all live workers that process songs. */
  readonly all: () => Promise<readonly WorkerDownloader[]>;
  /** Returns all live workers that accept links. */
  readonly downloaders: () => Promise<readonly WorkerDownloader[]>;
}

/** Finds workers on this and other machines; those on other machines are unknown while the database is away. */
export function findWorkers(sql: Sql, presence: Presence): Workers {
  const elsewhere = () => workersHere(sql).catch(() => []);
  return {
    all: async () => [...presence.list("worker"), ...(await elsewhere())],
    downloaders: async () => [
      // One of an earlier release accepts links without reporting it.
      ...presence.list("worker"),
      ...(await elsewhere()).filter(({ downloader }) => downloader),
    ],
  };
}
