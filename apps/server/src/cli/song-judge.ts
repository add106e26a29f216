import { describeShow, judgePlan } from "@followspot/lighting";
import { readShows, type HeardShow } from "./show-files.ts";
import { songVerb } from "./song-verb.ts";

const HELP = `song -- judge PLAN HYBRID [PLAN HYBRID ...] [--songs DIR]

Renders plans and prints what they measure as JSON, each on the three reference rigs.
PLAN     lighting.json      HYBRID   hybrid.json of the same song
One song:     {"passed", "words": [...], "rigs": [{"name", "gates", "lively", "measures"}]}
Several:      {"passed", "songs": [...]}
--songs DIR   every folder in DIR that holds a plan and a hybrid.json, as in songs/ of the data folder, in order of their
              names; of several plans the one with the highest number
Exit code 0 whatever the verdict is. npm run bench:rivals compares plans with other ways to light their songs, and draws them.`;

/** Measures plans against their songs; see HELP. */
export const songJudge = songVerb(HELP, { songs: { type: "string" } }, async ({ values, paths }) => {
  const shows = readShows(paths, values.songs);
  const songs = shows.map((show, i) => judgeSong(show, shows[i - 1]));
  const answer = songs.length === 1 ? songs[0]! : { passed: songs.every((song) => song.passed), songs };
  process.stdout.write(`${JSON.stringify(answer, undefined, 2)}\n`);
});

function judgeSong({ name, plan, analysis }: HeardShow, before: HeardShow | undefined) {
  const { passed, rigs } = judgePlan(plan, analysis);
  const failed = rigs.flatMap((rig) =>
    rig.gates.filter((gate) => !gate.passed).map((gate) => `${rig.name}: ${gate.id} ${gate.name}`),
  );
  console.error(`${name ? `${name}: ` : ""}${passed ? "all gates passed" : `failed: ${failed.join("; ")}`}`);
  return { song: plan.song_id, passed, words: describeShow(plan, analysis, before?.plan), rigs };
}
