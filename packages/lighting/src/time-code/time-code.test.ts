import { describe, expect, it } from "vitest";
import { numberOf } from "../testing/leaders.ts";
import {
  FRAME_RATES,
  frameNumberOf,
  isTimeCode,
  parseTimeCode,
  secondsOf,
  timeCodeOf,
  timeCodeText,
} from "./time-code.ts";

describe("a time code", () => {
  // ST 12-1: an hour of drop frame has 107 892 frames, ten minutes have 17 982, and an hour is 3.6 ms short.
  it.each([
    ["01:00:00;00", "29.97df", 107_892],
    ["00:10:00;00", "29.97df", 17_982],
    ["00:00:59;29", "29.97df", 1799],
    ["00:01:00;02", "29.97df", 1800],
    ["23:59:59;29", "29.97df", 2_589_407],
    ["01:00:00:00", "25", 90_000],
    ["01:00:00:00", "24", 86_400],
    ["10:11:12:13", "30", 1_100_173],
    ["10:11:12:13", "29.97", 1_100_173],
    ["01:00:00:00", "23.976", 86_400],
  ] as const)("%s at %s is frame %i, and vice versa", (text, rate, frame) => {
    const code = parseTimeCode(text, rate)!;
    expect([frameNumberOf(code), timeCodeText(timeCodeOf(frame, rate))]).toEqual([frame, text]);
  });

  it.each(FRAME_RATES)("counts at %s like a clock that is advanced minute by minute", (rate) => {
    for (let frame = 0; frame < 40_000; frame += 37) {
      const { hours, minutes, seconds, frames } = timeCodeOf(frame, rate);
      expect([hours, minutes, seconds, frames]).toEqual(numberOf(frame, rate));
    }
  });

  it("has its real length: an hour of drop frame is 3.6 ms short", () => {
    expect(secondsOf(parseTimeCode("01:00:00:00", "29.97df")!)).toBeCloseTo(3599.9964, 4);
    expect(secondsOf(parseTimeCode("01:00:00:12", "24")!)).toBeCloseTo(3600.5, 9);
    for (const rate of ["23.976", "29.97"] as const)
      expect(secondsOf(parseTimeCode("01:00:00:00", rate)!)).toBeCloseTo(3603.6, 9);
  });

  it("is undefined for invalid times", () => {
    const refused = [
      "",
      "1",
      "01:00",
      "24:00:00:00",
      "00:60:00:00",
      "00:00:60:00",
      "00:00:00:25",
      "a:b:c:d",
      "-1:0:0:0",
    ];
    for (const text of refused) expect([text, parseTimeCode(text, "25")]).toEqual([text, undefined]);
    expect(parseTimeCode("00:01:00:00", "29.97df")).toBeUndefined();
    expect(isTimeCode({ hours: 0, minutes: 10, seconds: 0, frames: 0, rate: "29.97df" })).toBe(true);
    expect(parseTimeCode(" 1:02:03 ", "25")).toEqual({ hours: 1, minutes: 2, seconds: 3, frames: 0, rate: "25" });
  });
});
