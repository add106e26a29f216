import { parentPort, workerData } from "node:worker_threads";
import { FixtureFileError, readFixtureFile } from "@followspot/lighting/fixture-formats";
import type { FixtureFile, ThreadReading } from "./read-fixture-files.ts";

const files = workerData as readonly FixtureFile[]; // only read-fixture-files.ts starts this file
parentPort?.postMessage(files.map(read));

function read({ name, bytes }: FixtureFile): ThreadReading {
  try {
    return { fixture: readFixtureFile(name, bytes) };
  } catch (error) {
    if (!(error instanceof FixtureFileError)) throw error;
    return { reason: error.message };
  }
}
