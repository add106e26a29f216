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

/** User or sender that presses, and the ID of its connection; an OSC sender counts as one connection. */
export interface Presser {
  readonly connection: string;
  readonly owner: string;
  readonly ownerName: string;
}

/** State of a control that is held. */
export interface Held extends DeskHand {
  /** Time of `since` on the monotonic clock, ms. */
  readonly sinceMs: number;
  /** Blinder and strobe: current pressers, the latest last. */
  readonly pressers: readonly Presser[];
  /** Hold: song time at which the look is frozen, seconds. */
  readonly position: number;
  /** Size: value that it glides from since the press. */
  readonly from: number;
  /** End on the monotonic clock, ms, after a release; missing while it is held. */
  readonly endsMs?: number;
}

export type Hands = Readonly<Record<string, Held>>;

/** Time of a press on both clocks, and the position of the show then. */
export interface Moment {
  readonly epochMs: number;
  readonly monotonicMs: number;
  readonly position: number;
  /** Time until the end of the current bar, ms; undefined if unknown. */
  readonly barLeftMs?: number | undefined;
}

/**
 * Controls restored after a crash of the stage: those that were switched. Excluded are momentary states: a song's look
 * (hold), a finger (blinder, strobe, haze), a fixture that is identified or aimed, a connection that sends sound.
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
/**
 * Limit of remembered pressers, for presses repeated by lost connections; one of them is enough to hold the control.
 */
const MAX_PRESSERS = 32;
/** Duration of a change of the show's size, ms. */
const SIZE_GLIDE_MS = 1000;

/** Parts of the rig that the desk uses. */
export interface DeskRig {
  /** Group names by ID. */
  readonly groups: ReadonlyMap<string, string>;
  /** Labels of the lights that can be lit, by ID. */
  readonly lights: ReadonlyMap<number, string>;
  /** IDs of the lights that have pan or tilt. */
  readonly movers: ReadonlySet<number>;
  /** Positions for moving lights; empty without moving lights. */
  readonly positions: readonly HeadPosition[];
  /** Number of fixtures that produce haze. */
  readonly hazers: number;
}

/**
 * Returns why a press is invalid, as a sentence; undefined if it is valid.
 * @param rig undefined until a stage that has just started knows it. Presses until then are accepted, and
 *   {@link withRig} removes those that match nothing
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

/** Returns the controls after a valid press; the same object if nothing changes. */
export function pressed(hands: Hands, { control, value }: DeskPress, by: Presser, at: Moment): Hands {
  const staysOrGlides = (key: string) => staysInHand(key) || key === "size";
  if (control === GIVE_ALL_BACK) return glidingBack(only(hands, staysOrGlides), at);
  const held = hands[control];
  const kind = deskControlOf(control)?.kind;
  if (value === null && kind === "size") return glidingBack(hands, at);
  // A released look stays until the end of the bar; a second release ends it at once.
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
  // A repeated press by the same user changes nothing; another user becomes the holder, which all consoles see.
  const isSame = held?.value === value && held.owner === by.owner && held.endsMs === undefined;
  if (isSame && kind !== "tempo") return hands;
  // A hold pressed again by another user stays at its position.
  const hold = kind === "hold" && held ? { ...at, position: held.position, monotonicMs: held.sinceMs } : at;
  const from = kind === "size" && held ? sizeAt(held, at.monotonicMs) : 0;
  return { ...hands, [control]: { ...inHand(value, by, hold, []), from } };
}

/** Starts the glide of a released size to the plan's size. Returns the same object if it glides already. */
function glidingBack(hands: Hands, { monotonicMs }: Moment): Hands {
  const { size } = hands;
  if (!size || size.endsMs !== undefined) return hands;
  const from = sizeAt(size, monotonicMs);
  const endsMs = monotonicMs + SIZE_GLIDE_MS;
  return { ...hands, size: { ...size, value: 0, from, sinceMs: monotonicMs, endsMs } };
}

/** Returns the size of a show at a moment: a step of {@link SHOW_SIZE}, or a value between two. */
export function sizeAt({ value, from, sinceMs }: Held, ms: number): number {
  const share = Math.min(1, Math.max(0, (ms - sinceMs) / SIZE_GLIDE_MS));
  return from + (Number(value) - from) * share;
}

/** Releases the controls that a lost connection pressed. Returns the same object if it pressed none. */
export function connectionEnded(hands: Hands, connection: string): Hands {
  let after = hands;
  for (const key of Object.keys(hands)) {
    if (hands[key]!.pressers.some((presser) => presser.connection === connection))
      after = letGo(after, key, connection);
  }
  return after;
}

/** Removes controls of groups and lights that no longer exist. */
export function withRig(hands: Hands, { groups, lights }: DeskRig): Hands {
  return only(hands, (key) => {
    const { group = "", light = 0 } = deskControlOf(key) ?? {};
    return (group === "" || groups.has(group)) && (light === 0 || lights.has(light));
  });
}

/** Maximum hold time per control, ms. */
export type LongestMs = Partial<Record<DeskKind, number>>;

/** Returns when the next control expires, on the monotonic clock; undefined if none does. */
export function nextEnd(hands: Hands, longest: LongestMs): number | undefined {
  const ends = Object.keys(hands).map((key) => endOf(hands, key, longest));
  const next = Math.min(...ends);
  return next < Number.POSITIVE_INFINITY ? next : undefined;
}

/** Removes the controls that have expired by then. */
export function withoutEnded(hands: Hands, longest: LongestMs, ms: number): Hands {
  return only(hands, (key) => endOf(hands, key, longest) > ms);
}

function endOf(hands: Hands, key: string, longest: LongestMs): number {
  const kind = deskControlOf(key)?.kind;
  const most = (kind && longest[kind]) ?? Number.POSITIVE_INFINITY;
  const { sinceMs, endsMs = Number.POSITIVE_INFINITY } = hands[key]!;
  return Math.min(sinceMs + most, endsMs);
}

/** Filters the controls; the same object if all stay. */
export function only(hands: Hands, stays: (key: string) => boolean): Hands {
  const kept = Object.entries(hands).filter(([key]) => stays(key));
  return kept.length === Object.keys(hands).length ? hands : Object.fromEntries(kept);
}

/** Whether a control is restored after a crash of the stage. */
export function isKept(control: string): boolean {
  const kind = deskControlOf(control)?.kind;
  return kind !== undefined && KEPT.includes(kind);
}

/**
 * Whether a press is acknowledged only once it would survive a crash of the stage. Not so the master, a fader: it would
 * move as slowly as the disk writes.
 */
export function isAnsweredLate(control: string): boolean {
  return control === GIVE_ALL_BACK || (isKept(control) && deskControlOf(control)?.kind !== "master");
}

/** Restores the stored controls of an earlier stage process. */
export function takenUp(kept: Readonly<Record<string, DeskHand>>, monotonicMs: number): Hands {
  const right = Object.entries(kept).filter(([key, { value }]) => {
    const control = deskControlOf(key);
    return control && isKept(key) && deskValueProblem(control.kind, value) === undefined;
  });
  return Object.fromEntries(
    right.map(([key, hand]) => [key, { ...hand, sinceMs: monotonicMs, pressers: [], position: 0, from: 0 }]),
  );
}

/**
 * Releases a control. A user who does not press it releases it for everyone: a stuck blinder must not need its presser.
 */
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
