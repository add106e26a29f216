/**
 * A program of its own: `read-tags-child.ts FILE` prints what a file says about its song as JSON,
 * `{"title", "artist", "cover"}`, the cover as base64. A file made to hang or crash its reader costs
 * this program only.
 */
import { parseFile, selectCover } from "music-metadata";
import { MAX_COVER_BYTES } from "./read-tags.ts";

const [path = ""] = process.argv.slice(2);
const { common } = await parseFile(path, { duration: false });
const cover = selectCover(common.picture)?.data;
process.stdout.write(
  JSON.stringify({
    title: common.title ?? "",
    artist: common.artist ?? "",
    cover: cover && cover.length <= MAX_COVER_BYTES ? Buffer.from(cover).toString("base64") : "",
  }),
);
