import type { DeskHand, DeskValue, Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { bindShow, compileShow } from "./compile-show.ts";
import { applyDesk, bindDesk, restStrobes } from "./desk-look.ts";
import { setStates } from "./head-states.ts";
import { mixIdleLook } from "./idle-look.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { REFERENCE_RIGS } from "./reference-rigs.ts";
import { dimStates, houseLook, newFrame, renderFrame, writeStates } from "./render-frame.ts";
import { planWith, randomPlan } from "./testing/random-plan.ts";

const CUE = {
  time: 0,
  duration: 9,
  intent: "snap",
  params: { level: 1 },
  section: "verse",
  energy: 0.5,
  reason: "test",
};
const { rig } = REFERENCE_RIGS[1]!;
const show = compileShow(randomPlan(3), rig);
const lightsOf = (group: string) => new Set(rig.groups.find(({ id }) => id === group)!.lightIds);
const headsOf = (group: string) =>
  Array.from(show.lightIds, (id, h) => [id, h] as const).flatMap(([id, h]) => (lightsOf(group).has(id) ? [h] : []));
const heads = Array.from({ length: show.headCount }, (_, h) => h);
const hand = (value: DeskValue = true, since = 0): DeskHand => ({ value, owner: "a", owner_name: "A", since });

function shown(hands: Record<string, DeskHand>, t = 11, strobe?: boolean) {
  setStates(show, t);
  applyDesk(show, bindDesk(show, rig, hands), { strobe });
  return heads.map((h) => ({ level: show.level[h]!, rgb: [show.red[h]!, show.green[h]!, show.blue[h]!] }));
}

describe("the desk over a show", () => {
  it("leaves every byte of the show unchanged while no control is held", () => {
    for (let t = 0; t < 30; t += 0.37) {
      const before = new Map([...renderFrame(show, t)].map(([universe, slots]) => [universe, [...slots]]));
      setStates(show, t);
      applyDesk(show, bindDesk(show, rig, {}), {});
      mixIdleLook(show, "house", 0, 0);
      dimStates(show, 1);
      const frame = newFrame(show);
      writeStates(show, frame);
      expect(new Map([...frame].map(([universe, slots]) => [universe, [...slots]]))).toEqual(before);
    }
  });

  it("changes colors and keeps levels", () => {
    const plain = shown({});
    const red = shown({ color: hand("#800000") });
    expect(red.map(({ level }) => level)).toEqual(plain.map(({ level }) => level));
    expect(red.every(({ rgb }) => rgb[0] === 1 && rgb[1] === 0 && rgb[2] === 0)).toBe(true);
  });

  it("prefers the color of a group to that of the rig, whatever the order of the presses", () => {
    const both = shown({ "color/pars": hand("#0000ff", 1), color: hand("#ff0000", 2) });
    expect(headsOf("pars").every((h) => both[h]!.rgb[2] === 1)).toBe(true);
    expect(headsOf("wash").every((h) => both[h]!.rgb[0] === 1)).toBe(true);
  });

  it("uses the later of two colors on a fixture in both groups", () => {
    const overlapping: Rig = {
      ...rig,
      groups: [...rig.groups, { ...rig.groups.find(({ id }) => id === "pars")!, id: "front" }],
    };
    const colorsOf = (pars: number, front: number) => {
      setStates(show, 11);
      const hands = { "color/pars": hand("#ff0000", pars), "color/front": hand("#0000ff", front) };
      applyDesk(show, bindDesk(show, overlapping, hands), {});
      return headsOf("pars").map((h) => show.blue[h]);
    };
    expect(new Set(colorsOf(1, 2))).toEqual(new Set([1]));
    expect(new Set(colorsOf(2, 1))).toEqual(new Set([0]));
  });

  it("mutes groups, and with a solo all others, whatever else is pressed", () => {
    const muted = shown({ "mute/pars": hand(), blinder: hand() });
    expect(heads.filter((h) => muted[h]!.level === 0)).toEqual(headsOf("pars"));
    const soloed = shown({ "solo/wash": hand(), "solo/spots": hand(), blinder: hand() });
    const lit = heads.filter((h) => soloed[h]!.level > 0);
    expect(lit).toEqual([...headsOf("wash"), ...headsOf("spots")].toSorted((a, b) => a - b));
    const both = shown({ "solo/wash": hand(), "mute/wash": hand(), blinder: hand() });
    expect(both.every(({ level }) => level === 0)).toBe(true);
  });

  it("blinks an identified fixture in full white and leaves the others unchanged", () => {
    const light = show.lightIds[3]!;
    const own = heads.filter((h) => show.lightIds[h] === light);
    const plain = shown({});
    for (const isLit of [true, false]) {
      setStates(show, 11);
      const look = bindDesk(show, rig, { [`identify/${light}`]: hand(), "mute/pars": hand(), "mute/wash": hand() });
      applyDesk(show, look, { identify: isLit });
      for (const h of own) expect([show.level[h], show.red[h], show.green[h], show.blue[h]]).toEqual([isLit ? 1 : 0, 1, 1, 1]); // prettier-ignore
      const muted = new Set([...headsOf("pars"), ...headsOf("wash")]);
      for (const h of heads) if (!own.includes(h) && !muted.has(h)) expect(show.level[h]).toBe(plain[h]!.level);
    }
  });

  it("ignores deleted groups", () => {
    expect(shown({ "solo/deleted": hand(), "color/deleted": hand("#ff0000") })).toEqual(shown({}));
  });

  it("shows the blinder in full white, and the strobe in white or the desk's color", () => {
    expect(shown({ blinder: hand() }).every(({ level, rgb }) => level === 1 && Math.min(...rgb) === 1)).toBe(true);
    expect(shown({}, 11, true).every(({ level, rgb }) => level === 1 && Math.min(...rgb) === 1)).toBe(true);
    expect(shown({}, 11, false).every(({ level }) => level === 0)).toBe(true);
    const red = shown({ color: hand("#ff0000") }, 11, true);
    expect(red.every(({ level, rgb }) => level === 1 && rgb[1] === 0)).toBe(true);
  });

  // kept: Stage and lamps | Blinder and the desk's white used only the white emitter of RGBWA fixtures, and a color at
  // an idle desk was only at a fifth | failed on the old code
  // idle desk shone at a fifth | failed on the old code
  it("uses all emitters for blinder and white, and only its own for any other color", () => {
    const mode = GENERIC_FIXTURES.find(({ key }) => key === "generic_rgbwauv_par")!.modes[0]!;
    const par: Rig = { lights: [{ id: 1, label: "par", universe: 1, address: 1, mode, enabled: true }], groups: [] };
    const own = bindShow(planWith({ all: [{ ...CUE, palette: ["#ffffff"] }] }), par);
    const bytes = (hands: Record<string, DeskHand>, strobe?: boolean) => {
      setStates(own, 1);
      applyDesk(own, bindDesk(own, par, hands), { strobe });
      const frame = newFrame(own);
      writeStates(own, frame);
      return [...frame.get(1)!.subarray(0, 6)];
    };
    const full = [255, 255, 255, 255, 255, 0];
    expect(bytes({ blinder: hand() })).toEqual(full);
    expect(bytes({ color: hand("#ffffff") })).toEqual(full);
    expect(bytes({ "identify/1": hand() })).toEqual([0, 0, 0, 0, 0, 0]);
    expect(bytes({}, true)).toEqual(full);
    expect(bytes({ color: hand("#ff0000"), blinder: hand() })).toEqual(full);
    expect(bytes({ color: hand("#ff0000") })).toEqual([255, 0, 0, 0, 0, 0]);
    // Afterwards, white in the show uses the white emitter only.
    expect(bytes({})).toEqual([0, 0, 0, 255, 0, 0]);
  });

  // kept: Stage and lamps | Blinder and the desk's white used only the white emitter of RGBWA fixtures, and a color at
  // an idle desk was only at a fifth | also
  // idle desk shone at a fifth | also
  it("shows a color at full while nothing plays, except on strobes", () => {
    setStates(show, 11);
    mixIdleLook(show, "house", 1, 0);
    applyDesk(show, bindDesk(show, rig, { color: hand("#ff0000") }), { isColorLight: true });
    expect(heads.filter((h) => show.level[h] === 1)).toEqual(heads.filter((h) => !headsOf("strobes").includes(h)));
  });

  it("keeps the positions of the show", () => {
    setStates(show, 11);
    const pan = [...show.pan];
    shown({ blinder: hand(), color: hand("#ff0000"), "mute/spots": hand() });
    expect([...show.pan]).toEqual(pan);
  });

  it("darkens strobes of a show that stands still", () => {
    show.level.fill(1);
    restStrobes(show);
    expect(heads.filter((h) => show.level[h] === 0)).toEqual(headsOf("strobes"));
  });
});

describe("the idle look", () => {
  const lit = (look: "house" | "dark" | "color", mix = 1, beats = 0) => {
    setStates(show, 11);
    mixIdleLook(show, look, mix, beats);
    return [...show.level];
  };

  it("is the house look, dark, or a color on all fixtures except strobes", () => {
    expect([...houseLook(show).values()].some((slots) => slots.some((slot) => slot > 0))).toBe(true);
    expect(lit("house").map((level) => level > 0)).toEqual(heads.map((h) => headsOf("wash").includes(h)));
    expect(lit("dark").every((level) => level === 0)).toBe(true);
    expect(lit("color").map((level) => level > 0)).toEqual(heads.map((h) => !headsOf("strobes").includes(h)));
  });

  it("crossfades linearly with the show", () => {
    const plain = lit("house", 0);
    const whole = lit("house", 1);
    const half = lit("house", 0.5);
    for (const h of heads) expect(half[h]).toBeCloseTo((plain[h]! + whole[h]!) / 2, 5);
  });

  it("wanders without a flash at every tempo that can be tapped", () => {
    const TICK_HZ = 43.8;
    for (const bpm of [30, 300]) {
      const levels = Array.from({ length: 800 }, (_, i) => lit("color", 1, ((i / TICK_HZ) * bpm) / 60)[0]!);
      expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(0.095);
    }
  });
});
