import { expect, test } from "vitest";
import { matching, MOST_ENTRIES, NO_TRAFFIC, withTraffic, type Traffic } from "./traffic.ts";

const said = (traffic: Traffic, text: string) => withTraffic(traffic, { type: "add", entry: { at: 0, from: "server", text } }); // prettier-ignore
const textsOf = ({ entries }: Traffic) => entries.map(({ text }) => text);

test("a paused log holds what comes in, and shows it when it goes on", () => {
  const paused = withTraffic(said(NO_TRAFFIC, "a"), { type: "pause" });
  const later = said(paused, "b");
  expect([textsOf(later), later.held.length]).toEqual([["a"], 1]);
  expect(textsOf(withTraffic(later, { type: "resume" }))).toEqual(["a", "b"]);
});

test("the log keeps the newest lines, each with an id of its own", () => {
  let traffic = NO_TRAFFIC;
  for (let at = 0; at <= MOST_ENTRIES; at++) traffic = said(traffic, String(at));
  expect(traffic.entries.length).toBe(MOST_ENTRIES);
  expect(textsOf(traffic)[0]).toBe("1");
  expect(new Set(traffic.entries.map(({ id }) => id)).size).toBe(MOST_ENTRIES);
});

test("clearing leaves nothing, and what comes afterwards is shown", () => {
  const cleared = withTraffic(said(NO_TRAFFIC, "a"), { type: "clear" });
  expect(textsOf(said(cleared, "b"))).toEqual(["b"]);
});

test("the filter finds a text whatever its case", () => {
  const { entries } = said(said(NO_TRAFFIC, '{"type":"Pong"}'), '{"type":"Reset"}');
  expect(matching(entries, " pong").map(({ text }) => text)).toEqual(['{"type":"Pong"}']);
});
