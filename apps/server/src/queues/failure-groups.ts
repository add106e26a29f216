import { createHash } from "node:crypto";
import type { Failure } from "./failure-log.ts";

/** Failures of one cause, newest first; never empty. */
export interface FailureGroup {
  readonly key: string;
  readonly newest: Failure;
  readonly failures: readonly Failure[];
}

/**
 * Those of the failures that hold the query, by cause; the group with the newest one first.
 * @param failures oldest first
 */
export function groupFailures(failures: readonly Failure[], query: string): readonly FailureGroup[] {
  const byGroup = Map.groupBy(matching(failures, query).toReversed(), ({ group }) => group);
  return [...byGroup].map(([group, ofGroup]) => ({ key: keyOf(group), newest: ofGroup[0]!, failures: ofGroup }));
}

/** Newest first. @param failures oldest first */
export function failuresOf(failures: readonly Failure[], key: string, query: string): readonly Failure[] {
  return groupFailures(failures, query).find((group) => group.key === key)?.failures ?? [];
}

/** Every word of the query stands somewhere in it. */
function matching(failures: readonly Failure[], query: string): readonly Failure[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return failures.filter(({ searched }) => words.every((word) => searched.includes(word)));
}

/** Short, and nothing of the reason stands in it. */
const keyOf = (group: string): string => createHash("sha256").update(group).digest("hex").slice(0, 24);
