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

describe("a scene with the desk controls applied", () => {
  it("equals the show while no control is held", () => {
    expect(at(showAt(7), {})).toMatchObject(showAt(7));
    expect(at(SILENT, {})).toEqual(SILENT);
  });

  it("is dark during blackout whatever else is held, and dimmed by the master", () => {
    expect(at(showAt(7), { master: held(0.4) })).toMatchObject({ master: 0.4 });
    expect(at(showAt(7), { master: held(0.4), blinder: held(), blackout: held() })).toMatchObject({ master: 0 });
  });

  it("freezes the look during hold and continues at the show's current position after the release", () => {
    const hold = held(true, { position: 3 });
    expect(at(showAt(20), { hold })).toMatchObject({ position: 3, allowsStrobe: false });
    expect(at(showAt(20), {})).toMatchObject({ position: 20, allowsStrobe: true });
  });

  it("freezes a released hold until exactly the end of its bar", () => {
    const hold = held(true, { position: 3, endsMs: 500 });
    expect(at(showAt(20), { hold }, 499)).toMatchObject({ position: 3 });
    expect(at(showAt(20), { hold }, 500)).toMatchObject({ position: 20, allowsStrobe: true });
  });

  it("glides from one size of the show to another within a second", () => {
    const size = held(-2, { from: 2, sinceMs: 1000 });
    const sizes = [1000, 1250, 1500, 2000, 9000].map((ms) => at(showAt(7), { size }, ms));
    expect(sizes.map((scene) => scene.kind === "show" && scene.size)).toEqual([1, 0.5, 0, -1, -1]);
  });

  it("has the chosen idle look between songs and while nothing plays, but the default look after a failure", () => {
    const between: ShowScene | SilentScene = { ...showAt(0), houseMix: 1 };
    const idle = held("color");
    expect(at(between, { idle })).toMatchObject({ idle: "color" });
    expect(at(SILENT, { idle })).toMatchObject({ kind: "show", houseMix: 1, idle: "color" });
    expect(at({ ...between, isSafe: true }, { idle })).not.toHaveProperty("idle");
  });

  it("has light for the desk alone while nothing plays, and none for controls that produce no light", () => {
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

  it("blinks an identified fixture slower than once per second, also while nothing plays", () => {
    const identify = { "identify/4": held(true, { sinceMs: 1000 }) };
    expect(at(SILENT, identify, 1000)).toMatchObject({ kind: "show", idle: "dark", identify: true });
    const lit = Array.from({ length: 400 }, (_, i) => at(showAt(7), identify, 1000 + i * 25));
    const turns = lit.filter((scene, i) => i > 0 && isLit(scene) && !isLit(lit[i - 1]!)).length;
    expect(turns).toBe(7);
    expect(lit.every((scene) => scene.kind === "show" && scene.position === 7)).toBe(true);
  });

  it("runs the strobe at its rate, on the beat of a song, or on the tapped beat without a song", () => {
    expect(at(showAt(7), { strobe: held(2) }, 1500)).toMatchObject({ strobe: 3 });
    expect(at(showAt(7), { strobe: held(0) }, 1500)).toMatchObject({ strobe: "song" });
    expect(at(SILENT, { strobe: held(0), tempo: held(120) }, 1500)).toMatchObject({ strobe: 3 });
    // 240 BPM are 4 Hz: above the limit, so every second beat.
    expect(at(SILENT, { strobe: held(0), tempo: held(240) }, 1500)).toMatchObject({ strobe: 3 });
  });

  it("holds a strobe steady after 30 s", () => {
    expect(at(showAt(7), { strobe: held(2) }, 29_900)).toMatchObject({ strobe: 59.8 });
    expect(at(showAt(7), { strobe: held(2) }, 31_150)).toMatchObject({ strobe: 0 });
  });

  it("has a flash rate below the limit at any tempo", () => {
    for (let bpm = 30; bpm <= 300; bpm++) expect(bpm / 60 / beatsPerFlash(bpm / 60)).toBeLessThanOrEqual(2.75);
  });
});
