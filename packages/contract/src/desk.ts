import { SOUND_SOURCES } from "./live-sound-words.ts";
import type { AimPoint } from "./rig.ts";
import { HEAD_POSITIONS, type HeadPosition } from "./rig-words.ts";
import type { StageMode } from "./sockets.ts";

/*
 * The live desk: what people take out of the show's hands for a while. A control is held by a person, with a value,
 * or it is not there and the show has it; giving back is the value null. Keys are `blackout`, `color` (the rig),
 * `color/GROUP`, `identify/LIGHT` or `aim/LIGHT`: everything that may be pressed, shown, learnt by a MIDI controller or sent by
 * OSC is one key.
 */
export const DESK_KINDS = [
  "blackout",
  "master",
  "blinder",
  "strobe",
  "hold",
  "size",
  "tempo",
  "idle",
  "color",
  "pair",
  "mute",
  "solo",
  "identify",
  "aim",
  "point",
  "figure",
  "haze",
  "sound",
] as const;
export type DeskKind = (typeof DESK_KINDS)[number];

/** Everything but blackout and idle look goes back to the show. */
export const GIVE_ALL_BACK = "all";

/** What lamps show while no song has them: the house look, nothing, or a colour that wanders. */
export const IDLE_LOOKS = ["house", "dark", "color"] as const;
export type IdleLook = (typeof IDLE_LOOKS)[number];

/** Flashes a second of the desk's strobe, under the flash limit; 0 is the beat of the song, or the tapped one. */
export const STROBE_HZ = { least: 0.5, most: 2.75, onBeat: 0 } as const;
/** A lamp that is looked for blinks so long, then gives itself back; on for so much of each turn. */
export const IDENTIFY = { ms: 10_000, turnMs: 1250, litMs: 750 } as const;
/** How much bigger or calmer than its plan a show is made, in whole steps; 0 is the plan, and held by no person. */
export const SHOW_SIZE = { least: -2, most: 2 } as const;
/** Hazers run so long at one press, however long it is held. */
export const HAZE = { ms: 10_000 } as const;
/** Tempo by tapping, beats a minute. */
export const TAP_BPM = { least: 30, most: 300 } as const;

export type DeskValue = true | number | string;

/** What a control's key says. */
export interface DeskControl {
  readonly kind: DeskKind;
  /** "" for the whole rig. */
  readonly group: string;
  /** Id of the one light it is about; 0 for the others. */
  readonly light: number;
}

/** A control that a person holds. */
export interface DeskHand {
  /**
   * `true` for what is on or off, 0..1 for the master, steps of {@link SHOW_SIZE}, Hz, beats a minute, `#rrggbb`, an {@link IdleLook}, a sound's source,
   * a point as {@link aimText} writes it, an {@link HeadPosition}, the name of a pair of colours or of a figure.
   */
  readonly value: DeskValue;
  /** Id of the user; "osc" for the network. */
  readonly owner: string;
  readonly owner_name: string;
  /** Milliseconds since 1970, by the clock of the stage. */
  readonly since: number;
  /** Of one light: what that is called. */
  readonly label?: string;
  /** Given back, it ends by itself soon: a look with its bar, a size as it glides back. */
  readonly ends?: boolean;
}

/** Lights that are muted, soloed and tinted together. */
export interface DeskGroup {
  readonly id: string;
  readonly name: string;
}

/** The desk as everybody sees it, sent over all connections at every change and once a second. */
export interface DeskState {
  readonly type: "desk";
  /** Another one: the stage was started again, and counts revisions anew. */
  readonly run: string;
  readonly revision: number;
  readonly hands: Readonly<Record<string, DeskHand>>;
  /** Left out by a stage that was just started and has not read its rig yet. */
  readonly groups?: readonly DeskGroup[];
  /** Ids of lights that can be aimed: those with pan or tilt. Left out as `groups` are. */
  readonly movers?: readonly number[];
  /** Where those can be pointed; none without them. */
  readonly positions?: readonly HeadPosition[];
  /** Lamps that make haze. */
  readonly hazers?: number;
  readonly mode: StageMode;
  readonly song_id: string;
  /** Outputs that are on; without one no lamp hears of it. */
  readonly outputs: number;
  /** `owner` of what is pressed over this connection. */
  readonly you: string;
  /** By the stage's clock, ms since 1970. Left out by stages of before. */
  readonly now?: number;
}

/** One press. The client gives it an id: sent again after its connection was lost, it counts once. */
export interface DeskPress {
  readonly type: "press";
  readonly id: string;
  readonly control: string;
  /** null gives the control back; a blinder or strobe is let go. */
  readonly value: DeskValue | null;
  /**
   * When it was pressed, by the stage's clock as {@link DeskState.now} told it, ms since 1970. The stage refuses what comes later
   * than {@link LATE_PRESS_MS}: what was pressed over a connection that hung must not happen once it is not expected any more.
   */
  readonly pressed_at?: number;
}

/** A press is carried out within this time, or not at all: two seconds in which its connection may come back, and a slow way to the stage. */
export const LATE_PRESS_MS = 4000;

/** Stage → desk. */
export type DeskMessage =
  | DeskState
  | { readonly type: "taken"; readonly id: string; readonly revision: number }
  /** `id` is "" when the message could not be read. */
  | { readonly type: "refused"; readonly id: string; readonly message: string };

/** Longest group id a key may name. */
const MAX_GROUP = 200;
const OF_GROUPS: readonly DeskKind[] = ["color", "mute", "solo", "point", "figure"];
/** Longest name of a pair or figure; which there are, the stage knows. */
const MAX_NAME = 60;
const OF_LIGHTS: readonly DeskKind[] = ["identify", "aim"];
const MOMENTARY: readonly DeskKind[] = ["blinder", "strobe", "aim", "haze"];
/** Ids are integers of the database. */
const LIGHT_ID = /^[1-9]\d{0,9}$/;

/** Held only as long as it is pressed, and released when the connection of the person who presses it drops. */
export const isMomentary = (kind: DeskKind): boolean => MOMENTARY.includes(kind);

/** Stays in its hand when everything is given back: darkness is ended on purpose only, the idle look is a setting. */
export const staysInHand = (control: string): boolean => control === "blackout" || control === "idle";

export const deskKey = (kind: DeskKind, group = ""): string => (group === "" ? kind : `${kind}/${group}`);
export const identifyKey = (lightId: number): string => `identify/${lightId}`;
export const aimKey = (lightId: number): string => `aim/${lightId}`;

/** A point as a control has it: `0.25 0.5`, pan and tilt. */
export const aimText = ({ pan, tilt }: AimPoint): string => `${Number(pan.toFixed(5))} ${Number(tilt.toFixed(5))}`;

/** Undefined for a text that is not a point. */
export function aimPointOf(text: DeskValue): AimPoint | undefined {
  const [, pan, tilt] = /^([01](?:\.\d{1,6})?) ([01](?:\.\d{1,6})?)$/.exec(String(text)) ?? [];
  const point = { pan: Number(pan), tilt: Number(tilt) };
  return point.pan <= 1 && point.tilt <= 1 ? point : undefined;
}

/** Undefined for an unknown key. */
export function deskControlOf(key: string): DeskControl | undefined {
  const slash = key.indexOf("/");
  const name = slash < 0 ? key : key.slice(0, slash);
  const group = slash < 0 ? "" : key.slice(slash + 1);
  const kind = DESK_KINDS.find((known) => known === name);
  if (!kind) return undefined;
  if (OF_LIGHTS.includes(kind)) return LIGHT_ID.test(group) ? { kind, group: "", light: Number(group) } : undefined;
  const isOfGroup = OF_GROUPS.includes(kind);
  if (slash >= 0 && (!isOfGroup || group === "" || group.length > MAX_GROUP)) return undefined;
  // Muting or soloing the whole rig is what blackout is for.
  if (group === "" && (kind === "mute" || kind === "solo")) return undefined;
  return { kind, group, light: 0 };
}

/** What is wrong with a value for a control, for a person; undefined when nothing is. */
export function deskValueProblem(kind: DeskKind, value: DeskValue): string | undefined {
  switch (kind) {
    case "master":
      return isWithin(value, 0, 1) ? undefined : "The master takes a number from 0 to 1.";
    case "size":
      return Number.isInteger(value) && value !== 0 && isWithin(value, SHOW_SIZE.least, SHOW_SIZE.most)
        ? undefined
        : "The size takes 1 or 2 for bigger, -1 or -2 for calmer.";
    case "strobe":
      return value === STROBE_HZ.onBeat || isWithin(value, STROBE_HZ.least, STROBE_HZ.most)
        ? undefined
        : `The strobe takes 0 for the beat, or ${STROBE_HZ.least} to ${STROBE_HZ.most} flashes a second.`;
    case "tempo":
      return isWithin(value, TAP_BPM.least, TAP_BPM.most)
        ? undefined
        : `The tempo takes ${TAP_BPM.least} to ${TAP_BPM.most} beats a minute.`;
    case "idle":
      return IDLE_LOOKS.some((look) => look === value) ? undefined : `The idle look is ${IDLE_LOOKS.join(", ")}.`;
    case "color":
      return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value) ? undefined : "A color is written #rrggbb.";
    case "aim":
      return aimPointOf(value) ? undefined : "A point is written as pan and tilt from 0 to 1, such as 0.25 0.5.";
    case "point":
      return HEAD_POSITIONS.some((name) => name === value)
        ? undefined
        : `Heads are pointed at ${HEAD_POSITIONS.join(", ")}.`;
    case "pair":
    case "figure":
      return typeof value === "string" && value.length > 0 && value.length <= MAX_NAME
        ? undefined
        : `${kind} takes a name.`;
    case "sound":
      return SOUND_SOURCES.some((source) => source === value)
        ? undefined
        : `Live sound comes from: ${SOUND_SOURCES.join(", ")}.`;
    case "blackout":
    case "blinder":
    case "hold":
    case "mute":
    case "solo":
    case "identify":
    case "haze":
      return value === true ? undefined : `${kind} takes true, or null to give it back.`;
    default:
      return kind satisfies never;
  }
}

function isWithin(value: DeskValue, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}
