import { expect, test } from "vitest";
import type { OpenPlayerRow } from "./open-players.store.ts";
import type { PaPlayerRow } from "./pa-player.store.ts";
import { awayOf, becomesHeard, heardNow, type Away, type Greeting } from "./who-is-heard.ts";

const ROW: PaPlayerRow = { seed: null, volume: 1, is_muted: false, level: null, heard_page: "laptop.1", heard_name: "PA", displaced_page: "" }; // prettier-ignore
const PHONE: Greeting = { page: "phone.1", isOutput: false, takesOver: false };
const OUTPUT: Greeting = { page: "sound-output.1", isOutput: true, takesOver: false };
const DAY = 86_400_000;

const rowOf = (state: Partial<OpenPlayerRow>) => ({ is_open: false, left_ms: null, unseen_ms: -900, is_lost: false, ...state }) as OpenPlayerRow; // prettier-ignore
const isHeardAfter = (greeting: Greeting, seconds: number, isLost: boolean) =>
  becomesHeard(greeting, ROW, { ms: seconds * 1000, isLost });

test("another page is heard once the one that is heard was away for five seconds, and never while it is open", () => {
  expect(becomesHeard(PHONE, ROW, undefined)).toBe(false);
  expect(isHeardAfter(PHONE, 4.9, true)).toBe(false);
  expect(isHeardAfter(PHONE, 5.1, true)).toBe(true);
  expect(becomesHeard({ ...PHONE, takesOver: true }, ROW, undefined)).toBe(true);
});

test("the sound output leaves the PA to a page that lost its connection for a minute, to one that was closed for five seconds", () => {
  expect(isHeardAfter(OUTPUT, 59, true)).toBe(false);
  expect(isHeardAfter(OUTPUT, 61, true)).toBe(true);
  expect(isHeardAfter(OUTPUT, 6, false)).toBe(true);
});

test("the page in whose place the sound output is heard is heard when it is back, and no other", () => {
  const after = heardNow(ROW, OUTPUT, "This machine");
  expect(becomesHeard({ ...PHONE, page: "laptop.2" }, after, undefined)).toBe(true);
  expect(becomesHeard(PHONE, after, undefined)).toBe(false);
  expect(heardNow(after, OUTPUT, "Renamed")).toMatchObject({ displaced_page: "laptop.1" });
  expect(heardNow(after, PHONE, "Phone")).toMatchObject({ displaced_page: "" });
});

test("a page whose API died is away once no API has seen it, and an API that did not look judges no page", () => {
  const away = (state: Partial<OpenPlayerRow> | undefined, watchedMs: number): Away | undefined =>
    awayOf(state && rowOf(state), watchedMs);
  expect(away({ is_open: true }, DAY)).toBeUndefined();
  expect(away({ unseen_ms: 6000 }, DAY)).toEqual({ ms: 6000, isLost: true });
  // The database was away for a minute: its own API could not say that it is there.
  expect(away({ unseen_ms: 60_000 }, 1000)).toBeUndefined();
  // Everything was down for a minute: it plays on by itself, and comes back within seconds.
  expect(away({ left_ms: 60_000, is_lost: true }, 1000)).toEqual({ ms: 1000, isLost: true });
  expect(away({ left_ms: 60_000 }, 1000)).toEqual({ ms: 60_000, isLost: false });
  expect(away(undefined, 1000)).toEqual({ ms: 1000, isLost: true });
});
