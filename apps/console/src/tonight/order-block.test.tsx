// @vitest-environment jsdom
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import { OrderBlock } from "./order-block.tsx";

test("shows times of the running order in the event's time zone", async () => {
  const at = Date.parse("2026-05-01T21:00:00+09:00");
  const talk = { key: "t", id: "T1", kind: "talk", title: "Bats", by: "Ines", at, really: at + 300_000, state: "now", colors: [], heard: undefined } as const; // prettier-ignore
  const place = await show(<OrderBlock lines={[talk]} zone="Asia/Tokyo" empty="" />);
  expect(place.textContent).toContain("9:05 PM");
  expect(place.textContent).toMatch(/9:00 PM$/);
});

// kept: Console | A talk could be shown from another screen only, not from Tonight | failed on the old code
test.each([
  ["due", "Show Bats on the stage screen", ["show T1"]],
  ["next", "Show Bats on the stage screen", ["show T1"]],
  ["now", "End Bats on the stage screen", ["end"]],
] as const)("a talk that is %s is shown or ended by one press", async (state, name, pressed) => {
  const calls: string[] = [];
  const stage = { show: (id: string) => calls.push(`show ${id}`), end: () => calls.push("end"), isPending: false };
  const talk = { key: "t", id: "T1", kind: "talk", title: "Bats", by: "Ines", at: 0, really: undefined, state, colors: [], heard: undefined } as const; // prettier-ignore
  const song = { ...talk, key: "s", id: "S1", kind: "song", title: "One" } as const;
  const place = await show(<OrderBlock lines={[talk, song]} zone="UTC" empty="" stage={stage} />);
  const buttons = [...place.querySelectorAll("button")];
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([name]);
  buttons[0]!.click();
  expect(calls).toEqual(pressed);
});
