import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  AttendeeCodeSchema,
  EventSchema,
  ScanQrResponseSchema,
  SettledScanSchema,
  type SettledScan,
} from "@followspot/contract/event";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Door } from "./door.ts";
import type { DoorKnowledge } from "./door-rules.ts";
import { KeptScans, type UnsettledScan } from "./kept-scans.ts";

const NOW = new Date(2026, 4, 1, 19, 2).getTime();
const NIGHT = "01JD0000000000000000000001";
const code = (person: string) => `FS1.${NIGHT}.01JD00000000000000000000${person}.${"A".repeat(32)}`;
const [BEA, CY, DI] = [code("B1"), code("C1"), code("D1")];
const away = () => new ConnectError("the server cannot be reached", Code.Unavailable);

/** Storage of a browser, persistent over reloads. */
let written: Map<string, string>;
let isAway: boolean;
let nowMs: number;
/** Batches sent to the server. */
let told: (readonly UnsettledScan[])[];
let settle: (scans: readonly UnsettledScan[], door: string) => readonly SettledScan[];

beforeEach(() => {
  written = new Map();
  isAway = true;
  nowMs = NOW;
  told = [];
  settle = (scans) => scans.map(() => result({ state: "checked_in", checkedInAt: timestampFromMs(NOW) }));
});

const result = (fields: MessageInitShape<typeof SettledScanSchema>) => create(SettledScanSchema, fields);
const storage = {
  getItem: (key: string) => written.get(key) ?? null,
  setItem: (key: string, value: string) => void written.set(key, value),
};

const night = (fields: MessageInitShape<typeof EventSchema> = {}) =>
  create(EventSchema, {
    id: NIGHT,
    registration: "none",
    startsAt: timestampFromMs(NOW),
    endsAt: timestampFromMs(NOW + 4 * 3600_000),
    ...fields,
  });

function openDoor(known: Partial<DoorKnowledge> = {}, from = storage): Door {
  const door = new Door({
    kept: new KeptScans(NIGHT, from),
    now: () => nowMs,
    isOnline: () => true,
    scan: async () => {
      if (isAway) throw away();
      return create(ScanQrResponseSchema, { success: true, userName: "Bea", checkedInAt: timestampFromMs(nowMs) });
    },
    settle: async (scans, name) => {
      if (isAway) throw away();
      told.push(scans);
      return settle(scans, name);
    },
  });
  const people = [
    [BEA, "Bea", "registered"],
    [CY, "Cy", "waiting"],
  ] as const;
  const codes = people.map(
    ([text, userName, registration]) =>
      [text, create(AttendeeCodeSchema, { code: text, userName, registration })] as const,
  );
  door.know({
    event: night(),
    codes: new Map(codes),
    readAt: new Date(NOW - 120_000),
    askedAtMs: 0,
    peopleIn: 0,
    ...known,
  });
  return door;
}
async function scan(door: Door, text: string, admit = false) {
  await door.scan(text, admit);
  const { state, name, detail, canAdmit } = door.state.get().scans[0]!;
  return { state, name, detail, canAdmit };
}

test("decides a scan offline, stores it, and syncs it after the connection is restored", async () => {
  const door = openDoor();
  expect(await scan(door, BEA.toLowerCase())).toMatchObject({
    state: "here",
    name: "Bea",
    detail: "Not yet settled: the server is told when the connection is back.",
  });
  expect(door.state.get()).toMatchObject({ isAway: true, kept: { scans: [{ code: BEA, scannedAtMs: NOW }] } });
  await door.settle();
  expect(door.state.get().kept.scans).toHaveLength(1);
  isAway = false;
  await door.settle();
  expect(door.state.get()).toMatchObject({ isAway: false, kept: { scans: [], conflicts: [] } });
  expect(told).toMatchObject([[{ code: BEA, scannedAtMs: NOW, admit: false }]]);
  expect(door.state.get().scans).toMatchObject([{ state: "in", name: "Bea", detail: "at 7:02 PM" }]);
});

test("reports the first scan of a code scanned twice offline, and stores it once", async () => {
  const door = openDoor();
  await scan(door, BEA);
  nowMs += 60_000;
  expect(await scan(door, BEA)).toMatchObject({ state: "again", detail: "Scanned here at 7:02 PM, not yet settled." });
  expect(door.state.get().kept.scans).toHaveLength(1);
});

test("recognizes attendees whom it checked in before the connection was lost", async () => {
  const door = openDoor();
  isAway = false;
  expect((await scan(door, BEA)).state).toBe("in");
  isAway = true;
  expect(await scan(door, BEA)).toMatchObject({ state: "again", detail: "at 7:02 PM" });
  expect(door.state.get().kept.scans).toEqual([]);
});

test("admits an attendee again after codes requested later show that the check-in was undone", async () => {
  const door = openDoor();
  const asked = performance.now();
  isAway = false;
  await scan(door, BEA);
  const undone = new Map([[BEA, create(AttendeeCodeSchema, { code: BEA, userName: "Bea" })]]);
  const read = { event: night(), codes: undone, readAt: new Date(NOW), peopleIn: 0 };
  isAway = true;
  // Requested before the check-in, so these codes cannot include it.
  door.know({ ...read, askedAtMs: asked });
  expect((await scan(door, BEA)).state).toBe("again");
  door.know({ ...read, askedAtMs: performance.now() + 1 });
  expect((await scan(door, BEA)).state).toBe("here");
  expect(door.state.get().kept.scans).toMatchObject([{ code: BEA }]);
});

test("loses no scan over a reload of the page", async () => {
  await scan(openDoor(), BEA);
  isAway = false;
  const reloaded = openDoor();
  expect(reloaded.state.get().kept.scans).toHaveLength(1);
  await reloaded.settle();
  expect(told).toMatchObject([[{ code: BEA }]]);
  expect(openDoor().state.get().kept.scans).toEqual([]);
});

test("keeps unsynced scans if the connection is lost halfway, and shows conflicts", async () => {
  const door = openDoor({ codes: undefined });
  for (let i = 0; i < 60; i++) await door.scan(code(String(10 + i)), true);
  isAway = false;
  settle = (scans) => {
    if (told.length > 1) throw away();
    return scans.map((_scan, i) =>
      i === 3
        ? result({ state: "already", userName: "Eve", checkedInAt: timestampFromMs(NOW), checkedInBy: "Dan" })
        : result({ state: i === 4 ? "refused" : "checked_in", refused: i === 4 ? "The doors had closed" : "" }),
    );
  };
  await door.settle();
  const { kept, isAway: isLost } = door.state.get();
  expect([told.map(({ length }) => length), kept.scans.length, isLost]).toEqual([[50, 10], 10, true]);
  expect(kept.conflicts.map(({ name, said }) => [name, said])).toEqual([
    ["Eve", "was checked in at another door at 7:02 PM by Dan"],
    ["A code of no known person", "The doors had closed."],
  ]);
  door.clearConflicts();
  expect(openDoor().state.get().kept).toMatchObject({ scans: { length: 10 }, conflicts: [] });
});

test("shows times by the event's clock, before and after syncing", async () => {
  const inTokyo = (time: string) => Date.parse(`2026-05-01T${time}:00+09:00`);
  const doors = { doorsOpenAt: timestampFromMs(inTokyo("17:30")), doorsCloseAt: timestampFromMs(inTokyo("23:00")) };
  const door = openDoor({ event: night({ ...doors, timeZone: "Asia/Tokyo" }), readAt: new Date(inTokyo("18:55")) });
  nowMs = inTokyo("19:02");
  expect((await scan(door, DI)).detail).toContain("read at 6:55 PM");
  await scan(door, BEA);
  expect((await scan(door, BEA)).detail).toBe("Scanned here at 7:02 PM, not yet settled.");
  await scan(door, DI, true);
  isAway = false;
  const came = { checkedInAt: timestampFromMs(inTokyo("19:01")), checkedInBy: "Dan" };
  settle = () => [result({ state: "already", ...came }), result({ state: "checked_in", ...came })];
  await door.settle();
  const { scans, kept } = door.state.get();
  expect(kept.conflicts[0]!.said).toBe("was checked in at another door at 7:01 PM by Dan");
  expect(scans[0]!.detail).toBe("at 7:01 PM by Dan");
});

test("syncs a scan that is made during a sync", async () => {
  const door = openDoor();
  await scan(door, BEA);
  isAway = false;
  settle = (scans) => {
    if (told.length === 1) new KeptScans(NIGHT, storage).change((kept) => ({ ...kept, scans: [...kept.scans, { ...kept.scans[0]!, id: "late" }] })); // prettier-ignore
    return scans.map(() => result({ state: "checked_in" }));
  };
  await door.settle();
  expect(told.map((scans) => scans.length)).toEqual([1, 1]);
  expect(door.state.get().kept.scans).toEqual([]);
});

test("keeps its scans and shows the reason if the server refuses to sync them", async () => {
  const door = openDoor();
  await scan(door, BEA);
  isAway = false;
  settle = () => {
    throw new ConnectError("This event was deleted", Code.FailedPrecondition);
  };
  await door.settle();
  expect(door.state.get()).toMatchObject({
    isAway: false,
    problem: "This event was deleted.",
    kept: { scans: { length: 1 } },
  });
});

test.each([
  ["on the waiting list", CY, { event: night({ registration: "open" }) }, "On the waiting list: has no place yet."],
  [
    "of a full house",
    BEA,
    { event: night({ places: 80 }), peopleIn: 80 },
    "The house is full: all 80 places are taken.",
  ],
  [
    "before doors",
    BEA,
    { event: night({ doorsOpenAt: timestampFromMs(NOW + 60_000) }) },
    expect.stringMatching(/^Doors open at/),
  ],
  [
    "after doors",
    BEA,
    { event: night({ doorsCloseAt: timestampFromMs(NOW - 60_000) }) },
    expect.stringMatching(/^Doors closed at/),
  ],
  ["registered after codes were read", DI, {}, expect.stringMatching(/read at 7:00 PM.*let in all the same/)],
  [
    "while no codes were read",
    BEA,
    { codes: undefined, readAt: undefined },
    expect.stringMatching(/could not be read/),
  ],
] as const)(
  "requires an override to admit an attendee %s, and sends the override to the server",
  async (_who, text, known, said) => {
    const door = openDoor(known);
    expect(await scan(door, text)).toMatchObject({ state: "refused", detail: said, canAdmit: true });
    expect((await scan(door, text, true)).state).toBe("here");
    expect(door.state.get().kept.scans).toMatchObject([{ code: text, admit: true }]);
  },
);

test.each([
  ["hello", /not an attendee code/],
  [BEA.slice(0, 60), /Only a part/],
  [BEA.replace(NIGHT, `${NIGHT.slice(0, -1)}2`), /another event/],
])("rejects %s offline, and stores nothing", async (text, said) => {
  const door = openDoor();
  expect((await scan(door, text, true)).detail).toMatch(said);
  expect(door.state.get().kept.scans).toEqual([]);
});

// kept: Console | The door's Check-in failed whole in a browser that denies its storage | failed on the old code
test("opens in a browser that denies its storage", () => {
  Object.defineProperty(globalThis, "localStorage", {
    get: () => {
      throw new DOMException("denied", "SecurityError");
    },
    configurable: true,
  });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "localStorage"));
  expect(new KeptScans(NIGHT).read()).toEqual({ scans: [], conflicts: [] });
});

test("keeps scans in memory if the browser cannot store them, and reports that", async () => {
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  };
  const kept = new KeptScans(NIGHT, full);
  kept.change(({ conflicts }) => ({
    scans: [{ id: "1", code: BEA, name: "", scannedAtMs: NOW, admit: false }],
    conflicts,
  }));
  expect([kept.read().scans.length, kept.isSafe]).toEqual([1, false]);
});

test.each(["", "{", "[]", "null", "7", '{"scans":7}', '{"scans":[null,{"id":1}],"conflicts":[{}]}'])(
  "starts empty if the storage contains %j",
  (text) => {
    written.set(`followspot.door.${NIGHT}`, text);
    expect(new KeptScans(NIGHT, storage).read()).toEqual({ scans: [], conflicts: [] });
  },
);

test("identifies a browser as one door over reloads, and another browser as another door", () => {
  const door = new KeptScans(NIGHT, storage).door();
  expect(new KeptScans("another event", storage).door()).toBe(door);
  written = new Map();
  expect(new KeptScans(NIGHT, storage).door()).not.toBe(door);
});

// kept: Doors | A disconnected door could not check in an attendee whose code could not be scanned | failed on the old code
test("a short code typed offline is the same scan as the QR code, and an unknown one can be admitted", async () => {
  const bea = create(AttendeeCodeSchema, {
    code: BEA,
    shortCode: "K7M2QX",
    userName: "Bea",
    registration: "registered",
  });
  const door = openDoor({ codes: new Map([[BEA, bea]]) });
  expect(await scan(door, "k7m 2qx")).toMatchObject({ state: "here", name: "Bea" });
  expect(await scan(door, BEA)).toMatchObject({ state: "again", name: "Bea" });
  expect(door.state.get().kept.scans).toMatchObject([{ code: BEA }]);
  expect(await scan(door, "ccc-333")).toMatchObject({ state: "refused", canAdmit: true });
  expect(await scan(door, "ccc-333", true)).toMatchObject({ state: "here" });
  expect(door.state.get().kept.scans).toMatchObject([{ code: BEA }, { code: "CCC333", admit: true }]);
});

test("takes back a check-in that is not yet synced, once", async () => {
  const door = openDoor();
  await scan(door, BEA);
  expect([door.takeBack(BEA), door.takeBack(BEA)]).toEqual([true, false]);
  isAway = false;
  await door.settle();
  expect(told).toEqual([[]]);
});
