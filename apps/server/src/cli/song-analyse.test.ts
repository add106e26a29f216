import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { songAnalysisSchema } from "@followspot/contract";
import { wavFile } from "../songs/audio/wav.ts";
import { ROOT } from "../platform/settings.ts";
import { folderUntil } from "../testing/open-until.ts";

const folder = await folderUntil(afterAll);
const clicks = join(folder, "clicks.wav");
const sound = Float32Array.from({ length: 8 * 44_100 }, (_, n) => (n % 22_050 < 900 ? 0.6 * Math.sin(n / 5) : 0));
await writeFile(clicks, wavFile(sound, sound, 44_100));
const ffmpeg = "#!/bin/sh\necho 'error while loading shared libraries: libavdevice.so.59: cannot open' >&2; exit 127\n";
await writeFile(join(folder, "ffmpeg"), ffmpeg, { mode: 0o755 });

test("analyzes a song and writes its stems with a broken ffmpeg, which is reported beside the JSON", async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, "apps/server/dist/song.js"), "analyse", clicks, "--stems", join(folder, "stems")],
    { env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) }, maxBuffer: 64e6 },
  );
  expect(Math.abs(songAnalysisSchema.parse(JSON.parse(stdout)).tempo - 120)).toBeLessThan(2);
  expect(stderr).toMatch(/^ffmpeg .* does not work as it should: the shared library libavdevice\.so\.59 is missing/m);
  expect(await readdir(join(folder, "stems"))).toHaveLength(5);
});
