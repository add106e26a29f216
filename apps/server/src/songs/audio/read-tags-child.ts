/**
 * A separate program: `read-tags-child.ts FILE BYTES` prints a file's tags as JSON, `{"title", "artist", "cover"}`,
 * with a cover of at most BYTES as base64. A malicious file can hang or crash only this program.
 */
import { open } from "node:fs/promises";
import { parseBuffer, parseFile, selectCover } from "music-metadata";
import { id3v24Length, mendPlainSizes } from "./id3-sizes.ts";
import { tagText } from "./tag-text.ts";

/** Longest tag whose lengths are checked, and the bytes behind it that identify the file as an MP3. */
const MOST_TAG_BYTES = 32_000_000;
const SOUND_BYTES = 65_536;

const [path = "", coverBytes = "0"] = process.argv.slice(2);
const mended = await mendedTag();
const options = { duration: false };
const { common } = mended
  ? await parseBuffer(mended, { mimeType: "audio/mpeg" }, options)
  : await parseFile(path, options);
const cover = selectCover(common.picture)?.data;
process.stdout.write(
  JSON.stringify({
    title: tagText(common.title ?? ""),
    artist: tagText(common.artist ?? ""),
    cover: cover && cover.length <= Number(coverBytes) ? Buffer.from(cover).toString("base64") : "",
  }),
);

/** Returns the start of an MP3 whose ID3v2.4 tag had plain lengths, corrected; undefined for other files. */
async function mendedTag(): Promise<Uint8Array | undefined> {
  const file = await open(path, "r");
  try {
    const head = new Uint8Array(10);
    await file.read(head, 0, head.length, 0);
    const length = id3v24Length(head) ?? Infinity;
    if (length > MOST_TAG_BYTES) return undefined;
    const bytes = new Uint8Array(length + SOUND_BYTES);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead < length || !mendPlainSizes(bytes.subarray(0, length))) return undefined;
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
