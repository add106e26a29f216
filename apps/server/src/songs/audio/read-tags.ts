import { z } from "zod";
import { plainEnvironment } from "../../platform/process/programs.ts";
import { startOwnProgram } from "./child-program.ts";

/** Largest embedded picture that is read, bytes. */
const MAX_COVER_BYTES = 5_000_000;
const MAX_PRINTED_BYTES = 2 * MAX_COVER_BYTES;
const READ_MS = 10_000;

/** Tags of an audio file; "" and undefined if missing. */
export interface Tags {
  readonly title: string;
  readonly artist: string;
  /** The embedded picture, unchanged: of any type, and possibly invalid. */
  readonly cover: Uint8Array | undefined;
}

const NO_TAGS: Tags = { title: "", artist: "", cover: undefined };
const printed = z.object({ title: z.string(), artist: z.string(), cover: z.base64() });

/** Reads the tags of an audio file. A file without readable tags is still a valid song. */
export async function readTags(path: string, signal: AbortSignal): Promise<Tags> {
  const program = startOwnProgram(new URL("./read-tags-child.ts", import.meta.url), [path, String(MAX_COVER_BYTES)], {
    timeoutMs: READ_MS,
    signal,
    helper: { reads: [path] },
    env: plainEnvironment(),
  });
  const chunks: Buffer[] = [];
  let size = 0;
  program.process.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_PRINTED_BYTES) program.kill();
    else chunks.push(chunk);
  });
  try {
    const { code } = await program.done;
    if (code !== 0) return NO_TAGS;
    const { title, artist, cover } = printed.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    return { title, artist, cover: cover ? Buffer.from(cover, "base64") : undefined };
  } catch {
    return NO_TAGS; // timeout or invalid output
  }
}
