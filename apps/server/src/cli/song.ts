type Run = (args: string[]) => Promise<number>;

/** Steps of the song pipeline as commands: JSON on stdout, progress on stderr. Each command loads its own code only. */
const VERBS: Record<string, { readonly load: () => Promise<Run>; readonly does: string }> = {
  analyse: {
    load: () => import("./song-analyse.ts").then(({ songAnalyse }) => songAnalyse),
    does: "FILE → hybrid.json: beats, key, sections, drops",
  },
  plan: {
    load: () => import("./song-plan.ts").then(({ songPlan }) => songPlan),
    does: "hybrid.json → lighting.json: what each group of lamps does, and why",
  },
  frames: {
    load: () => import("./song-frames.ts").then(({ songFrames }) => songFrames),
    does: "lighting.json + rig → DMX frames",
  },
  judge: {
    load: () => import("./song-judge.ts").then(({ songJudge }) => songJudge),
    does: "lighting.json + hybrid.json → safety gates and quality measures",
  },
  still: {
    load: () => import("./song-still.ts").then(({ songStill }) => songStill),
    does: "lighting.json + rig → a picture of the preview at one moment (PNG)",
  },
  film: {
    load: () => import("./song-film.ts").then(({ songFilm }) => songFilm),
    does: "lighting.json + rig → a short film of the preview (MP4, WebM, WebP, GIF)",
  },
  play: {
    load: () => import("./song-play.ts").then(({ songPlay }) => songPlay),
    does: "lighting.json + rig → Art-Net or sACN on the wire",
  },
  replay: {
    load: () => import("./song-replay.ts").then(({ songReplay }) => songReplay),
    does: "a recorded show → the same slots on the wire again",
  },
};

// The reader may close the pipe early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const [verb = "--help", ...args] = process.argv.slice(2);
const known = VERBS[verb];
if (known) {
  const run = await known.load();
  process.exitCode = await run(args);
} else {
  const isHelp = verb === "--help" || verb === "-h";
  const lines = Object.entries(VERBS).map(([name, { does }]) => `  ${name.padEnd(9)}${does}`);
  const text = `${isHelp ? "" : `${verb.startsWith("-") ? "Unknown option" : "There is no verb"} ${verb}.\n\n`}npm run -s song -- VERB …\n\n${lines.join("\n")}\n\nEach verb explains itself with --help. Exit codes: 0 done, 1 wrong use, 2 bad input.\n`;
  (isHelp ? process.stdout : process.stderr).write(text);
  process.exitCode = isHelp ? 0 : 1;
}
