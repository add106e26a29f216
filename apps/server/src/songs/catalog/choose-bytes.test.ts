import { expect, test } from "vitest";
import { chooseBytes } from "./choose-bytes.ts";

const FILE = { bytes: 100, etag: '"a"', mtimeMs: Date.UTC(2026, 0, 1, 12, 0, 0, 500) };
const [WRITTEN, BEFORE] = ["Thu, 01 Jan 2026 12:00:00 GMT", "Thu, 01 Jan 2026 11:59:59 GMT"];

test.each([
  [{}, { status: 200, start: 0, end: 99 }],
  [{ range: "bytes=0-0" }, { status: 206, start: 0, end: 0 }],
  [{ range: "bytes=90-" }, { status: 206, start: 90, end: 99 }],
  [{ range: "bytes=-10" }, { status: 206, start: 90, end: 99 }],
  [{ range: "bytes=-1000" }, { status: 206, start: 0, end: 99 }],
  [{ range: "bytes=-0" }, { status: 416 }],
  [{ range: "bytes=100-" }, { status: 416 }],
  [{ range: "bytes=5-4" }, { status: 200, start: 0, end: 99 }],
  [{ range: "bytes=-" }, { status: 200, start: 0, end: 99 }],
  [{ range: "bytes=0-1,3-4" }, { status: 200, start: 0, end: 99 }],
  [
    { range: "bytes=0-9", "if-range": '"a"' },
    { status: 206, start: 0, end: 9 },
  ],
  [
    { range: "bytes=0-9", "if-range": '"b"' },
    { status: 200, start: 0, end: 99 },
  ],
  [
    { range: "bytes=0-9", "if-range": WRITTEN },
    { status: 206, start: 0, end: 9 },
  ],
  [
    { range: "bytes=0-9", "if-range": BEFORE },
    { status: 200, start: 0, end: 99 },
  ],
  [{ "if-none-match": '"a"' }, { status: 304 }],
  [{ "if-none-match": '"b", W/"a"' }, { status: 304 }],
  [{ "if-none-match": "*" }, { status: 304 }],
  [
    { "if-none-match": '"b"', "if-modified-since": WRITTEN },
    { status: 200, start: 0, end: 99 },
  ],
  [
    { "if-none-match": '"a"', "cache-control": "no-cache" },
    { status: 200, start: 0, end: 99 },
  ],
  [{ "if-modified-since": WRITTEN }, { status: 304 }],
  [{ "if-modified-since": BEFORE }, { status: 200, start: 0, end: 99 }],
  [{ "if-modified-since": "yesterday" }, { status: 200, start: 0, end: 99 }],
] as const)("selects the bytes for %j as RFC 9110 requires", (headers, chosen) => {
  expect(chooseBytes(headers, FILE)).toEqual(chosen);
});

test("an empty file is sent whole, and every Range of it is refused", () => {
  const empty = { ...FILE, bytes: 0 };
  expect(chooseBytes({}, empty)).toEqual({ status: 200, start: 0, end: -1 });
  expect(chooseBytes({ range: "bytes=0-" }, empty)).toEqual({ status: 416 });
});
