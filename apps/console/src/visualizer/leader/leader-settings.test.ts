import { expect, it, onTestFinished, vi } from "vitest";
import { storedLeader, storeLeader, withStart } from "./leader-settings.ts";

function storage(held: string | null = null) {
  return { getItem: () => held, setItem: (_: string, text: string) => void (held = text) };
}

it("stores the leader, its input and the start of each song in this browser", () => {
  const place = storage();
  const settings = withStart(
    { kind: "mtc", midi: "Deck", sound: "", frameRate: "29.97", starts: {} },
    "song",
    "01:00:00:00",
  );
  storeLeader(settings, place);
  expect(storedLeader(place)).toEqual(settings);
});

it("defaults to this player if the storage is empty or invalid", () => {
  const defaults = { kind: "player", midi: "", sound: "", frameRate: "", starts: {} };
  for (const text of [
    null,
    "{",
    "null",
    "[]",
    '"x"',
    '{"kind":"link","midi":7,"frameRate":"60","starts":{"a":1}}',
    '{"starts":[1]}',
  ])
    expect([text, storedLeader(storage(text))]).toEqual([text, defaults]);
});

it("drops the songs whose start was set longest ago, so that the storage never fills up", () => {
  let settings = storedLeader(storage());
  for (let i = 0; i < 700; i++) settings = withStart(settings, `song ${i}`, "00:00:01:00");
  settings = withStart(settings, "song 300", "00:00:02:00");
  const songs = Object.keys(settings.starts);
  expect([songs.length, songs[0], songs.at(-1)]).toEqual([500, "song 200", "song 300"]);
});

// kept: Console | The visualizer failed whole in a browser that denies its storage | failed on the old code
it("defaults to this player in a browser that denies its storage", () => {
  const denied = vi.fn(() => {
    throw new DOMException("denied", "SecurityError");
  });
  Object.defineProperty(globalThis, "localStorage", { get: denied, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "localStorage"));
  storeLeader({ ...storedLeader(), kind: "mtc" });
  expect(storedLeader().kind).toBe("player");
  expect(denied).toHaveBeenCalled();
});
