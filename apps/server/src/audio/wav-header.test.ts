import { expect, test } from "vitest";
import { WAV_HEADER_BYTES, wavHeader } from "./wav-header.ts";

test("the head of a WAV file of 1,000 frames is the one players expect, byte by byte", () => {
  const golden =
    "52494646 c40f0000 57415645 666d7420 10000000 0100 0200 44ac0000 10b10200 0400 1000 64617461 a00f0000".replaceAll(
      " ",
      "",
    );
  expect(wavHeader(1000, 44_100).toString("hex")).toBe(golden);
  expect(golden).toHaveLength(2 * WAV_HEADER_BYTES);
});
