import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { synthesiseDemo } from "../audio/demo-song.ts";
import type { Received } from "./store-original.ts";

/** A thread for the second and a half of work the demo song is. It is told the path, and says what it has written. */
const { path } = workerData as { readonly path: string }; // as writeDemo gives it
const song = await synthesiseDemo();
await writeFile(path, song);
const received: Received = { size: song.length, hash: createHash("sha256").update(song).digest("hex") };
parentPort?.postMessage(received);
