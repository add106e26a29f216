import { slotOf, type HeadAim, type Rig, type RigLight } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { UNAIMED } from "./aims.ts";
import { bindShow, compileShow } from "./compile-show.ts";
import { emptyPlan } from "./empty-plan.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { randomStream } from "./random.ts";
import { fixtureStates, houseLook, newFrame, renderFrame, writeStates } from "./render-frame.ts";
import { planWith, randomPlan } from "./testing/random-plan.ts";

/** Starts with pan and tilt in 16 bits, then speed and dimmer. */
const WASH = GENERIC_FIXTURES.find(({ key }) => key === "generic_moving_wash")!.modes[0]!;
const DIMMER = 5;

const head = (id: number, aim?: HeadAim): RigLight => ({
  id,
  label: `Head ${id}`,
  universe: 1,
  address: 1 + (id - 1) * WASH.channels.length,
  mode: WASH,
  enabled: true,
  ...(aim && { aim }),
});
const rigOf = (...lights: RigLight[]): Rig => ({
  lights,
  groups: [{ id: "heads", name: "Heads", type: "spot", lightIds: lights.map(({ id }) => id), enabled: true }],
});
const aimed = (more: Partial<HeadAim>): HeadAim => ({ ...UNAIMED, ...more });
const beam = (params: Record<string, number | string>) =>
  planWith({
    all: [
      { time: 0, duration: 30, intent: "snap", palette: ["#ffffff"], params: { level: 1, ...params }, section: "verse", energy: 1, reason: "test" }, // prettier-ignore
    ],
  });
/** Pan coarse and fine, tilt coarse and fine of one fixture at the start of a plan. */
const aimBytes = (aim: HeadAim | undefined, params: Record<string, number | string> = {}) => [
  ...renderFrame(compileShow(beam(params), rigOf(head(1, aim))), 0)
    .get(1)!
    .subarray(0, 4),
];

describe("a fixture with an aim", () => {
  it("points home in 16 bits; without an aim it points to the middle", () => {
    expect(aimBytes(undefined)).toEqual([0x80, 0x00, 0x80, 0x00]);
    expect(aimBytes(aimed({ home: { pan: 0, tilt: 1 } }))).toEqual([0x00, 0x00, 0xff, 0xff]);
    // 0.25 of 65535 is 16384 = 0x4000; 0.75 is 49151 = 0xbfff.
    expect(aimBytes(aimed({ home: { pan: 0.25, tilt: 0.75 } }))).toEqual([0x40, 0x00, 0xbf, 0xff]);
  });

  it("swaps pan and tilt, then inverts them", () => {
    const home = { pan: 0.25, tilt: 0.125 }; // 0x4000 and 0x2000
    expect(aimBytes(aimed({ home }))).toEqual([0x40, 0x00, 0x20, 0x00]);
    expect(aimBytes(aimed({ home, invertPan: true }))).toEqual([0xbf, 0xff, 0x20, 0x00]);
    expect(aimBytes(aimed({ home, invertTilt: true }))).toEqual([0x40, 0x00, 0xdf, 0xff]);
    expect(aimBytes(aimed({ home, swap: true }))).toEqual([0x20, 0x00, 0x40, 0x00]);
    expect(aimBytes(aimed({ home, swap: true, invertPan: true }))).toEqual([0xdf, 0xff, 0x40, 0x00]);
  });

  it("stays within its range around home, whatever the plan", () => {
    const home = { pan: 0.5, tilt: 0.25 };
    const aim = aimed({ home, range: { pan: 0.125, tilt: 0 } });
    // One plan with the largest usual movement, and one beyond it.
    for (const pan of [0.85, 1]) expect(aimBytes(aim, { pan, tilt: 1 })).toEqual([0x9f, 0xff, 0x40, 0x00]);
    expect(aimBytes(aim, { pan: 0.5, tilt: 0 })).toEqual([0x80, 0x00, 0x40, 0x00]);
  });

  it("points at the taught position of its cue, and home if the cue has no known position", () => {
    const aim = aimed({ home: { pan: 0, tilt: 0 }, hall: { pan: 1, tilt: 0.25 } });
    expect(aimBytes(aim, { aim: "hall" })).toEqual([0xff, 0xff, 0x40, 0x00]);
    expect(aimBytes(aim, { aim: "moon" })).toEqual([0, 0, 0, 0]);
    expect(aimBytes(aim)).toEqual([0, 0, 0, 0]);
  });

  it("is at home in the house look and without a cue, and a preview shows home as straight ahead", () => {
    const rig = rigOf(head(1, aimed({ home: { pan: 0.25, tilt: 0.75 } })));
    const show = bindShow(emptyPlan(["all"]), rig);
    for (const frame of [houseLook(show), renderFrame(show, 3)])
      expect([...frame.get(1)!.subarray(0, 4)]).toEqual([0x40, 0x00, 0xbf, 0xff]);
    expect(fixtureStates(show, 3)[0]).toMatchObject({ pan: 0.5, tilt: 0.5 });
  });
});

// kept: Stage and lamps | Moving heads could not be aimed: every one moved around the middle of its travel | also
it("no beam enters or crosses its guard, in any plan, at any time and in any mounting", () => {
  const random = randomStream(7);
  for (let seed = 1; seed <= 20; seed++) {
    const aims = Array.from({ length: 4 }, () => randomAim(random));
    const rig = rigOf(...aims.map((aim, i) => head(i + 1, aim)));
    const show = compileShow(randomPlan(seed, 90 + seed * 4), rig);
    const frame = newFrame(show);
    let lit = 0;
    for (let t = 0; t < 31; t += 0.11) {
      renderFrame(show, t, frame);
      for (const [i, aim] of aims.entries()) {
        const first = slotOf(rig.lights[i]!.address);
        const slots = frame.get(1)!.subarray(first, first + WASH.channels.length);
        const tilt = tiltOfBytes(slots, aim);
        const isBelow = aim.home.tilt <= aim.guard!.from;
        // One step of 16 bits for rounding.
        if (isBelow) expect(tilt).toBeLessThanOrEqual(aim.guard!.from + 1 / 65535);
        else expect(tilt).toBeGreaterThanOrEqual(aim.guard!.to - 1 / 65535);
        if (slots[DIMMER]! > 0) lit++;
      }
    }
    expect(lit).toBeGreaterThan(0);
  }
});

it("limits any state to the guard when bytes are written", () => {
  const aim = aimed({ home: { pan: 0.5, tilt: 0.2 }, guard: { from: 0.4, to: 0.7 } });
  const show = bindShow(emptyPlan(["all"]), rigOf(head(1, aim)));
  for (const tilt of [0.41, 0.55, 0.9, 5, Number.POSITIVE_INFINITY]) {
    show.tilt[0] = tilt;
    const frame = newFrame(show);
    writeStates(show, frame);
    expect([frame.get(1)![2], frame.get(1)![3]]).toEqual([0x66, 0x66]);
  }
});

/** Returns the tilt as the pad shows it, read back from the bytes. */
function tiltOfBytes(slots: Uint8Array, { swap, invertPan, invertTilt }: HeadAim): number {
  const at = swap ? 0 : 2;
  const value = (slots[at]! * 256 + slots[at + 1]!) / 65535;
  return (swap ? invertPan : invertTilt) ? 1 - value : value;
}

function randomAim(random: () => number): HeadAim {
  const point = () => ({ pan: random(), tilt: random() });
  const from = 0.2 + random() * 0.3;
  const to = from + 0.05 + random() * 0.3;
  const home = { pan: random(), tilt: random() < 0.5 ? random() * from : to + random() * (1 - to) };
  return {
    home,
    range: { pan: random() * 0.5, tilt: random() * 0.5 },
    invertPan: random() < 0.5,
    invertTilt: random() < 0.5,
    swap: random() < 0.5,
    band: point(),
    hall: point(),
    guard: { from, to },
  };
}
