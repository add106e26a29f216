import { Worker } from "node:worker_threads";
import type { Caller } from "../platform/caller.ts";
import type { SongFiles } from "./song-files.ts";
import { findSongByFile, type SongRow } from "./songs.store.ts";
import { storeOriginal, type Received } from "./store-original.ts";
import type { Sql } from "../platform/database.ts";

/** What the song of our own is called: nobody takes it for somebody's. */
const DEMO_NAME = "Followspot - Demo song.wav";
/** SHA-256 of its bytes. Where they come out otherwise it is made to find out that it is there. */
const DEMO_HASH = "4f6e3c6104da541d1dba4c29c5afaf48b94a79bd59b62c73af5765febf7f8edd";

/** Adds the demo song, or answers with the one that is there. Calls take turns, so that it is made once. */
export function createDemoAdder(ports: {
  readonly sql: Sql;
  readonly files: SongFiles;
}): (caller: Caller) => Promise<SongRow> {
  let turn: Promise<unknown> = Promise.resolve();
  return (caller) => {
    const added = turn.then(async () => {
      const there = await findSongByFile(ports.sql, DEMO_HASH);
      return there ?? (await storeOriginal(ports, caller, DEMO_NAME, writeDemo)).song;
    });
    turn = added.catch(() => undefined); // told to its own caller
    return added;
  };
}

/** In a thread of its own: it is a second and a half of work, and others are served meanwhile. */
function writeDemo(path: string): Promise<Received> {
  const thread = new Worker(new URL("./demo-song-thread.ts", import.meta.url), { workerData: { path }, env: {} });
  return new Promise((resolve, reject) => {
    thread
      .on("message", resolve)
      .on("error", reject)
      .on("exit", () => reject(new Error("the thread ended without a song")));
  });
}
