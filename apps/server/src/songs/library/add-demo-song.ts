import { copyFile, stat } from "node:fs/promises";
import { DEMO_SONGS, demoFileName, demoSongPath, type DemoSongName } from "../demo-songs/demo-songs.ts";
import type { Caller } from "../../platform/caller.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { findSongByFile, type SongRow } from "../catalog/songs.store.ts";
import { storeOriginal, type Received } from "./store-original.ts";
import type { Sql } from "../../platform/database/database.ts";

/** Adds a demo song, or returns the one that exists. Calls run one after the other, so that it is added once. */
export function createDemoAdder(ports: {
  readonly sql: Sql;
  readonly files: SongFiles;
}): (caller: Caller, name: DemoSongName) => Promise<SongRow> {
  let turn: Promise<unknown> = Promise.resolve();
  return (caller, name) => {
    const added = turn.then(async () => {
      const { sha256, formerSha256 } = DEMO_SONGS[name];
      const there = (await findSongByFile(ports.sql, sha256)) ?? (await findSongByFile(ports.sql, formerSha256));
      return there ?? (await storeOriginal(ports, caller, demoFileName(name), (path) => copySong(name, path))).song;
    });
    turn = added.catch(() => undefined); // its own caller receives the error
    return added;
  };
}

async function copySong(name: DemoSongName, path: string): Promise<Received> {
  await copyFile(demoSongPath(name), path);
  return { size: (await stat(path)).size, hash: DEMO_SONGS[name].sha256 };
}
