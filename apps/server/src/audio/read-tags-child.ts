/**
 * A program of its own: `read-tags-child.ts FILE BYTES` prints what a file says about its song as JSON,
 * `{"title", "artist", "cover"}`, a cover of no more than BYTES as base64. A file made to hang or crash its reader costs
 * this program only.
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
