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

test("another page becomes active once the active one has been away for five seconds, and never while it is open", () => {
  expect(becomesHeard(PHONE, ROW, undefined)).toBe(false);
  expect(isHeardAfter(PHONE, 4.9, true)).toBe(false);
  expect(isHeardAfter(PHONE, 5.1, true)).toBe(true);
  expect(becomesHeard({ ...PHONE, takesOver: true }, ROW, undefined)).toBe(true);
});

test("the sound output takes over after a minute from a page with a lost connection, and after five seconds from a closed one", () => {
  expect(isHeardAfter(OUTPUT, 59, true)).toBe(false);
  expect(isHeardAfter(OUTPUT, 61, true)).toBe(true);
  expect(isHeardAfter(OUTPUT, 6, false)).toBe(true);
});

test("a page that the sound output replaced becomes active again when it returns, unlike other pages", () => {
  const after = heardNow(ROW, OUTPUT, "This machine");
  expect(becomesHeard({ ...PHONE, page: "laptop.2" }, after, undefined)).toBe(true);
  expect(becomesHeard(PHONE, after, undefined)).toBe(false);
  expect(heardNow(after, OUTPUT, "Renamed")).toMatchObject({ displaced_page: "laptop.1" });
  expect(heardNow(after, PHONE, "Phone")).toMatchObject({ displaced_page: "" });
});

test("a page whose API crashed is away once no API has seen it, and an API without database access judges no page", () => {
  const away = (state: Partial<OpenPlayerRow> | undefined, watchedMs: number): Away | undefined =>
    awayOf(state && rowOf(state), watchedMs);
  expect(away({ is_open: true }, DAY)).toBeUndefined();
  expect(away({ unseen_ms: 6000 }, DAY)).toEqual({ ms: 6000, isLost: true });
  // The database was unavailable for a minute, so the page's API could not refresh its row.
  expect(away({ unseen_ms: 60_000 }, 1000)).toBeUndefined();
  // Everything was down for a minute: the page plays on by itself, and reconnects within seconds.
  expect(away({ left_ms: 60_000, is_lost: true }, 1000)).toEqual({ ms: 1000, isLost: true });
  expect(away({ left_ms: 60_000 }, 1000)).toEqual({ ms: 60_000, isLost: false });
  expect(away(undefined, 1000)).toEqual({ ms: 1000, isLost: true });
});
