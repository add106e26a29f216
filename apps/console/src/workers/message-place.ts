import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PageFrom } from "./messages.queries.ts";

/** Parses a position in a stream from the URL, see `WorkersSearch`; undefined if it is invalid. */
export function placeOf(from: string | undefined): PageFrom | undefined {
  const [, side, at = ""] = /^(before|after|until)\.(.+)$/.exec(from ?? "") ?? [];
  if (side === "until") {
    const moment = new Date(at);
    return Number.isNaN(moment.getTime()) ? undefined : { case: "until", value: timestampFromDate(moment) };
  }
  if (!side || !/^\d{1,18}$/.test(at)) return undefined;
  return { case: side as "before" | "after", value: BigInt(at) }; // the pattern matches no other word
}

export function textOfPlace(place: PageFrom | undefined): string | undefined {
  if (!place) return undefined;
  const at = place.case === "until" ? timestampDate(place.value).toISOString() : String(place.value);
  return `${place.case}.${at}`;
}
