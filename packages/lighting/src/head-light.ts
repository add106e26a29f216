import type { CompiledShow, HeadOrder, Lane } from "./compiled-show.ts";
import { levelOf, levelsAt, type CueMoment } from "./intents.ts";
import { DARK_TURN_FROM_SECONDS, darkTurn, showSlot, slotAt } from "./wheels.ts";

type Heads = Pick<CompiledShow, "headLanes" | "wheelOf" | "moves" | "hasOptics" | "paths">;

/** Groups heads by how their states are computed. @param heads a selection of the show's heads */
export function orderOf({ headLanes, wheelOf, moves, hasOptics, paths }: Heads, heads: Int32Array): HeadOrder {
  const isPlain = (h: number) => headLanes[h]!.length === 1 && wheelOf[h]! < 0;
  const followers = Map.groupBy(heads.filter(isPlain), (h) => headLanes[h]![0]!);
  return {
    plain: [...followers].map(([lane, own]) => ({ lane, heads: Int32Array.from(own) })),
    others: heads.filter((h) => !isPlain(h)),
    movers: heads.filter((h) => moves[h] === 1),
    turners: heads.filter((h) => paths.first[h]! >= 0),
    optics: heads.filter((h) => hasOptics[h] === 1),
  };
}

/** Sets level and color of heads from the current state of their lanes. Allocation free. */
export function setLight(show: CompiledShow, { plain, others }: HeadOrder): void {
  for (let i = 0; i < plain.length; i++) setFollowers(show, plain[i]!.lane, plain[i]!.heads);
  for (let i = 0; i < others.length; i++) setHead(show, others[i]!);
}

/** Scratch: levels of the heads of a lane in its current look and in the look it fades from. */
let now = new Float64Array(64);
let before = new Float64Array(64);

/** Does {@link setHead} for heads of one lane that mix their colors. Shared values are computed once. */
function setFollowers(show: CompiledShow, lane: Lane, heads: Int32Array): void {
  const { level } = show;
  const n = heads.length;
  if (!lane.isLit) {
    for (let i = 0; i < n; i++) level[heads[i]!] = 0;
    return;
  }
  if (now.length < n) [now, before] = [new Float64Array(n), new Float64Array(n)];
  levelsAt(lane.now, show, heads, now);
  if (lane.blend < 1) return setFading(show, lane, heads);
  for (let i = 0; i < n; i++) level[heads[i]!] = now[i]! * now[i]!;
  setColours(show, lane.now, heads);
}

function setFading(show: CompiledShow, lane: Lane, heads: Int32Array): void {
  const { blend } = lane;
  levelsAt(lane.before, show, heads, before);
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    const level = before[i]! + (now[i]! - before[i]!) * blend;
    show.level[h] = level * level;
    setColour(show, h, lane, now[i]! * blend, before[i]! * (1 - blend), show.colorTurns[h]!);
  }
}

/** Sets the colors of a single look, without a crossfade. */
function setColours({ red, green, blue, colorTurns }: CompiledShow, moment: CueMoment, heads: Int32Array): void {
  if (moment.cue!.alternates) {
    for (let i = 0; i < heads.length; i++) {
      const h = heads[i]!;
      red[h] = channelOf(moment, colorTurns[h]!, 0);
      green[h] = channelOf(moment, colorTurns[h]!, 1);
      blue[h] = channelOf(moment, colorTurns[h]!, 2);
    }
    return;
  }
  const [r, g, b] = [channelOf(moment, 0, 0), channelOf(moment, 0, 1), channelOf(moment, 0, 2)];
  for (let i = 0; i < heads.length; i++) {
    const h = heads[i]!;
    red[h] = r;
    green[h] = g;
    blue[h] = b;
  }
}

/** Sets a head from the brightest of its lanes. */
function setHead(show: CompiledShow, h: number): void {
  const lanes = show.headLanes[h]!;
  let best = -1;
  show.level[h] = 0;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i]!;
    // While dark, the wheel already turns to the slot that the next cue needs.
    if (i === 0 && show.wheelOf[h]! >= 0) setSlot(show, h, lane.now);
    if (!lane.isLit) continue;
    const turn = show.colorTurns[h]!;
    const now = levelOf(lane.now, show, h);
    const before = lane.blend < 1 ? levelOf(lane.before, show, h) : 0;
    const level = before + (now - before) * lane.blend;
    if (level <= best) continue;
    best = level;
    show.level[h] = level * level;
    if (show.wheelOf[h]! >= 0) setWheel(show, h, lane, turn);
    else setColour(show, h, lane, now * lane.blend, before * (1 - lane.blend), turn);
  }
}

/** Turns a wheel halfway through a crossfade between two looks, in the dark if there is enough time. */
function setWheel(show: CompiledShow, h: number, lane: Lane, turn: number): void {
  const wheel = show.wheelOf[h]!;
  const isFading = lane.blend < 1 && lane.before.cue !== undefined;
  setSlot(show, h, isFading && lane.blend < 0.5 ? lane.before : lane.now);
  const seconds = lane.now.cue!.fadeSeconds;
  if (!isFading || seconds < DARK_TURN_FROM_SECONDS) return;
  if (slotAt(lane.before, wheel, turn) === slotAt(lane.now, wheel, turn)) return;
  const share = darkTurn(lane.blend, seconds);
  show.level[h] = show.level[h]! * share * share;
}

function setSlot(show: CompiledShow, h: number, moment: CueMoment): void {
  if (moment.cue) showSlot(show, h, slotAt(moment, show.wheelOf[h]!, show.colorTurns[h]!));
}

/** Crossfades colors, weighted by how much light each of the two looks gives. */
function setColour(show: CompiledShow, h: number, lane: Lane, now: number, before: number, turn: number): void {
  const sum = now + before;
  const share = sum > 0 ? now / sum : 1;
  const a = lane.now;
  const b = share < 1 && lane.before.cue ? lane.before : a;
  show.red[h] = channelOf(a, turn, 0) * share + channelOf(b, turn, 0) * (1 - share);
  show.green[h] = channelOf(a, turn, 1) * share + channelOf(b, turn, 1) * (1 - share);
  show.blue[h] = channelOf(a, turn, 2) * share + channelOf(b, turn, 2) * (1 - share);
}

function channelOf(moment: CueMoment, turn: number, channel: number): number {
  const cue = moment.cue!;
  const k = cue.alternates ? turn % cue.colorCount : 0;
  const value = cue.colors[k * 3 + channel]!;
  return value + (1 - value) * moment.white;
}
