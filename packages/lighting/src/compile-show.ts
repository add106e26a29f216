import { UNIVERSE_SLOTS, type LightingPlan, type Rig, type RigLight } from "@followspot/contract";
import { BeatClock, lastAtOrBefore } from "./beat-clock.ts";
import { emittersOf, WRITE, writeOf, type Write } from "./bytes.ts";
import { luminance } from "./color.ts";
import { FlashLimiter, GRID_HZ, rednessOf } from "./flash-limiter.ts";
import {
  compileCue,
  FAMILY,
  levelAt,
  newMoment,
  setMoment,
  STROBE_LIMIT_SECONDS,
  STROBE_PAUSE_SECONDS,
  type CompiledCue,
  type CueMoment,
} from "./intents.ts";
import { resolveTargets } from "./resolve-targets.ts";

/** Flashes in any second the limiter lets through. */
export const FLASHES_PER_SECOND = { default: 3, venue: 4 } as const;

/** Beats a moving head takes to a new position when it is lit. */
const MOVE_BEATS = 2;
/** Darkness after the last cue that is still worked out, so that the end is limited too. */
const TAIL_SECONDS = 1;

/** Around a limited tick, at least as far as its window of one second reaches. */
const ZONE_SECONDS = 1.5;

interface Lane {
  readonly cues: readonly CompiledCue[];
  readonly starts: Float64Array;
  readonly now: CueMoment;
  readonly before: CueMoment;
  /** 0..1: how much of `now` shows; the rest is `before`. */
  blend: number;
  moveBlend: number;
  isLit: boolean;
}

interface ChannelWrite {
  readonly universe: number;
  readonly slot: number;
  readonly write: Write;
  /** Index into the heads, or -1 for a constant. */
  readonly head: number;
  /** Constant value, or what a shutter shows when open. */
  readonly value: number;
  /** Heads behind a shared dimmer or shutter. */
  readonly sharedBy: readonly number[];
  /** Shutter only: what it shows when closed. */
  readonly closed: number;
  /** Level is written to a dimmer channel, so colours are written undimmed. */
  readonly hasDimmer: boolean;
  readonly drawsWhite: boolean;
}

/** What the flash limiter found, per grid tick; nothing for a show that needs no limiting. */
export interface FlashLimits {
  /** 1 within {@link ZONE_SECONDS} of a limited tick. */
  zone: Uint8Array | undefined;
  rig: Float32Array | undefined;
  readonly heads: (Float32Array | undefined)[];
}

/** A plan bound to a rig: everything a frame needs, in buffers the show owns. */
export interface CompiledShow {
  readonly plan: LightingPlan;
  readonly universes: readonly number[];
  readonly headCount: number;
  readonly lightIds: Int32Array;
  readonly headNumbers: Int32Array;
  readonly writes: readonly ChannelWrite[];
  /** Lights that are left out, and why. */
  readonly problems: readonly string[];
  /** Roles of the plan no lamp of this rig follows. */
  readonly unusedLanes: readonly string[];
  /** Share of grid ticks on which the flash limiter changed something. */
  readonly limitedShare: number;
  /** Most flashes of a lamp or of the rig in any one second, after the limiter. */
  readonly mostFlashes: number;

  // Scratch of the frame loop, valid after setStates.
  readonly level: Float32Array;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  readonly pan: Float32Array;
  readonly tilt: Float32Array;

  readonly lanes: readonly Lane[];
  readonly headLanes: readonly (readonly Lane[])[];
  readonly places: Float32Array;
  readonly indexes: Int32Array;
  readonly counts: Int32Array;
  readonly mirrors: Int8Array;
  /** Lane each head follows first; "" when it follows none. */
  readonly headTargets: readonly string[];
  /** 1 for heads with pan or tilt. */
  readonly moves: Uint8Array;
  readonly isWash: Uint8Array;
  readonly isStrobe: Uint8Array;
  readonly clock: BeatClock;
  readonly curves: readonly Float32Array[];
  readonly curveHop: number;
  readonly limits: FlashLimits;
}

/** Bind a plan to a rig: resolve targets, check the patch, preload curves and work out the flash limiter. */
export function compileShow(plan: LightingPlan, rig: Rig): CompiledShow {
  const clock = new BeatClock(plan.beats);
  const { lights, problems } = patchedLights(rig);
  const heads = resolveTargets(Object.keys(plan.event_lanes), { ...rig, lights });
  const names = [...new Set(heads.flatMap((head) => head.lanes))];
  const lanes = new Map(names.map((name) => [name, compileLane(plan, name, clock)]));
  const n = heads.length;
  const show = {
    plan,
    universes: [...new Set(lights.map((light) => light.universe))].sort((a, b) => a - b),
    headCount: n,
    lightIds: Int32Array.from(heads, (head) => head.light.id),
    headNumbers: Int32Array.from(heads, (head) => head.head),
    writes: lights.flatMap((light) => writesOf(light, heads)),
    problems,
    unusedLanes: Object.keys(plan.event_lanes).filter((name) => !lanes.has(name)),
    limitedShare: 0,
    mostFlashes: 0,
    level: new Float32Array(n),
    red: new Float32Array(n),
    green: new Float32Array(n),
    blue: new Float32Array(n),
    pan: new Float32Array(n).fill(0.5),
    tilt: new Float32Array(n).fill(0.5),
    lanes: [...lanes.values()],
    headLanes: heads.map((head) => head.lanes.flatMap((name) => lanes.get(name) ?? [])),
    places: Float32Array.from(heads, (head) => head.place),
    indexes: Int32Array.from(heads, (head) => head.index),
    counts: Int32Array.from(heads, (head) => head.count),
    mirrors: Int8Array.from(heads, (head) => head.mirror),
    headTargets: heads.map((head) => head.lanes[0] ?? ""),
    moves: Uint8Array.from(heads, ({ light }) =>
      light.mode.channels.some((channel) => channel.kind === "pan" || channel.kind === "tilt") ? 1 : 0,
    ),
    isWash: Uint8Array.from(heads, (head) => (head.lanes.includes("role:wash") ? 1 : 0)),
    isStrobe: Uint8Array.from(heads, (head) => (head.lanes.includes("role:strobe") ? 1 : 0)),
    clock,
    curves: (["bass", "mid", "high", "energy"] as const).map((band) => Float32Array.from(plan.curves[band])),
    curveHop: plan.curves.hop_seconds,
    limits: {
      zone: undefined,
      rig: undefined,
      heads: Array.from<Float32Array | undefined>({ length: n }),
    } as FlashLimits,
  };
  return { ...show, ...limitFlashes(show) };
}

/** Enabled lights that have their slots to themselves, in address order. */
function patchedLights(rig: Rig): { lights: RigLight[]; problems: string[] } {
  const problems: string[] = [];
  const owners = new Map<number, Uint8Array>();
  const lights = rig.lights
    .filter((light) => light.enabled)
    .toSorted((a, b) => a.universe - b.universe || a.address - b.address || a.id - b.id)
    .filter((light) => {
      const end = light.address - 1 + light.mode.channels.length;
      if (end > UNIVERSE_SLOTS) {
        problems.push(`${light.label}: runs past address ${UNIVERSE_SLOTS}`);
        return false;
      }
      let owner = owners.get(light.universe);
      if (!owner) owners.set(light.universe, (owner = new Uint8Array(UNIVERSE_SLOTS)));
      if (owner.subarray(light.address - 1, end).some((taken) => taken === 1)) {
        problems.push(`${light.label}: overlaps another light in universe ${light.universe}`);
        return false;
      }
      owner.fill(1, light.address - 1, end);
      return true;
    });
  return { lights, problems };
}

function compileLane(plan: LightingPlan, name: string, clock: BeatClock): Lane {
  const cues = (plan.event_lanes[name] ?? [])
    .map((cue) => compileCue(cue, clock))
    .toSorted((a, b) => a.start - b.start);
  let strobeStart = Number.NEGATIVE_INFINITY;
  let strobeEnd = Number.NEGATIVE_INFINITY;
  for (const cue of cues) {
    if (cue.family !== FAMILY.strobe) continue;
    if (cue.start > strobeEnd + STROBE_PAUSE_SECONDS) strobeStart = cue.start;
    strobeEnd = cue.end;
    cue.strobeUntil = strobeStart + STROBE_LIMIT_SECONDS;
  }
  return {
    cues,
    starts: Float64Array.from(cues, (cue) => cue.start),
    now: newMoment(),
    before: newMoment(),
    blend: 1,
    moveBlend: 1,
    isLit: false,
  };
}

function writesOf(light: RigLight, heads: readonly { light: RigLight; head: number }[]): ChannelWrite[] {
  const own = heads.flatMap((h, index) => (h.light.id === light.id ? [{ head: h.head, index }] : []));
  return light.mode.channels.map((channel, i): ChannelWrite => {
    const head = own.find((h) => h.head === channel.head)?.index ?? -1;
    const emitters = emittersOf(light.mode, channel.head);
    const hasOwnDimmer = light.mode.channels.some((c) => c.kind === "intensity" && c.head === channel.head);
    const isGate = channel.kind === "intensity" || channel.kind === "shutter";
    const isShared = head < 0 && own.length > 0 && isGate;
    const open = channel.kind === "shutter" ? (channel.open ?? channel.default) : 255;
    return {
      universe: light.universe,
      slot: light.address - 1 + i,
      write: isShared ? WRITE.shared : head < 0 ? WRITE.constant : writeOf(channel.kind),
      head,
      sharedBy: isShared ? own.map((h) => h.index) : [],
      value: isGate && own.length > 0 ? open : channel.default,
      closed: channel.kind === "shutter" ? channel.default : 0,
      hasDimmer: hasOwnDimmer,
      drawsWhite: emitters.hasWhite && emitters.hasRgb,
    };
  });
}

/**
 * Set every head's state for song time t, limiter included. Allocation free.
 * Near a limited moment t is taken to the nearest grid tick, so that what shines is exactly what was checked.
 */
export function setStates(show: CompiledShow, t: number): void {
  const tick = Math.round(t * GRID_HZ);
  const isNearLimit = show.limits.zone?.[tick] === 1;
  setUnlimitedStates(show, isNearLimit ? tick / GRID_HZ : t);
  if (!isNearLimit) return;
  const rig = show.limits.rig?.[tick] ?? 1;
  for (let h = 0; h < show.headCount; h++) {
    const gain = rig * (show.limits.heads[h]?.[tick] ?? 1);
    if (gain < 1) show.level[h] = show.level[h]! * gain;
  }
}

function setUnlimitedStates(show: CompiledShow, t: number): void {
  const beat = show.clock.beatAt(t);
  for (let i = 0; i < show.lanes.length; i++) setLane(show, show.lanes[i]!, t, beat);
  for (let h = 0; h < show.headCount; h++) setHead(show, h);
}

function setLane(show: CompiledShow, lane: Lane, t: number, beat: number): void {
  lane.isLit = false;
  if (lane.cues.length === 0) return;
  const i = lastAtOrBefore(lane.starts, t);
  const cue = lane.cues[i]!;
  const previous = i > 0 ? lane.cues[i - 1] : undefined;
  lane.isLit = t >= cue.start && t < cue.end;
  // In the dark a head travels to where the next cue wants it.
  const next = t >= cue.end ? lane.cues[i + 1] : undefined;
  const shown = lane.isLit || !next ? cue : next;
  const at = lane.isLit ? t : shown.start;
  setMoment(lane.now, shown, at, lane.isLit ? beat : shown.anchorBeat, curveAt(show, shown.band, t));
  lane.blend = 1;
  lane.moveBlend = 1;
  if (!lane.isLit) return;
  const since = t - cue.start;
  const isFading = cue.fadeSeconds > 0 && since < cue.fadeSeconds;
  const moves = beat - cue.anchorBeat < MOVE_BEATS && previous !== undefined && previous.end >= cue.start - 1e-6;
  if (!isFading && !moves) return;
  if (isFading) lane.blend = since / cue.fadeSeconds;
  if (moves) lane.moveBlend = Math.min(1, Math.max(0, (beat - cue.anchorBeat) / MOVE_BEATS));
  if (previous && previous.end >= cue.start - 1e-6) {
    setMoment(lane.before, previous, t, beat, curveAt(show, previous.band, t));
  } else {
    lane.before.cue = undefined;
  }
}

function setHead(show: CompiledShow, h: number): void {
  const lanes = show.headLanes[h]!;
  let best = -1;
  show.level[h] = 0;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i]!;
    if (i === 0 && show.moves[h] === 1) setPosition(show, h, lane);
    if (!lane.isLit) continue;
    const index = show.indexes[h]!;
    const count = show.counts[h]!;
    const place = show.places[h]!;
    const now = levelAt(lane.now, place, index, count);
    const before = lane.blend < 1 ? levelAt(lane.before, place, index, count) : 0;
    const level = before + (now - before) * lane.blend;
    if (level <= best) continue;
    best = level;
    show.level[h] = level * level;
    setColour(show, h, lane, now * lane.blend, before * (1 - lane.blend), index);
  }
}

/** Colours fade by how much light each of the two looks gives. */
function setColour(show: CompiledShow, h: number, lane: Lane, now: number, before: number, index: number): void {
  const sum = now + before;
  const share = sum > 0 ? now / sum : 1;
  const a = lane.now;
  const b = share < 1 && lane.before.cue ? lane.before : a;
  show.red[h] = channelOf(a, index, 0) * share + channelOf(b, index, 0) * (1 - share);
  show.green[h] = channelOf(a, index, 1) * share + channelOf(b, index, 1) * (1 - share);
  show.blue[h] = channelOf(a, index, 2) * share + channelOf(b, index, 2) * (1 - share);
}

function channelOf(moment: CueMoment, index: number, channel: number): number {
  const cue = moment.cue!;
  const k = cue.alternates ? index % cue.colorCount : 0;
  const value = cue.colors[k * 3 + channel]!;
  return value + (1 - value) * moment.white;
}

function setPosition(show: CompiledShow, h: number, lane: Lane): void {
  const now = lane.now.cue;
  if (!now) return;
  const side = (show.places[h]! - 0.5) * 2 * show.mirrors[h]!;
  let pan = panOf(lane.now, side);
  let tilt = tiltOf(lane.now);
  if (lane.moveBlend < 1 && lane.before.cue) {
    pan = panOf(lane.before, side) + (pan - panOf(lane.before, side)) * lane.moveBlend;
    tilt = tiltOf(lane.before) + (tilt - tiltOf(lane.before)) * lane.moveBlend;
  }
  show.pan[h] = pan;
  show.tilt[h] = tilt;
}

/** Pairs mirror: left lamps move left when right lamps move right. A quarter of the travel is plenty on a stage. */
function panOf(moment: CueMoment, side: number): number {
  const cue = moment.cue!;
  const sway = cue.moveRange * 0.25 * Math.sin(2 * Math.PI * moment.movePhase);
  return cue.pan + (side < 0 ? -sway : sway) + side * cue.moveRange * 0.1;
}

function tiltOf(moment: CueMoment): number {
  const cue = moment.cue!;
  return cue.tilt + cue.moveRange * 0.1 * Math.sin(4 * Math.PI * moment.movePhase);
}

function curveAt(show: CompiledShow, band: number, t: number): number {
  const curve = show.curves[band]!;
  if (curve.length === 0) return 0;
  const x = Math.max(0, t / show.curveHop);
  const i = Math.floor(x);
  const a = curve[Math.min(i, curve.length - 1)]!;
  const b = curve[Math.min(i + 1, curve.length - 1)]!;
  return Math.min(1, Math.max(0, a + (b - a) * (x - i)));
}

/** Run the show once on the grid and store the gains that keep every lamp and the rig within the flash limit. */
function limitFlashes(show: CompiledShow): Pick<CompiledShow, "limitedShare" | "mostFlashes"> {
  const n = show.headCount;
  if (n === 0) return { limitedShare: 0, mostFlashes: 0 };
  const last = show.lanes.reduce((end, lane) => lane.cues.reduce((e, cue) => Math.max(e, cue.end), end), 0);
  const ticks = Math.ceil((Math.max(last, show.plan.duration) + TAIL_SECONDS) * GRID_HZ);
  const limiter = new FlashLimiter(n + 1, FLASHES_PER_SECOND[show.plan.safety.profile]);
  const levels = new Float64Array(n);
  // A lamp that shines as it did, unlimited, on the tick before needs no second look.
  const before = { raw: new Float64Array(n).fill(-1), lum: new Float64Array(n), red: new Float64Array(n) };
  const isSame = new Uint8Array(n);
  let limitedTicks = 0;
  for (let tick = 0; tick <= ticks; tick++) {
    setUnlimitedStates(show, tick / GRID_HZ);
    let level = 0;
    let light = 0;
    let redness = 0;
    let isLimited = false;
    for (let h = 0; h < n; h++) {
      const raw = show.level[h]!;
      const r = show.red[h]!;
      const g = show.green[h]!;
      const b = show.blue[h]!;
      const lum = luminance(r, g, b);
      const redRatio = rednessOf(r, g, b);
      isSame[h] = raw === before.raw[h] && lum === before.lum[h] && redRatio === before.red[h] ? 1 : 0;
      before.lum[h] = lum;
      before.red[h] = redRatio;
      const gain = raw > 0 && !isSame[h] ? limiter.gain(h, raw, raw * lum, raw * redRatio, tick) : 1;
      if (gain < 1) {
        isLimited = true;
        (show.limits.heads[h] ??= new Float32Array(ticks + 1).fill(1))[tick] = gain;
      }
      levels[h] = raw * gain;
      level += levels[h]!;
      light += levels[h]! * lum;
      redness += levels[h]! * redRatio;
    }
    const rig = limiter.gain(n, level / n, light / n, redness / n, tick);
    if (rig < 1) {
      isLimited = true;
      (show.limits.rig ??= new Float32Array(ticks + 1).fill(1))[tick] = rig;
    }
    if (isLimited) {
      limitedTicks++;
      const zone = (show.limits.zone ??= new Uint8Array(ticks + 1));
      zone.fill(1, Math.max(0, tick - ZONE_SECONDS * GRID_HZ), tick + ZONE_SECONDS * GRID_HZ);
    }
    limiter.commit(n, (level * rig) / n, (light * rig) / n, (redness * rig) / n, tick);
    for (let h = 0; h < n; h++) {
      const value = levels[h]! * rig;
      if (isSame[h] && rig === 1) continue;
      // A limited lamp is looked at again even if the plan stands still.
      before.raw[h] = value === show.level[h] ? value : -1;
      limiter.commit(h, value, value * before.lum[h]!, value * before.red[h]!, tick);
    }
  }
  return { limitedShare: limitedTicks / (ticks + 1), mostFlashes: limiter.most };
}
