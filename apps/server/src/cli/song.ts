import { songAnalyse } from "./song-analyse.ts";
import { songFilm } from "./song-film.ts";
import { songFrames } from "./song-frames.ts";
import { songJudge } from "./song-judge.ts";
import { songPlan } from "./song-plan.ts";
import { songPlay } from "./song-play.ts";
import { songReplay } from "./song-replay.ts";
import { songStill } from "./song-still.ts";

/** Every step of the line by hand: JSON on stdout, progress on stderr. */
const VERBS: Record<string, { readonly run: (args: string[]) => Promise<number>; readonly does: string }> = {
  analyse: { run: songAnalyse, does: "FILE → hybrid.json: beats, key, sections, drops" },
  plan: { run: songPlan, does: "hybrid.json → lighting.json: what each group of lamps does, and why" },
  frames: { run: songFrames, does: "lighting.json + rig → DMX frames" },
  judge: { run: songJudge, does: "lighting.json + hybrid.json → safety gates and quality measures" },
  still: { run: songStill, does: "lighting.json + rig → a picture of the preview at one moment (PNG)" },
  film: { run: songFilm, does: "lighting.json + rig → a short film of the preview (MP4, WebM, WebP, GIF)" },
  play: { run: songPlay, does: "lighting.json + rig → Art-Net or sACN on the wire" },
  replay: { run: songReplay, does: "a recorded show → the same slots on the wire again" },
};

// The reader of the lines may close the pipe early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const [verb = "--help", ...args] = process.argv.slice(2);
const known = VERBS[verb];
if (known) {
  process.exitCode = await known.run(args);
} else {
  const isHelp = verb === "--help" || verb === "-h";
  const lines = Object.entries(VERBS).map(([name, { does }]) => `  ${name.padEnd(9)}${does}`);
  const text = `${isHelp ? "" : `There is no verb ${verb}.\n\n`}npm run -s song -- VERB …\n\n${lines.join("\n")}\n\nEach verb explains itself with --help. Exit codes: 0 done, 1 wrong use, 2 bad input.\n`;
  (isHelp ? process.stdout : process.stderr).write(text);
  process.exitCode = isHelp ? 0 : 1;
}
