import type { GrantedJob, JobStep, PlanInputs } from "@followspot/contract";
import { STEM_FILES } from "../audio/write-stems.ts";
import { COVER_FILES } from "./song-cover.ts";
import { planName } from "./song-files.ts";

type IsFile = (name: string) => boolean;

const among =
  (...names: readonly string[]): IsFile =>
  (name) =>
    names.includes(name);

/** What a download has got waits in here for the next attempt. Its name keeps it out of backups. */
export const KEPT_PARTS = "download.tmp";

export const isSource: IsFile = (name) => name.startsWith("source.") && !name.includes(".tmp");
const isKeptPart: IsFile = (name) => name.startsWith(`${KEPT_PARTS}/`);

/** The number of a song's plan by the name of its file; undefined for other files. */
export function planNumber(name: string): number | undefined {
  if (name === planName(0)) return 0;
  const digits = /^lighting\.(\d+)\.json$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Files of the song, by their names in its folder, that a step reads. */
export const NEEDS: Record<JobStep, IsFile> = {
  download: (name) => isSource(name) || isKeptPart(name),
  analysis: among("audio.mp3"),
  stems: among("audio.mp3", "hybrid.json"),
  lighting: among("hybrid.json", COVER_FILES.large),
};

/** Files that a step leaves. Those it no longer wants, it removes. */
export const RESULTS: Record<JobStep, IsFile> = {
  download: (name) =>
    isSource(name) || isKeptPart(name) || among("audio.mp3", COVER_FILES.small, COVER_FILES.large)(name),
  analysis: among("hybrid.json"),
  stems: among(...Object.values(STEM_FILES), "hybrid.json"),
  lighting: (name) => planNumber(name) !== undefined,
};

/** Plans that are no longer listed. Those with higher numbers are another worker's. */
export function unwantedPlans(
  names: readonly string[],
  { number, kept_numbers }: Pick<PlanInputs, "number" | "kept_numbers">,
): string[] {
  const last = kept_numbers.length > 0 ? 0 : 1; // the one without a number is played until another one is kept
  return names.filter((name) => {
    const its = planNumber(name);
    return its !== undefined && its >= last && its < number && !kept_numbers.includes(its);
  });
}

/** Order in which the results of a step are kept: a file that says that others are there comes after them. */
export const writtenLast = (a: string, b: string): number =>
  Number(namesOthers(a)) - Number(namesOthers(b)) || a.localeCompare(b);

const namesOthers = among("hybrid.json", COVER_FILES.large);

/**
 * Files that a step would have removed, had it worked where the song is kept.
 * @param kept names of the song's files
 * @param there results in the folder in which it worked
 * @param written those among them that it made
 */
export function outdatedFiles(
  { step, plan }: Pick<GrantedJob, "step" | "plan">,
  kept: readonly string[],
  there: readonly string[],
  written: readonly string[],
): string[] {
  switch (step) {
    case "download": {
      const isReplaced = written.some(isSource);
      return kept.filter((name) => !there.includes(name) && (isKeptPart(name) || (isReplaced && isSource(name))));
    }
    case "lighting":
      return plan ? unwantedPlans(kept, plan) : [];
    case "analysis":
    case "stems":
      return [];
    default:
      return step satisfies never;
  }
}
