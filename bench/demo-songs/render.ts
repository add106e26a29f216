/**
 * Renders the scores of the demo songs into the MP3 files that the server ships, and prints what
 * `apps/server/src/songs/demo-songs/demo-songs.ts` says of them. About a minute.
 *
 *   npm run demo-songs
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { encodeMp3 } from "../../apps/server/src/songs/audio/encode-mp3.ts";
import { demoSongPath, type DemoSongName } from "../../apps/server/src/songs/demo-songs/demo-songs.ts";
import { RATE } from "./instruments.ts";
import { play } from "./play.ts";
import { SCORES } from "./scores.ts";

for (const [name, score] of Object.entries(SCORES)) {
  const path = demoSongPath(name as DemoSongName);
  await encodeMp3(play(score), path, { sampleRate: RATE, attempt: "render" });
  const bytes = await readFile(path);
  process.stdout.write(`${name}: ${bytes.length} bytes, ${createHash("sha256").update(bytes).digest("hex")}\n`);
}
