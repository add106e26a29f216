import {
  deskControlOf,
  deskKey,
  GIVE_ALL_BACK,
  SHOW_SIZE,
  type HeadPosition,
  type DeskGroup,
  type DeskValue,
} from "@followspot/contract";
import { COLOR_PAIRS, FIGURES } from "@followspot/lighting";
import { shownValue, type DeskView } from "./desk-connection.ts";
import { deskStrings as text } from "./desk.strings.ts";

/** An action that can be mapped to a key or a MIDI controller: a button, a fader, a tap. */
export interface DeskAction {
  readonly id: string;
  readonly label: string;
  readonly control: string;
  /**
   * switch: toggles. touch: active while pressed. level: follows a fader. once: acts at each press. step: adds one step
   * per press.
   */
  readonly kind: "switch" | "touch" | "level" | "once" | "tap" | "step";
  /** Value or step of the press; null releases the control. */
  readonly value: DeskValue | null;
}

/** Operations of the desk that actions use. */
export interface DeskHandle {
  readonly press: (control: string, value: DeskValue | null) => void;
  readonly view: () => DeskView;
  /** Records a press on the beat. */
  readonly tap: () => void;
  /** Strobe rate chosen on this console, Hz. */
  readonly strobeHz: () => number;
}

/** Returns every action for these groups, the position presets of heads, and this number of hazers. */
export function deskActions(
  groups: readonly DeskGroup[],
  positions: readonly HeadPosition[] = [],
  hazers = 0,
): readonly DeskAction[] {
  const action = (label: string, control: string, kind: DeskAction["kind"], value: DeskValue | null = true) => ({
    id: value === true || value === null ? control : `${control} ${value}`,
    label,
    control,
    kind,
    value,
  });
  return [
    action(text.blackout, "blackout", "switch"),
    { ...action(text.master, "master", "level"), value: 1 },
    action(text.blinder, "blinder", "touch"),
    action(text.strobe, "strobe", "touch"),
    ...(hazers > 0 ? [action(text.haze, "haze", "touch")] : []),
    action(text.hold, "hold", "switch"),
    { ...action(text.bigger, "size", "step", 1), id: "bigger" },
    { ...action(text.calmer, "size", "step", -1), id: "calmer" },
    { ...action(text.tap, "tempo", "tap"), id: "tap" },
    ...text.swatches.map(([hex, name]) => action(name, "color", "switch", hex)),
    ...COLOR_PAIRS.map(({ name }) => action(text.pairOf(name), "pair", "switch", name)),
    ...positions.map((name) => action(text.pointAt(text.positions[name]), "point", "switch", name)),
    ...(positions.length > 0 ? FIGURES.map(({ name }) => action(text.draw(name), "figure", "switch", name)) : []),
    ...groups.flatMap(({ id, name }) => [
      action(text.muteOf(name), deskKey("mute", id), "switch"),
      action(text.soloOf(name), deskKey("solo", id), "switch"),
    ]),
    action(text.giveAllBack, GIVE_ALL_BACK, "once", null),
  ];
}

/** Performs an action. @param level fader position 0..1, or 1 for pressed and 0 for released */
export function perform({ control, kind, value }: DeskAction, level: number, desk: DeskHandle): void {
  const isDown = level > 0;
  switch (kind) {
    case "level":
      return desk.press(control, level);
    case "touch":
      return desk.press(control, !isDown ? null : control === "strobe" ? desk.strobeHz() : value);
    case "tap":
      return isDown ? desk.tap() : undefined;
    case "once":
      return isDown ? desk.press(control, value) : undefined;
    case "step":
      return isDown ? desk.press(control, sizeAfter(shownValue(desk.view(), control), Number(value))) : undefined;
    case "switch":
      return isDown ? desk.press(control, shownValue(desk.view(), control) === value ? null : value) : undefined;
    default:
      return kind satisfies never;
  }
}

/** Returns the show size one step from the displayed size, within its bounds; null for the plan's size. */
export function sizeAfter(shown: DeskValue | undefined, by: number): DeskValue | null {
  const size = Math.min(SHOW_SIZE.most, Math.max(SHOW_SIZE.least, Number(shown ?? 0) + by));
  return size === 0 ? null : size;
}

/** Returns how far the show size deviates in the direction of a step, 0..2. */
export const sizedBy = (shown: DeskValue | undefined, by: number): number => Math.max(0, Number(shown ?? 0) * by);

/** Returns the brightness of an action's LED on a controller, 0..1. */
export function litness({ control, kind, value }: DeskAction, view: DeskView): number {
  const shown = shownValue(view, control);
  if (kind === "level") return Number(shown ?? 1);
  if (kind === "step") return sizedBy(shown, Number(value)) / SHOW_SIZE.most;
  if (kind === "touch" || kind === "tap") return shown === undefined ? 0 : 1;
  return value !== null && shown === value ? 1 : 0;
}

/** Formats a control for display. @param label name of the fixture, if the control belongs to one */
export function controlText(control: string, groups: readonly DeskGroup[], label = ""): string {
  const known = deskControlOf(control);
  if (!known) return control;
  const group = groups.find(({ id }) => id === known.group)?.name ?? known.group;
  switch (known.kind) {
    case "blackout":
      return text.blackout;
    case "master":
      return text.master;
    case "blinder":
      return text.blinder;
    case "strobe":
      return text.strobe;
    case "hold":
      return text.hold;
    case "size":
      return text.size;
    case "tempo":
      return text.tap;
    case "idle":
      return text.idle;
    case "color":
      return group === "" ? text.color : `${text.color} ${group}`;
    case "pair":
      return text.pairs;
    case "figure":
      return group === "" ? text.figure : text.figureOf(group);
    case "sound":
      return text.sound;
    case "mute":
      return text.muteOf(group);
    case "solo":
      return text.soloOf(group);
    case "identify":
      return text.identify(label || String(known.light));
    case "aim":
      return text.aim(label || String(known.light));
    case "haze":
      return text.haze;
    case "point":
      return group === "" ? text.point : text.pointOf(group);
    default:
      return known.kind satisfies never;
  }
}
