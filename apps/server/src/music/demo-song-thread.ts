import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { synthesiseDemo, type DemoSongName } from "../demo-songs/demo-songs.ts";
import type { Received } from "./store-original.ts";

/** A thread for the seconds of work a demo song is. It is told which and the path, and says what it has written. */
const { path, name } = workerData as { readonly path: string; readonly name: DemoSongName }; // as writeDemo gives it
const song = synthesiseDemo(name);
await writeFile(path, song);
const received: Received = { size: song.length, hash: createHash("sha256").update(song).digest("hex") };
parentPort?.postMessage(received);
