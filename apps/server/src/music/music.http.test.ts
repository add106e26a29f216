import { expect, test } from "vitest";
import { parseRange } from "./music.http.ts";

test.each<[string | undefined, ReturnType<typeof parseRange>]>([
  [undefined, undefined],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=10-", { start: 10, end: 99 }],
  ["bytes=90-200", { start: 90, end: 99 }],
  ["bytes=-1", { start: 99, end: 99 }],
  ["bytes=-500", { start: 0, end: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=999-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=5-2", undefined],
  ["bytes=-", undefined],
  ["items=0-5", undefined],
  ["bytes=0-1,4-5", undefined],
  ["bytes=0-1,4-5,8-9", "unsatisfiable"],
])("answers the Range %s of a 100-byte file by RFC 9110", (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});
