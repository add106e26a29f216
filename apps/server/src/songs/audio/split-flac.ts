/** Longest header of a FLAC frame, which starts with `SYNC`. */
const HEADER_BYTES = 16;
const SYNC = 0xff;
/** Most bytes held back from a block. */
const MOST_HELD = 4096;

/**
 * Splits FLAC so that no block ends inside a frame's header or where a frame ends. The decoder overlooks such a frame,
 * and loses as many frames at the end.
 */
export async function* splitFlac(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array();
  for await (const chunk of source) {
    const bytes = Buffer.concat([held, chunk]);
    const end = splitAt(bytes);
    held = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  yield held;
}

/** Returns the last place that no sync code is at or shortly before. */
function splitAt(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - MOST_HELD);
  for (let end = bytes.length - 1; end > least;) {
    const sync = bytes.lastIndexOf(SYNC, end);
    if (sync < end - HEADER_BYTES) return end;
    end = sync - 1;
  }
  return least;
}
