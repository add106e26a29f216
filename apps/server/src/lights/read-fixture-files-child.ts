/**
 * A program of its own, started by read-fixture-files.ts alone: is sent files, and tells what each came to as soon as it is
 * read. What one file does to this process costs that file alone.
 */
import { FixtureFileError, readFixtureFile, readWorkspace } from "@followspot/lighting/fixture-formats";
import type { FileTold, ReaderTask, Told, WorkspaceReading } from "./read-fixture-files.ts";

process.once("message", async (message) => {
  const task = message as ReaderTask;
  if ("workspace" in task) return tell(() => readWorkspace(task.workspace));
  for (const { name, bytes } of task.files) await tell(() => ({ fixture: readFixtureFile(name, bytes) }));
});

/** Resolves once it has left this process, which ends when what started it has ended. */
async function tell(read: () => FileTold | WorkspaceReading): Promise<void> {
  const fault = await new Promise((sent) => process.send?.(tried(read), sent));
  if (fault) process.exit();
}

function tried(read: () => FileTold | WorkspaceReading): Told<FileTold | WorkspaceReading> {
  try {
    return { reading: read() };
  } catch (error) {
    if (error instanceof FixtureFileError) return { reading: { reason: error.message } };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
