import type { DeskValue } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import type { Hands, Held } from "./desk-rules.ts";
import { beatsPerFlash, sceneWithDesk } from "./desk-scene.ts";
import type { ShowScene, SilentScene } from "../lamps/scene.ts";
import { showAt } from "../testing/plans.ts";

const SILENT: ShowScene | SilentScene = { kind: "silent" };
const held = (value: DeskValue = true, more: Partial<Held> = {}): Held => ({
  value,
  owner: "ana",
  owner_name: "Ana",
  since: 0,
  sinceMs: 0,
  pressers: [],
  position: 0,
  from: 0,
  ...more,
});
const isLit = (scene: ReturnType<typeof sceneWithDesk>) => scene.kind === "show" && scene.identify === true;
const at = (scene: ShowScene | SilentScene, hands: Hands, ms = 0) => sceneWithDesk(scene, hands, ms);

describe("the desk over a scene", () => {
  it("is the show itself while no control is held", () => {
    expect(at(showAt(7), {})).toMatchObject(showAt(7));
    expect(at(SILENT, {})).toEqual(SILENT);
  });

  it("lets blackout win over everything, and the master dim the rest", () => {
    expect(at(showAt(7), { master: held(0.4) })).toMatchObject({ master: 0.4 });
    expect(at(showAt(7), { master: held(0.4), blinder: held(), blackout: held() })).toMatchObject({ master: 0 });
  });

  it("holds the look while the show goes on, and is where the show is by then when it is given back", () => {
    const hold = held(true, { position: 3 });
    expect(at(showAt(20), { hold })).toMatchObject({ position: 3, allowsStrobe: false });
    expect(at(showAt(20), {})).toMatchObject({ position: 20, allowsStrobe: true });
  });

  it("holds a look that was given back until its bar is over, to the moment", () => {
    const hold = held(true, { position: 3, endsMs: 500 });
    expect(at(showAt(20), { hold }, 499)).toMatchObject({ position: 3 });
    expect(at(showAt(20), { hold }, 500)).toMatchObject({ position: 20, allowsStrobe: true });
  });

  it("glides from one size of the show to another in a second", () => {
    const size = held(-2, { from: 2, sinceMs: 1000 });
    const sizes = [1000, 1250, 1500, 2000, 9000].map((ms) => at(showAt(7), { size }, ms));
    expect(sizes.map((scene) => scene.kind === "show" && scene.size)).toEqual([1, 0.5, 0, -1, -1]);
  });

  it("shows the chosen idle look between songs and where nothing plays, but the house look after an accident", () => {
    const between: ShowScene | SilentScene = { ...showAt(0), houseMix: 1 };
    const idle = held("color");
    expect(at(between, { idle })).toMatchObject({ idle: "color" });
    expect(at(SILENT, { idle })).toMatchObject({ kind: "show", houseMix: 1, idle: "color" });
    expect(at({ ...between, isSafe: true }, { idle })).not.toHaveProperty("idle");
  });

  it("lights for the desk alone while nothing plays, and stays silent for what makes no light", () => {
    expect(at(SILENT, { blinder: held() })).toMatchObject({ kind: "show", idle: "dark" });
    expect(at(SILENT, { "color/front": held("#ff0000") })).toMatchObject({ kind: "show", idle: "house" });
    expect(at(SILENT, { color: held("#ff0000"), master: held(0.7) })).toMatchObject({
      isColorLight: true,
      master: 0.7,
    });
    expect(at(showAt(7), { color: held("#ff0000") })).not.toHaveProperty("isColorLight");
    expect(at(SILENT, { color: held("#ff0000"), idle: held("dark") })).not.toHaveProperty("isColorLight");
    expect(at(SILENT, { master: held(1), blackout: held(), "mute/front": held(), tempo: held(90) })).toEqual(SILENT);
  });

  it("blinks for a lamp that is looked for, slower than once a second, also while nothing plays", () => {
    const identify = { "identify/4": held(true, { sinceMs: 1000 }) };
    expect(at(SILENT, identify, 1000)).toMatchObject({ kind: "show", idle: "dark", identify: true });
    const lit = Array.from({ length: 400 }, (_, i) => at(showAt(7), identify, 1000 + i * 25));
    const turns = lit.filter((scene, i) => i > 0 && isLit(scene) && !isLit(lit[i - 1]!)).length;
    expect(turns).toBe(7);
    expect(lit.every((scene) => scene.kind === "show" && scene.position === 7)).toBe(true);
  });

  it("turns the strobe at its rate, on the beat of a song, or on the tapped beat without one", () => {
    expect(at(showAt(7), { strobe: held(2) }, 1500)).toMatchObject({ strobe: 3 });
    expect(at(showAt(7), { strobe: held(0) }, 1500)).toMatchObject({ strobe: "song" });
    expect(at(SILENT, { strobe: held(0), tempo: held(120) }, 1500)).toMatchObject({ strobe: 3 });
    // 240 a minute are four a second: more than the limit, so every second beat.
    expect(at(SILENT, { strobe: held(0), tempo: held(240) }, 1500)).toMatchObject({ strobe: 3 });
  });

  it("holds a strobe steady after thirty seconds", () => {
    expect(at(showAt(7), { strobe: held(2) }, 29_900)).toMatchObject({ strobe: 59.8 });
    expect(at(showAt(7), { strobe: held(2) }, 31_150)).toMatchObject({ strobe: 0 });
  });

  it("finds a flash rate under the limit for any tempo", () => {
    for (let bpm = 30; bpm <= 300; bpm++) expect(bpm / 60 / beatsPerFlash(bpm / 60)).toBeLessThanOrEqual(2.75);
  });
});
