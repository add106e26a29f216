import type { MadePlan } from "@followspot/contract";
import { LED_PALETTES } from "@followspot/lighting";
import type { Tx } from "../../platform/database/database.ts";
import { findRevision, insertRevision, type RevisionRow } from "../catalog/plan-revisions.store.ts";
import type { JobRow } from "./song-jobs.store.ts";
import { AUTOMATIC, findPaletteChoice, HARMONY } from "../catalog/song-palettes.store.ts";
import { findWishes } from "../catalog/song-wishes.store.ts";
import { updateSong, type SongRow } from "../catalog/songs.store.ts";

/** Stores a finished plan as the song's current show, with its inputs. Callers hold the locks of song and job. */
export async function keepPlan(
  tx: Tx,
  song: SongRow,
  job: JobRow,
  { in_evening, ...made }: MadePlan & { readonly palette: readonly string[] },
): Promise<void> {
  const before = await findRevision(tx, song.id, song.plan_number);
  // These match the start of planning: a change of show settings or palette cancels a running plan.
  const { wishes, revision, said } = await findWishes(tx, song.id);
  const { selected } = await findPaletteChoice(tx, song.id);
  const now = { palette_choice: selected, corrections_revision: job.corrections_revision, wishes_revision: revision };
  await insertRevision(tx, song.id, {
    ...made,
    ...now,
    wishes,
    number: job.plan_number,
    made_by: job.asked_by,
    changed: before ? changedWords(before, now, said, in_evening) : ["first show"],
  });
  await updateSong(tx, song.id, { plan_number: job.plan_number, show_remark: made.remark });
}

type PlanSource = Pick<RevisionRow, "palette_choice" | "corrections_revision" | "wishes_revision">;

function changedWords(before: PlanSource, now: PlanSource, said: readonly string[], inEvening: boolean): string[] {
  const words = [
    ...(before.wishes_revision === now.wishes_revision ? [] : said),
    ...(before.palette_choice === now.palette_choice ? [] : [paletteWords(now.palette_choice)]),
    ...(before.corrections_revision === now.corrections_revision ? [] : ["corrections"]),
  ];
  if (words.length > 0) return words;
  return [inEvening ? "planned for the playlist that plays" : "planned again"];
}

function paletteWords(selected: string): string {
  if (selected === AUTOMATIC) return "the planner's own colors";
  if (selected === HARMONY) return "colors of the harmony";
  return `colors: ${LED_PALETTES.find(({ id }) => id === selected)?.name ?? selected}`;
}
