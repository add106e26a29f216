import { parentPort, workerData } from "node:worker_threads";
import { FixtureFileError, readWorkspace } from "@followspot/lighting/fixture-formats";
import type { WorkspaceReading } from "./read-fixture-files.ts";

parentPort?.postMessage(read(workerData as Uint8Array)); // only read-fixture-files.ts starts this file

function read(bytes: Uint8Array): WorkspaceReading {
  try {
    return readWorkspace(bytes);
  } catch (error) {
    if (!(error instanceof FixtureFileError)) throw error;
    return { reason: error.message };
  }
}
