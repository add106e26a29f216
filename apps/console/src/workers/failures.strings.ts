import { countOf } from "../lib/formatting.ts";

export const failuresStrings = {
  title: "Recent Failures",
  none: "No failures recorded",
  unread: (why: string) => `The failures could not be read, so none are shown. ${why}`,
  view: "How failures are shown",
  views: { grouped: "By cause", newest: "Newest" },
  search: "Search failures",
  searchHint: "Reason, queue, song, payload",
  found: (failures: number, groups: number) =>
    `${countOf(failures, "failure", "failures")} of ${countOf(groups, "cause", "causes")}`,
  noMatch: "No failure matches this search.",
  clearSearch: "Clear search",
  rowsOf: (count: number, reason: string) => `${countOf(count, "failure", "failures")}: ${reason}`,
  between: (first: string, last: string) => (first === last ? last : `first ${first}, last ${last}`),
  retry: "Retry",
  retryOf: (step: string, songId: string) => `Retry ${step} of song ${songId}`,
  queued: "Queued again",
  songGone: "This song was deleted: there is nothing left to retry.",
  retryAll: "Retry all",
  retryAllOf: (reason: string) => `Retry all: ${reason}`,
  retrying: (done: number, of: number) => `${done.toLocaleString("en")} of ${of.toLocaleString("en")} looked at`,
  retriedAll: (retried: number, recovered: number, gone: number) =>
    [
      `${countOf(retried, "song", "songs")} queued again`,
      ...(recovered > 0 ? [`${recovered.toLocaleString("en")} left alone: at work, well again or tried since`] : []),
      ...(gone > 0 ? [`${gone.toLocaleString("en")} of no song that is still here`] : []),
    ].join("; "),
  more: "Show more",
  moreGroups: "Show more causes",
} as const;
