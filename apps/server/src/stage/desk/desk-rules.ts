import {
  deskControlOf,
  deskValueProblem,
  GIVE_ALL_BACK,
  isMomentary,
  staysInHand,
  type HeadPosition,
  type DeskHand,
  type DeskKind,
  type DeskPress,
  type DeskValue,
} from "@followspot/contract";
import { FIGURES, pairNamed } from "@followspot/lighting";

/** The person or sender that presses, and an id of its connection; an OSC sender counts as one connection. */
export interface Presser {
  readonly connection: string;
  readonly owner: string;
  readonly ownerName: string;
}

/** A control that a person holds, as the stage keeps it. */
export interface Held extends DeskHand {
  /** The same moment as `since`, by the monotonic clock. */
  readonly sinceMs: number;
  /** Blinder and strobe: who presses them now, the last one at the end. */
  readonly pressers: readonly Presser[];
  /** Hold: the song time the look is frozen at. */
  readonly position: number;
  /** Size: what it glides from since it was pressed. */
  readonly from: number;
  /** When it ends, by the monotonic clock, because it was given back; missing while it is held. */
  readonly endsMs?: number;
}

export type Hands = Readonly<Record<string, Held>>;

/** When something is pressed, by both clocks, and where the show is then. */
export interface Moment {
  readonly epochMs: number;
  readonly monotonicMs: number;
  readonly position: number;
  /** Until the bar that plays is over; undefined where none is known. */
  readonly barLeftMs?: number | undefined;
}

/**
 * The controls that a stage which was killed takes up again: those that were switched. Not those of a moment: a song's
 * look (hold), a finger (blinder, strobe, haze), a lamp that is looked for or aimed, a connection that sends sound.
 */
const KEPT: readonly DeskKind[] = [
  "blackout",
  "master",
  "size",
  "idle",
  "color",
  "mute",
  "solo",
  "tempo",
  "point",
  "pair",
  "figure",
];
/** A blinder that is pressed twice at a time, a strobe of a person who left: one name of each is enough to hold it. */
const MAX_PRESSERS = 32;
/** A show grows and shrinks for so long after a press. */
const SIZE_GLIDE_MS = 1000;

/** What of the rig the desk knows. */
export interface DeskRig {
  /** By id, with their names. */
  readonly groups: ReadonlyMap<string, string>;
  /** Lights that can be lit, by id, with their labels. */
  readonly lights: ReadonlyMap<number, string>;
  /** Those of them that have pan or tilt. */
  readonly movers: ReadonlySet<number>;
  /** Where those can be pointed; none without them. */
  readonly positions: readonly HeadPosition[];
  /** How many lamps make haze. */
  readonly hazers: number;
}

/**
 * What is wrong with a press, for a person; undefined when nothing is.
 * @param rig undefined while a stage that was just started does not know it: what is pressed then is not lost, and
 *   {@link withRig} takes back what belongs to nothing
 */
export function problemOf(press: DeskPress, rig: DeskRig | undefined): string | undefined {
  const { control, value } = press;
  if (control === GIVE_ALL_BACK) return value === null ? undefined : "Everything can only be given back.";
  const known = deskControlOf(control);
  if (!known) return "The desk has no such control.";
  if (value === null) return undefined;
  if (rig && known.group !== "" && !rig.groups.has(known.group)) return "There is no such group any more.";
  if (rig && known.light !== 0 && !rig.lights.has(known.light)) {
    return "This lamp cannot be lit: it is off, in a group that is disabled, removed, or gives no light.";
  }
  if (rig?.hazers === 0 && known.kind === "haze") return "There is no lamp that makes haze.";
  if (rig && known.kind === "aim" && !rig.movers.has(known.light)) return "This lamp has neither pan nor tilt.";
  if (rig && known.kind === "figure" && rig.movers.size === 0) return "There is no lamp with pan or tilt.";
  if (known.kind === "pair" && !pairNamed(value)) return "There is no pair of colors of this name.";
  if (known.kind === "figure" && !isFigure(value)) return `Heads draw ${FIGURES.map(({ name }) => name).join(", ")}.`;
  return deskValueProblem(known.kind, value);
}

const isFigure = (value: DeskValue): boolean => FIGURES.some(({ name }) => name === value);

/** The hands after a press that is right; the same object when nothing changes. */
export function pressed(hands: Hands, { control, value }: DeskPress, by: Presser, at: Moment): Hands {
  const staysOrGlides = (key: string) => staysInHand(key) || key === "size";
  if (control === GIVE_ALL_BACK) return glidingBack(only(hands, staysOrGlides), at);
  const held = hands[control];
  const kind = deskControlOf(control)?.kind;
  if (value === null && kind === "size") return glidingBack(hands, at);
  // Given back a look stays until the bar is over; given back once more it goes at once.
  if (value === null && kind === "hold" && held && held.endsMs === undefined && at.barLeftMs !== undefined)
    return { ...hands, hold: { ...held, endsMs: at.monotonicMs + at.barLeftMs } };
  if (value === null) return letGo(hands, control, by.connection);
  if (kind !== undefined && isMomentary(kind)) {
    const others = (held?.pressers ?? [])
      .filter(({ connection }) => connection !== by.connection)
      .slice(1 - MAX_PRESSERS);
    return {
      ...hands,
      [control]: inHand(value, by, held ? { ...at, monotonicMs: held.sinceMs } : at, [...others, by]),
    };
  }
  // Pressed again by the same person a switch stays as it is; another person takes it over, which all see.
  const isSame = held?.value === value && held.owner === by.owner && held.endsMs === undefined;
  if (isSame && kind !== "tempo") return hands;
  // A hold that another person presses again stays at its place.
  const hold = kind === "hold" && held ? { ...at, position: held.position, monotonicMs: held.sinceMs } : at;
  const from = kind === "size" && held ? sizeAt(held, at.monotonicMs) : 0;
  return { ...hands, [control]: { ...inHand(value, by, hold, []), from } };
}

/** When its size is given back, a show glides to its plan's size. The same object when it does already. */
function glidingBack(hands: Hands, { monotonicMs }: Moment): Hands {
  const { size } = hands;
  if (!size || size.endsMs !== undefined) return hands;
  const from = sizeAt(size, monotonicMs);
  const endsMs = monotonicMs + SIZE_GLIDE_MS;
  return { ...hands, size: { ...size, value: 0, from, sinceMs: monotonicMs, endsMs } };
}

/** How big a show is made at a moment: a step of {@link SHOW_SIZE}, or between two. */
export function sizeAt({ value, from, sinceMs }: Held, ms: number): number {
  const share = Math.min(1, Math.max(0, (ms - sinceMs) / SIZE_GLIDE_MS));
  return from + (Number(value) - from) * share;
}

/** The connection is lost, and the controls it pressed are released. The same object when it pressed nothing. */
export function connectionEnded(hands: Hands, connection: string): Hands {
  let after = hands;
  for (const key of Object.keys(hands)) {
    if (hands[key]!.pressers.some((presser) => presser.connection === connection))
      after = letGo(after, key, connection);
  }
  return after;
}

/** Without what belongs to groups and lights that are not there any more. */
export function withRig(hands: Hands, { groups, lights }: DeskRig): Hands {
  return only(hands, (key) => {
    const { group = "", light = 0 } = deskControlOf(key) ?? {};
    return (group === "" || groups.has(group)) && (light === 0 || lights.has(light));
  });
}

/** How long a control stays in a hand at the most. */
export type LongestMs = Partial<Record<DeskKind, number>>;

/** When the next control ends by itself, by the monotonic clock; undefined: none does. */
export function nextEnd(hands: Hands, longest: LongestMs): number | undefined {
  const ends = Object.keys(hands).map((key) => endOf(hands, key, longest));
  const next = Math.min(...ends);
  return next < Number.POSITIVE_INFINITY ? next : undefined;
}

/** Without those that have ended by then. */
export function withoutEnded(hands: Hands, longest: LongestMs, ms: number): Hands {
  return only(hands, (key) => endOf(hands, key, longest) > ms);
}

function endOf(hands: Hands, key: string, longest: LongestMs): number {
  const kind = deskControlOf(key)?.kind;
  const most = (kind && longest[kind]) ?? Number.POSITIVE_INFINITY;
  const { sinceMs, endsMs = Number.POSITIVE_INFINITY } = hands[key]!;
  return Math.min(sinceMs + most, endsMs);
}

/** Those that are kept over a crash, or over an end in order. */
export function only(hands: Hands, stays: (key: string) => boolean): Hands {
  const kept = Object.entries(hands).filter(([key]) => stays(key));
  return kept.length === Object.keys(hands).length ? hands : Object.fromEntries(kept);
}

/** Whether a stage that was killed takes this control up again. */
export function isKept(control: string): boolean {
  const kind = deskControlOf(control)?.kind;
  return kind !== undefined && KEPT.includes(kind);
}

/**
 * Whether a press is answered only once it outlives the stage. The master is slid: it would move as slowly as the disk
 * writes.
 */
export function isAnsweredLate(control: string): boolean {
  return control === GIVE_ALL_BACK || (isKept(control) && deskControlOf(control)?.kind !== "master");
}

/** Kept hands of an earlier run. */
export function takenUp(kept: Readonly<Record<string, DeskHand>>, monotonicMs: number): Hands {
  const right = Object.entries(kept).filter(([key, { value }]) => {
    const control = deskControlOf(key);
    return control && isKept(key) && deskValueProblem(control.kind, value) === undefined;
  });
  return Object.fromEntries(
    right.map(([key, hand]) => [key, { ...hand, sinceMs: monotonicMs, pressers: [], position: 0, from: 0 }]),
  );
}

/** A person who does not press it gives it back for all: a stuck blinder must not need its presser. */
function letGo(hands: Hands, control: string, connection: string): Hands {
  const held = hands[control];
  if (!held) return hands;
  const others = held.pressers.filter((presser) => presser.connection !== connection);
  const last = others.length < held.pressers.length ? others.at(-1) : undefined;
  if (!last) return only(hands, (key) => key !== control);
  return { ...hands, [control]: { ...held, owner: last.owner, owner_name: last.ownerName, pressers: others } };
}

function inHand(value: DeskValue, by: Presser, at: Moment, pressers: readonly Presser[]): Held {
  const { epochMs, monotonicMs, position } = at;
  return {
    value,
    owner: by.owner,
    owner_name: by.ownerName,
    since: epochMs,
    sinceMs: monotonicMs,
    pressers,
    position,
    from: 0,
  };
}
