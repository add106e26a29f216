import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { nextStart, warningsOf } from "./talk-times.ts";

const at = (time: string) => timestampFromDate(new Date(`2026-05-01T${time}Z`));
const event = { startsAt: at("20:00:00"), endsAt: at("23:00:00") };
const talk = (title: string, time?: string) => ({
  id: title,
  title,
  ...(time !== undefined && { startAt: at(time) }),
});

describe("the start of a talk", () => {
  const warnings = (time: string | undefined, ...others: ReturnType<typeof talk>[]) =>
    warningsOf(talk("Fog", time), [talk("Fog", time), ...others], event);

  it("is told when it lies outside of its event, whose end is outside", () => {
    expect(warnings("19:59:59")).toEqual([{ kind: "early" }]);
    expect(warnings("23:00:00")).toEqual([{ kind: "late" }]);
    expect([warnings("20:00:00"), warnings("22:59:59"), warnings(undefined)]).toEqual([[], [], []]);
  });

  // kept: Console | Talks that the schedule drew side by side were no overlap in the list | failed with the fault put back
  it("is told when another talk begins at the same time or less than its 20 minutes away", () => {
    expect(warnings("21:00:00", talk("Owls", "21:00:00"))).toEqual([{ kind: "same", title: "Owls", isBusy: false }]);
    expect(warnings("21:10:00", talk("Owls", "21:00:00"))).toEqual([
      { kind: "close", title: "Owls", isBusy: false, minutes: 10, isAfter: true },
    ]);
    expect(warnings("20:40:01", talk("Owls", "21:00:00"))).toEqual([
      { kind: "close", title: "Owls", isBusy: false, minutes: 19, isAfter: false },
    ]);
    expect(warnings("21:20:00", talk("Owls", "21:00:00"), talk("Bats"))).toEqual([]);
  });

  it("is told once when the closest talk is of the same speaker, and beside it when another one is", () => {
    const by = (title: string, time: string, userId: string) => ({ ...talk(title, time), userId });
    const owls = by("Owls", "21:00:00", "u1");
    const warned = (time: string, userId: string, ...others: ReturnType<typeof by>[]) =>
      warningsOf(by("Fog", time, userId), [owls, ...others], event);
    const close = { kind: "close", title: "Owls", minutes: 15, isAfter: true };
    expect(warned("21:15:00", "u1")).toEqual([{ ...close, isBusy: true }]);
    expect(warned("21:15:00", "u1", by("Bats", "21:15:00", "u2"))).toEqual([
      { kind: "same", title: "Bats", isBusy: false },
      { kind: "busy", title: "Owls" },
    ]);
    for (const other of ["u2", ""]) expect(warned("21:15:00", other)).toEqual([{ ...close, isBusy: false }]);
    expect(warned("21:20:00", "u1")).toEqual([]);
  });

  it("names the closest of several talks, beside what lies outside", () => {
    expect(warnings("19:58:00", talk("Owls", "20:01:00"), talk("Bats", "19:58:30"))).toEqual([
      { kind: "early" },
      { kind: "close", title: "Bats", isBusy: false, minutes: 1, isAfter: false },
    ]);
  });
});

describe("the next talk", () => {
  const next = (...times: string[]) =>
    nextStart(
      times.map((time) => talk(time, time)),
      event,
    )
      ?.toISOString()
      .slice(11, 16);

  it("goes to the start of the event, or 20 minutes after its last talk", () => {
    expect(next()).toBe("20:00");
    expect(next("20:30:00", "20:10:00")).toBe("20:50");
  });

  it("goes to a whole minute, and not before the event begins", () => {
    const begins = (time: string) =>
      nextStart([], { ...event, startsAt: at(time) })
        ?.toISOString()
        .slice(11, 19);
    expect([begins("20:00:30"), begins("20:01:00")]).toEqual(["20:01:00", "20:01:00"]);
    expect(
      nextStart([talk("Owls", "20:30:15")], event)
        ?.toISOString()
        .slice(11, 19),
    ).toBe("20:51:00");
  });

  it("does not follow a talk outside of the event", () => {
    expect(next("20:10:00", "23:30:00", "19:00:00")).toBe("20:30");
  });

  it("has no place while the times of the event are not known", () => {
    expect(nextStart([talk("Owls", "20:00:00")], undefined)).toBeUndefined();
  });
});
