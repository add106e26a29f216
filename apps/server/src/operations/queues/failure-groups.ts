import { createHash } from "node:crypto";
import type { Failure } from "./failure-log.ts";

/** Failures with the same cause, newest first; never empty. */
export interface FailureGroup {
  readonly key: string;
  readonly newest: Failure;
  readonly failures: readonly Failure[];
}

/**
 * Groups the failures that match a query by cause; the group with the newest failure first.
 * @param failures oldest first
 */
export function groupFailures(failures: readonly Failure[], query: string): readonly FailureGroup[] {
  const byGroup = Map.groupBy(matching(failures, query).toReversed(), ({ group }) => group);
  return [...byGroup].map(([group, ofGroup]) => ({ key: keyOf(group), newest: ofGroup[0]!, failures: ofGroup }));
}

/** Returns the matching failures of a group, newest first. @param failures oldest first */
export function failuresOf(failures: readonly Failure[], key: string, query: string): readonly Failure[] {
  return groupFailures(failures, query).find((group) => group.key === key)?.failures ?? [];
}

/** Returns failures that contain every word of the query. */
function matching(failures: readonly Failure[], query: string): readonly Failure[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return failures.filter(({ searched }) => words.every((word) => searched.includes(word)));
}

/** Returns a short key that contains nothing of the reason. */
const keyOf = (group: string): string => createHash("sha256").update(group).digest("hex").slice(0, 24);
