/**
 * A separate program: `read-tags-child.ts FILE BYTES` prints a file's tags as JSON, `{"title", "artist", "cover"}`,
 * with a cover of at most BYTES as base64. A malicious file can hang or crash only this program.
 */
import { parseFile, selectCover } from "music-metadata";

const [path = "", coverBytes = "0"] = process.argv.slice(2);
const { common } = await parseFile(path, { duration: false });
const cover = selectCover(common.picture)?.data;
process.stdout.write(
  JSON.stringify({
    title: common.title ?? "",
    artist: common.artist ?? "",
    cover: cover && cover.length <= Number(coverBytes) ? Buffer.from(cover).toString("base64") : "",
  }),
);
