// @vitest-environment jsdom
import { expect, test } from "vitest";
import { show } from "../testing/show.tsx";
import { OrderBlock } from "./order-block.tsx";

test("shows times of the running order in the event's time zone", async () => {
  const at = Date.parse("2026-05-01T21:00:00+09:00");
  const talk = { key: "t", kind: "talk", title: "Bats", by: "Ines", at, really: at + 300_000, state: "now", colors: [], heard: undefined } as const; // prettier-ignore
  const place = await show(<OrderBlock lines={[talk]} zone="Asia/Tokyo" empty="" />);
  expect(place.textContent).toContain("9:05 PM");
  expect(place.textContent).toMatch(/9:00 PM$/);
});
