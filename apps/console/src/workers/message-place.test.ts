import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { placeOf, textOfPlace } from "./message-place.ts";

test.each([
  { case: "before", value: 12n },
  { case: "after", value: 0n },
  { case: "until", value: timestampFromDate(new Date("2026-01-05T15:30:00Z")) },
] as const)("a position $case a number or time survives a round trip through the URL", (place) => {
  expect(placeOf(textOfPlace(place))).toEqual(place);
});

test.each(["before", "before.", "before.-1", "until.never", "beside.7", "after.1e9", undefined])(
  "%s is not a valid position, so the newest messages are shown",
  (from) => {
    expect(placeOf(from)).toBeUndefined();
  },
);
