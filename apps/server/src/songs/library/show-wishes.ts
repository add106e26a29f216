import { isDeepStrictEqual } from "node:util";
import { GROUP_TYPES, showWishesSchema, type LightingPlan, type ShowWishes } from "@followspot/contract";
import { seedsOfSong } from "@followspot/lighting";
import type { Caller } from "../../platform/caller.ts";
import { change, done } from "../../platform/database/change.ts";
import type { Sql, Tx } from "../../platform/database/database.ts";
import { conflict, invalid, notFound, overtaken } from "../../platform/errors.ts";
import { findRevision } from "../catalog/plan-revisions.store.ts";
import { hasOddText } from "../catalog/odd-text.ts";
import type { SongFiles } from "../catalog/song-files.ts";
import { cancelSteps, startStep } from "../processing/song-jobs.ts";
import { findWishes, storeWishes } from "../catalog/song-wishes.store.ts";
import { groupIds } from "../processing/song-jobs.store.ts";
import { findSong, lockSong, songEntry, type SongRow } from "../catalog/songs.store.ts";
import { clock, wishesWords } from "../catalog/wishes-words.ts";

/** Shortest locked cue, s; a shorter one would be invisible. */
const SHORTEST_CUE = 0.05;
/** Tolerance for rounded times, s. */
const SLACK = 1e-3;

/**
 * Stores the show settings of a song and queues its planning, in one transaction. A plan in progress from the old
 * settings is canceled. Saving the same settings again, for example after a lost response, changes nothing. Lock order:
 * the song, then its jobs.
 *
 * @param madeOn revision the settings are based on; any other than the current one is rejected
 * @returns the song and the revision that is stored now
 */
export async function saveWishes(
  sql: Sql,
  files: SongFiles,
  caller: Caller,
  songId: string,
  wishes: ShowWishes,
  madeOn: number,
): Promise<{ revision: number; song: SongRow }> {
  return change(sql, caller, async (tx) => {
    const song = await lockPlannable(tx, songId);
    const before = await findWishes(tx, songId);
    if (isDeepStrictEqual(before.wishes, wishes)) return done({ revision: before.revision, song });
    if (before.revision !== madeOn)
      throw overtaken("Another person changed this show meanwhile. Load their wishes, then make yours again.");
    const plan = await files.readPlan(songId, song.plan_number);
    requireFit(wishes, plan, new Set(await groupIds(tx)));
    const said = wishesWords(before.wishes, wishes, plan);
    const revision = await storeAndPlan(tx, caller, song, wishes, said);
    const after = (await findSong(tx, songId)) ?? song;
    const kept = { before: summary(before.wishes), after: summary(wishes) };
    return done({ revision, song: after }, songEntry(after, "restyled", kept));
  });
}

/**
 * Plans the next of a song's possible shows, whatever the last one was. A plan in progress with the old seed is
 * canceled.
 */
export async function replanSong(sql: Sql, caller: Caller, songId: string): Promise<SongRow> {
  return change(sql, caller, async (tx) => {
    const song = await lockPlannable(tx, songId);
    const { wishes } = await findWishes(tx, songId);
    const played = wishes.seed || (await findRevision(tx, songId, song.plan_number))?.seed;
    const seeds = seedsOfSong(songId);
    const seed = seeds[(seeds.indexOf(played ?? 0) + 1) % seeds.length]!;
    await storeAndPlan(tx, caller, song, { ...wishes, seed }, ["another show"]);
    const after = (await findSong(tx, songId)) ?? song;
    return done(after, songEntry(after, "replanned", { before: { seed: wishes.seed }, after: { seed } }));
  });
}

/** @throws invalid if the text is not valid show settings; the message names the invalid field */
export function parseWishes(json: string): ShowWishes {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw invalid("wishesJson: is not JSON");
  }
  const parsed = showWishesSchema.safeParse(value);
  if (parsed.success) {
    if (hasOddText(parsed.data)) throw invalid("wishesJson: a text holds control characters. Take them out.");
    return parsed.data;
  }
  const [issue] = parsed.error.issues;
  const [first, second] = issue?.path ?? [];
  if (first === "seed" || (first === "section_seeds" && issue?.code !== "invalid_key" && second !== undefined))
    throw invalid("wishesJson: a seed is a whole number from 0 to 4294967295. Choose another one.");
  throw invalid(`wishesJson: ${issue?.path.join(".") || "it"}: ${issue?.message ?? "no wishes of a show"}`);
}

/**
 * Rejects show settings that no plan of this song could satisfy.
 * @throws invalid with the remedy
 */
export function requireFit(wishes: ShowWishes, plan: LightingPlan | undefined, groups: ReadonlySet<string>): void {
  const rolled = Object.keys(wishes.section_seeds).map(Number);
  if (!plan) {
    if (rolled.length + wishes.kept.length > 0)
      throw conflict("This song has no show yet. Roll sections and lock cues when it is ready.");
    return;
  }
  const sections = plan.sections?.length ?? 0;
  const missing = rolled.find((index) => index >= sections);
  if (missing !== undefined)
    throw invalid(
      `There is no section ${missing + 1} in this show, which has ${sections}. Load the show again and roll one of its sections.`,
    );
  const isKnown = (target: string) =>
    target === "all" ||
    groups.has(target) ||
    GROUP_TYPES.some((type) => target === `role:${type}`) ||
    Object.hasOwn(plan.event_lanes, target);
  for (const { target, cue } of wishes.kept) {
    if (!isKnown(target))
      throw invalid(`A locked cue is for "${target.slice(0, 60)}", which is neither a group nor a role. Unlock it.`);
    if (cue.duration < SHORTEST_CUE)
      throw invalid(`The locked cue at ${clock(cue.time)} is shorter than ${SHORTEST_CUE} s. Make it longer.`);
    if (cue.time + cue.duration > plan.duration + SLACK)
      throw invalid(`The locked cue at ${clock(cue.time)} reaches beyond the end of the song. Trim or unlock it.`);
  }
  for (const [target, kept] of Map.groupBy(wishes.kept, (one) => one.target)) {
    const cues = kept.map(({ cue }) => cue).toSorted((a, b) => a.time - b.time);
    const at = cues.findIndex((cue, i) => i > 0 && cue.time < cues[i - 1]!.time + cues[i - 1]!.duration - SLACK);
    if (at > 0)
      throw invalid(
        `Two locked cues of ${target} overlap at ${clock(cues[at]!.time)}. Move, trim or unlock one of them.`,
      );
  }
}

async function lockPlannable(tx: Tx, songId: string): Promise<SongRow> {
  const song = await lockSong(tx, songId);
  if (!song) throw notFound("Song", songId);
  if (song.analysis_status !== "ready") throw conflict("This song is not analysed yet. Use Retry Analysis.");
  return song;
}

/** Keeps the descriptions of changes since the last finished plan, because plans in between may have been canceled. */
async function storeAndPlan(
  tx: Tx,
  caller: Caller,
  song: SongRow,
  wishes: ShowWishes,
  said: readonly string[],
): Promise<number> {
  const before = await findWishes(tx, song.id);
  const planned = (await findRevision(tx, song.id, song.plan_number))?.wishes_revision ?? 0;
  const all = planned === before.revision ? said : [...new Set([...before.said, ...said])];
  const revision = await storeWishes(tx, song.id, wishes, all);
  await cancelSteps(tx, song.id, ["lighting"]);
  await startStep(tx, song.id, "lighting", caller.userId);
  return revision;
}

/** Summarizes show settings for the audit log, which cannot hold all cues. */
export const summary = ({ seed, mood, section_seeds, kept }: ShowWishes) => ({
  seed,
  mood,
  sections_rolled: Object.keys(section_seeds).length,
  cues_kept: kept.length,
});
