import { parentPort, workerData } from "node:worker_threads";
import { FixtureFileError, readFixtureFile } from "@followspot/lighting/fixture-formats";
import type { FixtureFile, ThreadReading } from "./read-fixture-files.ts";

// One after the other, each told as it is read: what one file does to this thread costs that file alone.
for (const file of workerData as readonly FixtureFile[]) parentPort?.postMessage(read(file)); // only read-fixture-files.ts starts this file

function read({ name, bytes }: FixtureFile): ThreadReading {
  try {
    return { fixture: readFixtureFile(name, bytes) };
  } catch (error) {
    if (!(error instanceof FixtureFileError)) throw error;
    return { reason: error.message };
  }
}
