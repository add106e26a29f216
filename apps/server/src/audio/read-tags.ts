import { z } from "zod";
import { plainEnvironment } from "../platform/programs.ts";
import { startOwnProgram } from "./child-program.ts";

/** A larger picture inside a file is left there. */
const MAX_COVER_BYTES = 5_000_000;
const MAX_PRINTED_BYTES = 2 * MAX_COVER_BYTES;
const READ_MS = 10_000;

/** What a file says about its song; "" and undefined where it says nothing. */
export interface Tags {
  readonly title: string;
  readonly artist: string;
  /** The picture as it lies in the file: of any type, perhaps none at all. */
  readonly cover: Uint8Array | undefined;
}

const NO_TAGS: Tags = { title: "", artist: "", cover: undefined };
const printed = z.object({ title: z.string(), artist: z.string(), cover: z.base64() });

/** Read the tags of an audio file. A file that has none, or whose tags cannot be read, is a song all the same. */
export async function readTags(path: string, signal: AbortSignal): Promise<Tags> {
  const program = startOwnProgram("./read-tags-child.ts", [path, String(MAX_COVER_BYTES)], {
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
    return NO_TAGS; // it took too long, or printed something else
  }
}
