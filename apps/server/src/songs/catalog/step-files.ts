import type { GrantedJob, JobStep, PlanInputs } from "@followspot/contract";
import { STEM_FILES } from "../audio/write-stems.ts";
import { COVER_FILES } from "./song-cover.ts";
import { planName } from "./song-files.ts";

type IsFile = (name: string) => boolean;

const among =
  (...names: readonly string[]): IsFile =>
  (name) =>
    names.includes(name);

/** Folder for partial downloads, used by the next attempt. Its name excludes it from backups. */
export const KEPT_PARTS = "download.tmp";

export const isSource: IsFile = (name) => name.startsWith("source.") && !name.includes(".tmp");
const isKeptPart: IsFile = (name) => name.startsWith(`${KEPT_PARTS}/`);

/** Returns the number of a plan by its file name; undefined for other files. */
export function planNumber(name: string): number | undefined {
  if (name === planName(0)) return 0;
  const digits = /^lighting\.(\d+)\.json$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Song files, by name in its folder, that a step reads. */
export const NEEDS: Record<JobStep, IsFile> = {
  download: (name) => isSource(name) || isKeptPart(name),
  analysis: among("audio.mp3"),
  stems: among("audio.mp3", "hybrid.json"),
  lighting: among("hybrid.json", COVER_FILES.large),
};

/** Files that a step produces. It removes those that are no longer needed. */
export const RESULTS: Record<JobStep, IsFile> = {
  download: (name) =>
    isSource(name) || isKeptPart(name) || among("audio.mp3", COVER_FILES.small, COVER_FILES.large)(name),
  analysis: among("hybrid.json"),
  stems: among(...Object.values(STEM_FILES), "hybrid.json"),
  lighting: (name) => planNumber(name) !== undefined,
};

/** Returns plans that are no longer listed. Plans with higher numbers belong to another worker. */
export function unwantedPlans(
  names: readonly string[],
  { number, kept_numbers }: Pick<PlanInputs, "number" | "kept_numbers">,
): string[] {
  const last = kept_numbers.length > 0 ? 0 : 1; // the plan without a number is in use until another one is stored
  return names.filter((name) => {
    const its = planNumber(name);
    return its !== undefined && its >= last && its < number && !kept_numbers.includes(its);
  });
}

/** Sorts the results of a step for storing: a file that implies the existence of others is written after them. */
export const writtenLast = (a: string, b: string): number =>
  Number(namesOthers(a)) - Number(namesOthers(b)) || a.localeCompare(b);

const namesOthers = among("hybrid.json", COVER_FILES.large);

/**
 * Returns files that a step would have removed if it had worked in the song's own folder.
 * @param kept names of the song's files
 * @param there results in the folder in which it worked
 * @param written those that the step produced
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
