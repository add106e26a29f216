import { Worker } from "node:worker_threads";
import { demoFileName, type DemoSongName } from "../demo-songs/demo-songs.ts";
import type { Caller } from "../platform/caller.ts";
import type { SongFiles } from "./song-files.ts";
import { findSongByFile, type SongRow } from "./songs.store.ts";
import { storeOriginal, type Received } from "./store-original.ts";
import type { Sql } from "../platform/database.ts";

/** SHA-256 of their bytes. Where they come out otherwise a song is made to find out that it is there. */
const DEMO_HASHES: Readonly<Record<DemoSongName, string>> = {
  house: "6a06bdb251f65ce30489974ddcfe9a5b0d80e92516d5e7a3cf73260b951b65fa",
  rock: "0a9b779eeff8493ca0961e948f18d4452178c9ac57fe8ac51d041f7457de8b21",
  ballad: "be81ef1166dd21ef40ddc6b5b58c5ac36da095912a48ab8bcfafdb4bc71f7d9f",
};

/** Adds a demo song, or answers with the one that is there. Calls take turns, so that it is made once. */
export function createDemoAdder(ports: {
  readonly sql: Sql;
  readonly files: SongFiles;
}): (caller: Caller, name: DemoSongName) => Promise<SongRow> {
  let turn: Promise<unknown> = Promise.resolve();
  return (caller, name) => {
    const added = turn.then(async () => {
      const there = await findSongByFile(ports.sql, DEMO_HASHES[name]);
      return there ?? (await storeOriginal(ports, caller, demoFileName(name), (path) => writeDemo(path, name))).song;
    });
    turn = added.catch(() => undefined); // told to its own caller
    return added;
  };
}

/** In a thread of its own: it is some seconds of work, and others are served meanwhile. */
function writeDemo(path: string, name: DemoSongName): Promise<Received> {
  const thread = new Worker(new URL("./demo-song-thread.ts", import.meta.url), { workerData: { path, name }, env: {} });
  return new Promise((resolve, reject) => {
    thread
      .on("message", resolve)
      .on("error", reject)
      .on("exit", () => reject(new Error("the thread ended without a song")));
  });
}
