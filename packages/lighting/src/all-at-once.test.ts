import { UNIVERSE_SLOTS, type Rig } from "@followspot/contract";
import { describe, expect, it } from "vitest";
import { bindShow } from "./compile-show.ts";
import { amountOf, scaledByte, WRITE } from "./bytes.ts";
import type { CompiledShow } from "./compiled-show.ts";
import { GENERIC_FIXTURES } from "./fixtures.ts";
import { FlashLimiter, RED_SCALE } from "./flash-limiter.ts";
import { setUnlimitedStates } from "./head-states.ts";
import { randomStream } from "./random.ts";
import { parsRig, REFERENCE_RIGS } from "./reference-rigs.ts";
import { newFrame, writeStates } from "./render-frame.ts";
import { randomPlan } from "./testing/random-plan.ts";

const RIGS = [...REFERENCE_RIGS.map(({ rig }) => rig), parsRig(1), parsRig(60), everyGenericLamp()];
const STATES = ["level", "red", "green", "blue", "pan", "tilt", "zoom", "slot"] as const;

describe("batched computation", () => {
  it("gives every head the same light as computing it alone", () => {
    for (let seed = 1; seed <= 12; seed++) {
      for (const rig of RIGS) {
        const [many, alone] = [bindShow(randomPlan(seed), rig), oneByOne(bindShow(randomPlan(seed), rig))];
        for (let t = 0; t < 31; t += 0.173) {
          setUnlimitedStates(many, t);
          setUnlimitedStates(alone, t);
          for (const key of STATES) expect(many[key]).toEqual(alone[key]);
        }
      }
    }
  });

  it("gives every channel the same byte as computing it alone", () => {
    for (const [i, rig] of RIGS.entries()) {
      const show = bindShow(randomPlan(i + 1), rig);
      const frame = newFrame(show);
      for (let t = 0; t < 31; t += 0.4) {
        setUnlimitedStates(show, t);
        writeStates(show, frame);
        const shown = mixedChannels(show).map(({ universe, slot }) => frame.get(universe)![slot]!);
        expect(shown).toEqual(mixedChannels(show).map((write) => byteAlone(show, write)));
      }
    }
  });

  it("gives the same show if another plan was bound to the rig before", () => {
    for (const [i, rig] of RIGS.entries()) {
      const before = bindShow(randomPlan(i + 20), rig);
      const plan = randomPlan(i + 1);
      const again = bindShow(plan, rig, before);
      expect(again).toEqual(bindShow(plan, rig));
      expect(again.level).not.toBe(before.level);
    }
  });

  it("limits flashes of many heads in the same way as each head alone", () => {
    const lamps = 40;
    const random = randomStream(7);
    const [many, alone] = [new FlashLimiter(lamps, 3), new FlashLimiter(lamps, 3)];
    const light = { levels: column(lamps), luminances: column(lamps), reds: column(lamps) };
    const [gains, known] = [column(lamps), column(lamps)];
    let held = 0;
    for (let tick = 0; tick < 2000; tick++) {
      for (let i = 0; i < lamps; i++) walk(light, i, random);
      many.gainAll(light, gains, tick);
      for (let i = 0; i < lamps; i++) {
        const level = light.levels[i]!;
        const lum = level * light.luminances[i]!;
        known[i] = level > 0 ? alone.gain(i, level, lum, level * light.reds[i]!, tick) : 1;
        light.levels[i] = level * known[i]!;
        if (known[i]! < 1) held++;
      }
      expect(gains).toEqual(known);
      many.commitAll(light, true, tick);
      for (let i = 0; i < lamps; i++) {
        const level = light.levels[i]!;
        alone.commit(i, level, level * light.luminances[i]!, level * light.reds[i]!, tick);
      }
    }
    expect(many.most).toBe(alone.most);
    expect(held).toBeGreaterThan(1000);
  });
});

/** Returns the same show without shared computation. */
function oneByOne(show: CompiledShow): CompiledShow {
  return {
    ...show,
    order: { ...show.order, plain: [], others: Int32Array.from({ length: show.headCount }, (_, h) => h) },
  };
}

/** Returns the channels whose byte is an amount of light. */
function mixedChannels({ writes }: CompiledShow) {
  return writes.filter(({ write }) => (write > WRITE.constant && write < WRITE.pan) || isOther(write));
}

const isOther = (write: number) => write === WRITE.only || write === WRITE.hue || write === WRITE.saturation;

function byteAlone(show: CompiledShow, write: CompiledShow["writes"][number]): number {
  const h = write.head;
  const level = show.level[h]!;
  const dim = write.hasDimmer ? 1 : level;
  const [r, g, b] = [show.red[h]!, show.green[h]!, show.blue[h]!];
  return scaledByte(amountOf(write.write, level, dim, r, g, b, write.drawsWhite), write);
}

/** Moves a head to the next tick: unchanged, slightly different, elsewhere, off, or in another color. */
function walk(light: Record<"levels" | "luminances" | "reds", Float64Array>, i: number, random: () => number): void {
  const chance = random();
  if (chance < 0.2) light.levels[i] = random();
  else if (chance < 0.3) light.levels[i] = 0;
  else if (chance < 0.8) light.levels[i] = Math.min(1, Math.max(0, light.levels[i]! + 0.2 * (random() - 0.5)));
  if (random() < 0.1) [light.luminances[i], light.reds[i]] = [random(), random() / RED_SCALE];
}

function column(length: number): Float64Array {
  return new Float64Array(length);
}

function everyGenericLamp(): Rig {
  let next = { universe: 1, address: 1 };
  const lights = GENERIC_FIXTURES.flatMap((fixture) => fixture.modes).flatMap((mode, i) =>
    [0, 1].map((k) => {
      const isFull = next.address + mode.channels.length - 1 > UNIVERSE_SLOTS;
      const at = isFull ? { universe: next.universe + 1, address: 1 } : next;
      next = { ...at, address: at.address + mode.channels.length };
      return { id: 2 * i + k + 1, label: `light ${2 * i + k}`, ...at, mode, enabled: true };
    }),
  );
  return { lights, groups: [] };
}
