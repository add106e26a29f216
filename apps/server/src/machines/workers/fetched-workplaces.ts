import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GrantedJob } from "@followspot/contract";
import { RESULTS } from "../../songs/catalog/step-files.ts";
import { StepError } from "../../songs/processing/step-error.ts";
import type { Workplace, Workplaces } from "../../songs/processing/workplace.ts";
import { hashOfFile } from "../../platform/files/hash-of-file.ts";
import { ServerRefused } from "../machine-door.ts";
import type { ServerDoor } from "./server-door.ts";

/**
 * Returns workplaces in separate folders below `root`. Inputs are fetched from the server, and results are uploaded
 * file by file. A file that the step has not changed is not uploaded.
 */
export function fetchedWorkplaces(door: ServerDoor, root: string): Workplaces {
  return {
    open: (job, signal) => openWorkplace(door, join(root, `${job.job_id}-${job.attempt}`), job, signal),
    // Folders of ended attempts are already deleted; those of earlier runs are deleted at startup.
    removeDead: async () => 0,
  };
}

async function openWorkplace(
  door: ServerDoor,
  folder: string,
  job: GrantedJob,
  signal: AbortSignal,
): Promise<Workplace> {
  const close = () => rm(folder, { recursive: true, force: true });
  await close();
  await mkdir(folder, { recursive: true });
  const fetched = new Map<string, string>();
  const said = <Result>(work: () => Promise<Result>) => door.untilBack(signal, work).catch(unlessRefused);
  try {
    for (const { name } of await said(() => door.listFiles(job, signal)))
      fetched.set(name, await said(() => door.fetchFile(job, name, join(folder, name), signal)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder,
    keep: async () => {
      for (const name of (await readdir(folder)).filter(RESULTS[job.step])) {
        const path = join(folder, name);
        const hash = await hashOfFile(path);
        if (hash !== fetched.get(name)) await said(() => door.putFile(job, name, path, hash, signal));
      }
    },
    close,
  };
}

/** Turns a rejection into a step error that allows a retry, possibly on another machine. */
function unlessRefused(error: unknown): never {
  if (error instanceof ServerRefused) throw new StepError(`The server refused a file: ${error.message}`, true);
  throw error;
}
